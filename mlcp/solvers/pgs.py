"""Projected Gauss-Seidel with relaxation: cheap sweeps, slow with redundant rows or large mass
ratios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.kinds import Range, checked
from mlcp.problem import MLCP
from mlcp.solvers import base
from mlcp.status import Status


@dataclass(frozen=True)
@checked
class ProjectedGaussSeidel:
    """Projected Gauss-Seidel: z_i <- clip(z_i - relaxation (A z + b)_i / a_ii, lower_i, upper_i).

    Settings:
        relaxation: in (0, 2), 1 is plain Gauss-Seidel.
        symmetric: sweep forward and backward; the result depends less on the order of the rows.
        max_sweeps: limit on the sweeps.
        time_limit: largest time of a solve [s].

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    relaxation: Annotated[float, Range(0.0, 2.0, open_low=True, open_high=True)] = 1.0
    symmetric: bool = False
    max_sweeps: base.Count = 20_000
    time_limit: base.TimeLimit = base.TIME_LIMIT

    name: ClassVar[str] = "pgs"
    exact: ClassVar[bool] = False
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = True
    needs: ClassVar[str] = "a positive diagonal; converges for symmetric positive definite A"
    tolerance: ClassVar[float] = 1e-10
    in_a_step: ClassVar[base.KernelSettings] = base.KernelSettings(5000, symmetric=True)

    @property
    def kernel_settings(self) -> base.KernelSettings:
        """Settings of this solver in a compiled time step."""
        return base.KernelSettings(self.max_sweeps, self.relaxation, self.symmetric, self.time_limit)

    @checked.bare
    def answer(self, problem: MLCP, tol: float, start: base.Start) -> base.Answer:
        """Sweep until the natural residual is below ``tol``."""
        from mlcp.kernels.dense_calls import SizeWork, run_pgs, run_sparse_pgs

        z, end = base.start_point(problem, start), base.deadline(self.time_limit)
        vectors, work = (problem.b, problem.lower, problem.upper), np.empty(SizeWork.length(problem.n))
        limits = float(tol), int(min(self.max_sweeps, 2**62)), end
        rest = z, work, limits, float(self.relaxation), bool(self.symmetric)
        if problem.sparse and not isinstance(problem, StructuredMLCP):
            sweeps, residual = run_sparse_pgs((*problem.csr, *vectors), *rest)
        else:
            sweeps, residual = run_pgs((problem.dense_A, *vectors), *rest)
        if residual <= tol:
            return base.Answer(z, Status.SOLVED, sweeps)
        ended = sweeps < self.max_sweeps and base.has_passed(end)
        return base.Answer(z, Status.TIME_LIMIT if ended else Status.ITERATION_LIMIT, sweeps)
