"""Exact solution by Newton steps, pivots, or interior points and a direct solution: the default solver.

Dense problems: Newton steps in the faces of the box (sets of free rows), then Lemke's path for boxes, in
one compiled call (``mlcp.kernels.dense.checked``). Sparse problems: interior points with a sparse
L D L', if signs S make S A symmetric (``mlcp.kernels.sparse.sparse_interior``). Structured problems:
Newton's method in the velocities (``mlcp.kernels.structured.proximal_newton``), or elimination of the
bilateral rows and a small problem for the bounded rows (``mlcp.kernels.structured.bounded_rows``).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.kernels.codes import INFEASIBLE, SPARSE
from mlcp.kinds import checked
from mlcp.problem import MLCP
from mlcp.solution import natural_residual
from mlcp.solvers.base import (
    STATUS,
    TIME_LIMIT,
    Answer,
    Count,
    KernelSettings,
    Start,
    TimeLimit,
    active_set,
    deadline,
    has_passed,
    start_point,
)
from mlcp.solvers.delassus import solve_structured
from mlcp.solvers.equations import without_equations
from mlcp.solvers.newton_large import solve_newton
from mlcp.solvers.rounded import SWEPT_RESIDUAL, with_checked_status
from mlcp.solvers.sparse import interior_points, sparse
from mlcp.status import Status

#: Result of the compiled call: code; natural residual, inf if another method must follow; steps; z;
#: w = A z + b; active
DenseResult = tuple[int, float, int, np.ndarray, np.ndarray, np.ndarray]
_SOLVED = Status.SOLVED


@dataclass(frozen=True)
@checked
class Direct:
    """Newton steps in faces, Lemke's path, and interior points where A is sparse (``docs/solvers.md``).

    The solver ends for every P-matrix and for every positive semidefinite A, symmetric or not; for a
    semidefinite A a ray of the path proves that there is no solution. For other classes it is a
    heuristic: SOLVED still follows from the residual; after a failure the status is OUT_OF_CLASS, and
    ``MLCP.matrix_class`` is the verified class.

    Settings:
        max_pivots: limit on the Newton steps, and on the pivots of a path.
        large: smallest number of rows at which a sparse problem is solved by interior points first, and
            the dense matrix is formed only if they fail.
        time_limit: largest time of a solve [s].

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    max_pivots: Count = 2000
    large: Count = 200
    time_limit: TimeLimit = TIME_LIMIT

    name: ClassVar[str] = "direct"
    exact: ClassVar[bool] = True
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = True
    needs: ClassVar[str] = "a P-matrix or a positive semidefinite A, symmetric or not"
    tolerance: ClassVar[float] = 1e-10
    in_a_step: ClassVar[KernelSettings] = KernelSettings(2000)

    @property
    def kernel_settings(self) -> KernelSettings:
        """Settings of this solver in a compiled time step."""
        return KernelSettings(self.max_pivots, time_limit=self.time_limit)

    @checked.bare
    def answer(self, problem: MLCP | StructuredMLCP, tol: float, start: Start) -> Answer:
        """Solve by the compiled call, and after a failure by the other methods."""
        end = deadline(self.time_limit)
        if isinstance(problem, StructuredMLCP):
            return solve_structured(problem, tol, start, end, self)
        tried = self.at_once(problem, tol, start.z, end)
        if tried[1] <= tol:
            return _answer(tried)._replace(status=_SOLVED)
        return self.otherwise(problem, tol, start, end, tried)

    @checked.bare
    def at_once(self, problem: MLCP, tol: float, z: np.ndarray | None, end: float) -> DenseResult:
        """Result of a compiled call from the active set of z (None: from rest) or of interior points."""
        if type(problem.A) is np.ndarray or problem.n < self.large:
            return dense(problem, z, tol, self._most, end)
        code, residual, steps, z, w = interior_points(problem, tol, end)
        return (code if residual <= tol else SPARSE), residual, steps, z, w, active_set(problem, z)

    @checked.bare
    def otherwise(
        self, problem: MLCP, tol: float, start: Start, end: float, tried: DenseResult
    ) -> Answer:
        """Answer of the other methods, after a failure of the compiled call."""
        p, code = problem, tried[0]
        if code == INFEASIBLE and not (np.all(p.diagonal() > 0.0) and p.matrix_class == "P"):
            return _answer(tried)
        if tried[1] < math.inf and code != SPARSE:
            found = with_checked_status(p, _answer(tried), tol)
            near = (
                natural_residual(p, found.z) <= SWEPT_RESIDUAL * tol
            )  # then another method, with other round-off, may bring the residual below tol
            if found.status is _SOLVED or (found.status is Status.INACCURATE and not near):
                return found
        found, soon = _answer(tried), end
        if not (p.sparse and p.n >= self.large):
            found = sparse(p, tol, end)
        elif tried[1] == math.inf:  # no signs S make S A symmetric
            found = solve_newton(p, tol, start_point(p, start), self._most, end)
        if found.status is _SOLVED:
            return found
        # matrix of unknown class: stop the dense methods after 0.6 s
        if p.n >= 100 and p.matrix_class == "unknown":
            soon = min(end, deadline(0.6))
        if code == SPARSE:
            tried = dense(p, start.z, tol, self._most, soon, filled=True)
        if tried[0] == INFEASIBLE or tried[1] < natural_residual(p, found.z):
            found = _answer(tried)
        if found.status is _SOLVED:
            return found
        if has_passed(end):
            return found._replace(status=Status.TIME_LIMIT)
        if found.status is Status.TIME_LIMIT:
            found = found._replace(status=Status.ITERATION_LIMIT)
        found = with_checked_status(p, found, tol)
        if found.status is not Status.ITERATION_LIMIT:
            return found
        # after a failure only, since the classification costs more than most solves
        kind = p.matrix_class
        if kind == "unknown":
            z = without_equations(p, lambda other: dense(other, None, tol, self._most, soon)[3])
            again = found if z is None else with_checked_status(p, found._replace(z=z), tol)
            if again.status is _SOLVED:
                return again
            found = found._replace(status=Status.OUT_OF_CLASS)
        return found._replace(extras={**found.extras, "matrix_class": kind})

    @functools.cached_property
    def _most(self) -> int:
        """``max_pivots`` as an integer of 64 bits."""
        return int(min(self.max_pivots, 2**62))


def dense(
    problem: MLCP, z: np.ndarray | None, tol: float, most: int, end: float, filled: bool = False
) -> DenseResult:
    """Solve by one compiled call: Newton steps in faces, then Lemke's path; if these steps fail and A is
    sparse, the path is followed only if ``filled``."""
    b, cold = problem.b, z is None
    n = b.size
    run, work = tools(n)
    z = np.empty(n) if z is None else np.array(z, dtype=np.float64)
    w, active = np.empty(n), np.empty(n, np.int64)
    A = problem.A if type(problem.A) is np.ndarray else problem.dense_A
    given = A, b, problem.lower, problem.upper
    code, residual, steps = run(given, (z, w, active), work, cold, filled, tol, most, end)
    return code, residual, steps, z, w, active


def _answer(tried: DenseResult) -> Answer:
    code, _residual, steps, z, _w, active = tried
    return Answer(z, STATUS[code], steps, active)


@functools.lru_cache(maxsize=8)
def tools(n: int) -> tuple[Any, np.ndarray]:
    """Return (compiled solver for n rows, scratch of the solver).
    A call keeps Python's global lock, so threads can use the same scratch. The solver takes contiguous
    arrays of float64, ``active`` of int64, without checks of types (``mlcp.jit.typed``).
    """
    from mlcp.jit import typed
    from mlcp.kernels.dense.checked import run_checked
    from mlcp.kernels.dense.direct import work_size

    p, row = MLCP(np.eye(1), 0.0), np.empty(1)
    given, found = (p.A, p.b, p.lower, p.upper), (row, row, np.empty(1, np.int64))
    return typed(run_checked, given, found, row, True, True, 1.0, 1, 1.0), np.empty(work_size(n))
