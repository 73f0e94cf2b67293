"""Solution of a problem, with residual and status recomputed from the problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mlcp.checks import shown
from mlcp.delassus import StructuredMLCP
from mlcp.kinds import checked
from mlcp.problem import MLCP
from mlcp.status import Status

AnyProblem = MLCP | StructuredMLCP


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Solution:
    """A solver's result z for a problem, with residual and status recomputed from the problem.

    Fields:
        z, w: (n,) arrays, w = A z + b.
        status: Status; ``SOLVED`` only if the recomputed natural residual is within ``tol``.
        iterations: number of the solver's pivots, sweeps, Newton or ADMM iterations.
        residual: the natural residual [-], recomputed from the problem.
        problem: the MLCP or StructuredMLCP.
        solver: name of the solver.
        tol: tolerance on the natural residual [-].
        active: (n,) int64, -1 at lower, 0 free, +1 at upper; a warm start for the next solve.
        extras: the solver's further results: ``factorisations`` (``direct`` on structured problems),
            ``matrix_class`` (``direct``) and ``code`` (``newton``) after a failure, ``bound_change``
            (``solve_coupled``).
        seconds: wall time of the solve [s], with set-up and residual; NaN if not measured.
    """

    z: np.ndarray
    w: np.ndarray
    status: Status
    iterations: int
    residual: float
    problem: AnyProblem
    solver: str
    tol: float
    active: np.ndarray | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = float("nan")

    def __init__(
        self,
        z: np.ndarray,
        w: np.ndarray,
        status: Status,
        iterations: int,
        residual: float,
        problem: AnyProblem,
        solver: str,
        tol: float,
        active: np.ndarray | None = None,
        extras: Mapping[str, Any] | None = None,
        seconds: float = float("nan"),
    ) -> None:
        # fields are set in __dict__: assignments in a frozen dataclass take a tenth of a small solve
        own = self.__dict__
        own["z"], own["w"], own["status"], own["iterations"] = z, w, status, iterations
        own["residual"], own["problem"], own["solver"], own["tol"] = residual, problem, solver, tol
        if extras is not None and not isinstance(extras, Mapping):
            raise ValueError(f"Solution.extras = {shown(extras)} must be a dictionary")
        own["active"], own["extras"], own["seconds"] = active, dict(extras) if extras else {}, seconds

    def __repr__(self) -> str:
        with np.printoptions(threshold=12, precision=6):
            return (
                f"Solution({self.status.name} by {self.solver}: {len(self.z)} rows, residual"
                f" {self.residual:.1e}, {self.iterations} iterations\n  z = {self.z}\n  w = {self.w})"
            )

    @property
    def solved(self) -> bool:
        """True if the status is SOLVED."""
        return self.status is Status.SOLVED

    def row_residuals(self) -> np.ndarray:
        """Natural residual [-] of every row; inf where it is undefined.

        |z - clip(z - w / a_ii, lower, upper)| s_i / size_i, see ``natural_residual``.
        """
        return row_residuals(self.problem, self.z)

    def natural_residual(self) -> float:
        """Natural residual max_i |z_i - clip(z_i - w_i / a_ii, lower_i, upper_i)| s_i / size_i [-].

        s_i = sqrt |a_ii|, and size_i is the largest bias on row i after scaling to a unit diagonal:
        |b_i| / s_i, or a term of another row's z (``mlcp.kernels.residual``).
        """
        return natural_residual(self.problem, self.z)

    def bound_violation(self) -> float:
        """Largest excess of z over its bounds, in the units of z; inf if z is not a number."""
        p = self.problem
        excess = np.maximum(np.maximum(p.lower - self.z, self.z - p.upper), 0.0)
        return _largest(excess)

    def complementarity_gap(self) -> float:
        """Complementarity gap sum_i w_i+ (z_i - lower_i) + w_i- (upper_i - z_i), zero at a solution.

        w+ and w- are the positive and negative parts of w = A z + b. The gap has the units of z times w.
        It is inf if w pushes towards a bound that does not exist (a bilateral row with w != 0).
        """
        p = self.problem
        with np.errstate(all="ignore"):
            w = p.w(self.z)
            product = np.where(w > 0.0, w * (self.z - p.lower), -w * (p.upper - self.z))
            gap = np.where(w == 0.0, 0.0, np.abs(product))
        return float(np.sum(gap)) if not np.any(np.isnan(gap)) else float("inf")

    def condition(self) -> float:
        """Condition number [-] of the free rows' equations.

        The rows are scaled to a unit diagonal. The number's logarithm to base 10 is the number of digits
        of z that rounding may cost; inf for dependent rows, 1 without free rows. The computation takes
        n^3 operations and the dense matrix: for analysis after a failure.
        """
        p = self.problem
        free = np.flatnonzero((p.lower < self.z) & (self.z < p.upper))
        if free.size == 0:
            return 1.0
        scale = np.sqrt(np.abs(p.diagonal()[free]))
        scale[scale == 0.0] = 1.0
        sizes = np.linalg.svd(p.dense_A[np.ix_(free, free)] / np.outer(scale, scale), compute_uv=False)
        return float(sizes[0] / sizes[-1]) if sizes[-1] > 0.0 else float("inf")

    def worst_row(self) -> tuple[int | str, float]:
        """(name or index, residual) of the row with the largest natural residual."""
        rows = self.row_residuals()
        if rows.size == 0:
            return 0, 0.0
        i = int(np.argmax(rows))
        names = self.problem.row_names
        return (i if names is None else names[i]), float(rows[i])

    def __str__(self) -> str:
        return (
            f"{self.solver}: {self.status.name}, {self.problem.n} rows,"
            f" {self.iterations} iterations, natural residual {self.residual:.1e}"
        )


class MlcpNotSolved(RuntimeError):
    """Failed solve, with ``problem`` and ``solution`` for analysis."""

    def __init__(self, problem: AnyProblem, solution: Solution) -> None:
        row, value = solution.worst_row()
        super().__init__(
            f"{solution.solver}: {solution.status.value} (natural residual"
            f" {solution.residual:.2e}, tolerance {solution.tol:.0e}, worst row {row}"
            f" with {value:.2e}, {solution.iterations} iterations)"
        )
        self.problem = problem
        self.solution = solution

    @checked
    def dump(self, path: str | Path) -> Path:
        """Write the problem to a .npz file that ``mlcp.load`` reads back exactly."""
        from mlcp.dump import dump

        return dump(self.problem, path)

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are pickled by ``args``, which holds the message here, not problem and solution.
        return MlcpNotSolved, (self.problem, self.solution)


def row_residuals(problem: AnyProblem, z: np.ndarray) -> np.ndarray:
    """Natural residual of every row, relative to its size (see ``Solution.natural_residual``)."""
    residual = problem.row_residuals(z)
    return np.where(np.isnan(residual), np.inf, residual)


def natural_residual(problem: AnyProblem, z: np.ndarray) -> float:
    """Largest entry of ``row_residuals``."""
    return _largest(row_residuals(problem, z))


def _largest(values: np.ndarray) -> float:
    if np.any(np.isnan(values)):
        return float("inf")
    return float(np.max(values, initial=0.0))
