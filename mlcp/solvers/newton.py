"""Semismooth Newton: a few linear solves, each with an active set guessed from the residual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mlcp.problem import MLCP
from mlcp.solvers.base import Answer, Start, setting, start_point
from mlcp.status import Status


@dataclass(frozen=True)
class SemismoothNewton:
    """Newton on the natural map, globalised by the Fischer-Burmeister merit function.

    Settings:
        max_iterations: limit on the Newton steps.
    """

    max_iterations: int = 200

    name: ClassVar[str] = "newton"
    exact: ClassVar[bool] = False
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = True
    needs: ClassVar[str] = "a P-matrix for certain convergence; often works for semidefinite A"
    tolerance: ClassVar[float] = 1e-10

    def __post_init__(self) -> None:
        setting("SemismoothNewton", "max_iterations", self.max_iterations, 0, float("inf"))

    def answer(self, problem: MLCP, tol: float, start: Start) -> Answer:
        """Iterate until the scaled natural residual is below ``tol``."""
        from mlcp.kernels.entry import run_newton

        z = start_point(problem, start)
        n = problem.n
        work = np.empty(2 * n * n + 9 * n)
        code, iterations, residual = run_newton(
            problem.dense_A, problem.b, problem.lower, problem.upper, z,
            float(tol), int(self.max_iterations), work,
        )  # fmt: skip
        if residual <= tol:
            return Answer(z, Status.SOLVED, iterations)
        if not np.all(np.isfinite(z)):
            return Answer(z, Status.NOT_A_NUMBER, iterations)
        return Answer(z, Status.ITERATION_LIMIT, iterations, extras={"code": code})
