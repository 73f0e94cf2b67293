"""Exact solution by pivoting: the default solver.

Dense problems: Newton steps in the faces of the box (``mlcp.kernels.face_newton``). If they fail: block
principal pivoting, a parametric path as fallback and a proximal stage (``mlcp.kernels.direct``), after
elimination of bilateral rows if they are many or have a zero diagonal. Large symmetric or sparse
problems: proximal Newton with one factorisation a step (``mlcp.solvers.proximal``).
Structured ones: the same in the velocities (``mlcp.kernels.proximal_newton``), or the bilateral
rows eliminated and the few bounded ones pivoted (``mlcp.kernels.bounded_rows``).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.kernels.codes import ELIMINATE
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
    deadline,
    late,
)
from mlcp.solvers.delassus import solve_structured
from mlcp.solvers.interior import solve_interior
from mlcp.solvers.newton_large import solve_newton
from mlcp.solvers.proximal import solve_proximal
from mlcp.solvers.rounded import NEAR, solved_again, weighed
from mlcp.solvers.scaled import balanced
from mlcp.status import Status

#: (natural residual, inf if another method has to try; steps; z; w = A z + b; active)
Faced = tuple[float, int, np.ndarray, np.ndarray, np.ndarray]
_NOT_FACED: Faced = (math.inf, 0, np.empty(0), np.empty(0), np.empty(0, np.int64))
_SOLVED = Status.SOLVED
_SETTLED = (Status.SOLVED, Status.INFEASIBLE)
UNKNOWN, MANY = 0.8, 100  # time limit [s] from MANY rows on for A of unknown class, after faces failed
ENOUGH = 5e-11  # residual of the whole problem at which a reduced one counts as solved
_ENDED = (*_SETTLED, Status.TIME_LIMIT)


@dataclass(frozen=True)
@checked
class Direct:
    """Newton steps in faces; then block pivoting, a parametric path, a proximal stage for singular A.

    It ends for every P-matrix (see ``mlcp.kernels.parametric``) and for every positive
    semidefinite A: each proximal problem is positive definite, so its pivoting ends, and the
    proximal points converge to a solution or, where none exists, show a direction proving it.
    For other classes it is a heuristic with the verdict from its residual; after a failure the status is
    OUT_OF_CLASS, and ``MLCP.matrix_class`` is the verified class.

    Settings:
        max_pivots: limit on the factorisations and on the path's pivots of each stage.
        large: number of rows from which problems not solved by Newton steps in faces go to proximal
            Newton, if symmetric, and sparse problems avoid the dense matrix while that succeeds.
        time_limit: [s].

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
        """Settings of a compiled step with this solver."""
        return KernelSettings(self.max_pivots, time_limit=self.time_limit)

    @checked.bare
    def answer(self, problem: MLCP | StructuredMLCP, tol: float, start: Start) -> Answer:
        """Pivot until the active set is the solution's."""
        end = deadline(self.time_limit)
        if isinstance(problem, StructuredMLCP):
            return solve_structured(problem, tol, start, end)
        faced = self.at_once(problem, start.z, end)
        if faced[0] <= tol:
            _residual, steps, z, _w, active = faced
            return Answer(z, _SOLVED, steps, active)
        return self.otherwise(problem, tol, start, end, faced)

    @checked.bare
    def at_once(self, problem: MLCP, z: np.ndarray | None, end: float) -> Faced:
        """Result of Newton steps in faces from the sides of z or from rest."""
        if type(problem.A) is np.ndarray or problem.n < self.large:
            return faces(problem, z, self._most, end)
        return _NOT_FACED

    @checked.bare
    def otherwise(self, problem: MLCP, tol: float, start: Start, end: float, faced: Faced) -> Answer:
        """Answer of the other methods, after failed Newton steps in faces."""
        if faced[0] < math.inf:
            found = weighed(problem, Answer(faced[2], Status.ITERATION_LIMIT, faced[1], faced[4]), tol)
            near = natural_residual(problem, found.z) <= NEAR * tol  # different round-off may suffice
            if found.status is _SOLVED or (found.status is Status.INACCURATE and not near):
                return found
        soon = end
        if problem.n >= MANY and problem.matrix_class == "unknown":  # it may not converge
            soon = min(end, deadline(UNKNOWN))
        found = self._rest(problem, tol, start, soon)
        if found.status is _SOLVED:
            return found
        if late(end):
            return found._replace(status=Status.TIME_LIMIT)
        if found.status is Status.TIME_LIMIT:
            found = found._replace(status=Status.ITERATION_LIMIT)
        found = weighed(problem, found, tol)
        if found.status is not Status.ITERATION_LIMIT:
            return found
        kind = problem.matrix_class  # only now: it costs more than most solves
        if kind == "unknown":
            found = found._replace(status=Status.OUT_OF_CLASS)
        return found._replace(extras={**found.extras, "matrix_class": kind})

    @functools.cached_property
    def _most(self) -> int:
        """``max_pivots`` as an integer of 64 bits."""
        return int(min(self.max_pivots, 2**62))

    def _rest(self, problem: MLCP, tol: float, start: Start, end: float) -> Answer:
        """Try one method after the other, until one has a solution or a proof that there is none."""
        many = problem.n >= self.large
        large = many and problem.symmetric
        if large:
            found = solve_proximal(problem, tol, start, end, patient=False)
        elif many and problem.sparse:
            found = solve_interior(problem, tol, end)
        else:
            found = self._pivot(problem, start, self.max_pivots, end, eliminate=True)
        if found.status in _ENDED:
            return found
        attempts: list[Callable[[Start], Answer]] = []
        if large or not (many and problem.sparse):
            attempts.append(lambda near: solve_interior(problem, tol, end))
        if problem.symmetric:
            attempts.append(lambda near: solve_proximal(problem, tol, near, end))
        if many and (large or problem.sparse):  # recovers the digits lost by delta: n^3 / 6
            few = min(self.max_pivots, 20) if large else self.max_pivots
            attempts.append(lambda near: self._pivot(problem, near, few, end))
        if not many and not np.all(problem.diagonal()):  # rows without a unit of their own
            attempts[:0] = [lambda near: self._balanced(problem, tol, end)]
        for attempt in attempts:
            other = attempt(Start(found.z, active_set(problem, found.z)))
            if other.status in _SETTLED:
                return other
            if natural_residual(problem, other.z) < natural_residual(problem, found.z):
                found = other._replace(status=found.status)
            if late(end):
                break
        return found

    def _balanced(self, problem: MLCP, tol: float, end: float) -> Answer:
        """Solve in units with rows of equal size: by pivoting, then by Newton's method."""
        other, unit = balanced(problem)
        found = self._pivot(other, Start(), self.max_pivots, end, eliminate=True)
        if found.status not in _SETTLED and not late(end):
            found = solve_newton(
                other, tol, np.clip(np.zeros(other.n), other.lower, other.upper), 200, end
            )
        return found._replace(z=np.clip(found.z * unit, problem.lower, problem.upper), active=None)

    def _pivot(
        self, problem: MLCP, start: Start, limit: int, end: float, eliminate: bool = False
    ) -> Answer:
        from mlcp.kernels.dense_calls import PivotWork, run_direct

        n = problem.n
        cold = start.z is None or start.active is None
        z = np.empty(n) if cold else np.array(start.z, dtype=np.float64)
        active = np.empty(n, np.int64) if cold else np.array(start.active, dtype=np.int64)
        code, pivots = run_direct(
            (problem.dense_A, problem.b, problem.lower, problem.upper), z, active,
            np.empty(PivotWork.length(n)), int(min(limit, 2**62)), cold, eliminate, end,
        )  # fmt: skip
        if code == ELIMINATE:
            return self._eliminated(problem, start, limit, end)
        return Answer(z, STATUS[code], pivots, active)

    def _eliminated(self, problem: MLCP, start: Start, limit: int, end: float) -> Answer:
        """Pivot without the bilateral rows if they are regular, else with all rows."""
        from mlcp.solvers.bilateral import Elimination

        kept = Elimination(problem)
        if kept.reduced is not None:
            c = kept.c
            part = Start(
                None if start.z is None else start.z[c],
                None if start.active is None else start.active[c],
            )
            found = self._pivot(kept.reduced, part, limit, end)
            if found.status in (Status.SOLVED, Status.ITERATION_LIMIT):  # the reduced rows are rounded
                z = kept.back(found.z)
                if not natural_residual(problem, z) <= ENOUGH:
                    z = solved_again(problem, np.clip(z, problem.lower, problem.upper))
                if natural_residual(problem, z) <= ENOUGH:
                    return Answer(z, Status.SOLVED, found.iterations, active_set(problem, z))
        return self._pivot(problem, start, limit, end)


def faces(problem: MLCP, z: np.ndarray | None, most: int, end: float) -> Faced:
    """Newton steps in the faces (``mlcp.kernels.face_newton``), from the sides of z or from rest."""
    b, cold = problem.b, z is None
    n = b.size
    run, work = tools(n)
    z = np.empty(n) if z is None else np.array(z, dtype=np.float64)
    w, active = np.empty(n), np.empty(n, np.int64)
    A = problem.A if type(problem.A) is np.ndarray else problem.dense_A
    given = A, b, problem.lower, problem.upper
    residual, steps = run(given, (z, w, active), work, most, cold, end)
    return residual, steps, z, w, active


@functools.lru_cache(maxsize=8)
def tools(n: int) -> tuple[Any, np.ndarray]:
    """(compiled call, its scratch). The call holds Python's lock, so threads can share the scratch."""
    from mlcp.kernels.judged import FaceWork, run_judged

    return run_judged, np.empty(FaceWork.length(n))


def active_set(problem: MLCP | StructuredMLCP, z: np.ndarray) -> np.ndarray:
    """-1 where z is at its lower bound, +1 at its upper one, 0 elsewhere."""
    at_lower = (z <= problem.lower).astype(np.int64)
    return np.where(at_lower == 1, -1, (z >= problem.upper).astype(np.int64))
