"""Projected Gauss-Seidel with relaxation: cheap sweeps, slow on redundant rows and mass ratios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlcp.problem import MLCP
from mlcp.solvers.base import Answer, Start, setting, start_point
from mlcp.status import Status


@dataclass(frozen=True)
class ProjectedGaussSeidel:
    """z_i <- clip(z_i - relaxation (A z + b)_i / a_ii, lower_i, upper_i), row after row.

    Settings:
        relaxation: in (0, 2), 1 is plain Gauss-Seidel.
        symmetric: sweep forth and back; the result depends less on the order of the rows.
        max_sweeps: limit on the sweeps.
    """

    relaxation: float = 1.0
    symmetric: bool = False
    max_sweeps: int = 20_000

    name: ClassVar[str] = "pgs"
    exact: ClassVar[bool] = False
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = True
    needs: ClassVar[str] = "a positive diagonal; converges for symmetric positive definite A"
    tolerance: ClassVar[float] = 1e-10

    def __post_init__(self) -> None:
        setting("ProjectedGaussSeidel", "relaxation", self.relaxation, 0.0, 2.0)
        setting("ProjectedGaussSeidel", "max_sweeps", self.max_sweeps, 0, float("inf"))

    def answer(self, problem: MLCP, tol: float, start: Start) -> Answer:
        """Sweep until the scaled natural residual is below ``tol``."""
        from mlcp.kernels.entry import run_pgs

        z = start_point(problem, start)
        sweeps, residual = run_pgs(
            problem.dense_A, problem.b, problem.lower, problem.upper, z,
            float(self.relaxation), bool(self.symmetric), float(tol), int(self.max_sweeps),
        )  # fmt: skip
        status = Status.SOLVED if residual <= tol else Status.ITERATION_LIMIT
        return Answer(z, status, sweeps)
