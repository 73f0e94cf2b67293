"""Semismooth Newton: a few linear solves, each with the active set predicted by z - w / a_ii."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.kinds import checked
from mlcp.problem import MLCP
from mlcp.solvers import base
from mlcp.solvers.newton_large import solve_newton
from mlcp.status import Status


@dataclass(frozen=True)
@checked
class SemismoothNewton:
    """Newton's method on the natural map, globalised by the Fischer-Burmeister merit function.

    Settings:
        max_iterations: limit on the Newton steps.
        large: smallest number of rows at which LAPACK or a sparse factor replaces the compiled kernel.
        time_limit: largest time of a solve [s].

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    max_iterations: base.Count = 200
    large: base.Count = 100
    time_limit: base.TimeLimit = base.TIME_LIMIT

    name: ClassVar[str] = "newton"
    exact: ClassVar[bool] = False
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = True
    needs: ClassVar[str] = "a P-matrix for certain convergence; often works for semidefinite A"
    tolerance: ClassVar[float] = 1e-10
    in_a_step: ClassVar[base.KernelSettings] = base.KernelSettings(100)

    @property
    def kernel_settings(self) -> base.KernelSettings:
        """Settings of this solver in a compiled time step."""
        return base.KernelSettings(self.max_iterations, time_limit=self.time_limit)

    @checked.bare
    def answer(self, problem: MLCP, tol: float, start: base.Start) -> base.Answer:
        """Iterate until the natural residual is below ``tol``."""
        from mlcp.kernels.dense_calls import NewtonWork, run_newton

        z, end, n = base.start_point(problem, start), base.deadline(self.time_limit), problem.n
        if n >= self.large:
            formed = problem.formed() if isinstance(problem, StructuredMLCP) else problem
            return solve_newton(formed, tol, z, self.max_iterations, end)
        code, iterations, residual = run_newton(
            (problem.dense_A, problem.b, problem.lower, problem.upper),
            z,
            np.empty(NewtonWork.length(n)),
            (float(tol), int(min(self.max_iterations, 2**62)), end),
        )
        if residual <= tol:
            return base.Answer(z, Status.SOLVED, iterations)
        if not np.all(np.isfinite(z)):
            return base.Answer(z, Status.NOT_A_NUMBER, iterations)
        ended = iterations < self.max_iterations and base.has_passed(end)
        status = Status.TIME_LIMIT if ended else Status.ITERATION_LIMIT
        return base.Answer(z, status, iterations, extras={"code": code})
