"""Reference solver: the problem as a convex programme for cvxpy, imported at the first use.

For symmetric positive semidefinite A: minimise z'Az/2 + b'z over the box. Otherwise, with
A z + b = p - q, p, q >= 0, minimise the complementarity gap p'(z - lower) + q'(upper - z), which
is z'Az + b'z - lower'p + upper'q: convex whenever A + A' is positive semidefinite, and zero
exactly at a solution.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.kinds import checked
from mlcp.problem import MLCP
from mlcp.semidefinite import semidefinite
from mlcp.solvers.base import TIME_LIMIT, Answer, Start, TimeLimit, UnsuitableProblem, package
from mlcp.solvers.scaled import UnitRows
from mlcp.status import Status


@dataclass(frozen=True)
@checked
class Cvxpy:
    """Solver of the problem's convex programme by an interior-point method.

    Settings:
        backend: a solver of cvxpy for quadratic objectives.
        time_limit: largest time of a solve [s]; only the backend CLARABEL observes it.

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    backend: str = "CLARABEL"
    time_limit: TimeLimit = TIME_LIMIT

    name: ClassVar[str] = "cvxpy"
    exact: ClassVar[bool] = False
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = False
    needs: ClassVar[str] = "a positive semidefinite A, symmetric or not"
    tolerance: ClassVar[float] = 1e-6

    @checked.bare
    def answer(self, problem: MLCP, tol: float, start: Start) -> Answer:
        """Solve the convex programme; refuse an A that is not positive semidefinite."""
        cp = package("cvxpy")

        if problem.n == 0:
            return Answer(np.zeros(0), Status.SOLVED, 0)
        if isinstance(problem, StructuredMLCP):
            problem = problem.formed()
        rows = UnitRows(problem)
        A, b, lower, upper = rows.A, rows.b, rows.lower, rows.upper
        if not (np.all(np.isfinite(b)) and np.isfinite(abs(A).sum())):
            return Answer(np.full(problem.n, np.nan), Status.NOT_A_NUMBER, 0)
        half = 0.5 * (A + A.T)
        if not semidefinite(half, 1e-9 * max(1.0, float(abs(half).max()))):
            raise UnsuitableProblem(
                "cvxpy needs a positive semidefinite A (z'Az >= 0 for every z); with a unit"
                " diagonal (A + A')/2 has an eigenvalue below -1e-9."
            )
        z = cp.Variable(problem.n)
        below, above = np.isfinite(lower), np.isfinite(upper)
        constraints = [z[below] >= lower[below], z[above] <= upper[above]]
        quadratic = cp.quad_form(z, cp.psd_wrap(half))
        if problem.symmetric:
            objective = 0.5 * quadratic + b @ z
        else:
            p, q = cp.Variable(problem.n, nonneg=True), cp.Variable(problem.n, nonneg=True)
            constraints += [A @ z + b == p - q, p[~below] == 0, q[~above] == 0]
            objective = quadratic + b @ z - lower[below] @ p[below] + upper[above] @ q[above]
        programme = cp.Problem(cp.Minimize(objective), [*constraints])
        status = self._run(cp, programme)
        found = z.value
        answer = np.full(problem.n, np.nan) if found is None else rows.back(found)
        stats: Any = programme.solver_stats
        iterations = 0 if stats is None or stats.num_iters is None else int(stats.num_iters)
        return Answer(np.clip(answer, problem.lower, problem.upper), status, iterations)

    def _run(self, cp: Any, programme: Any) -> Status:
        tight = dict(
            tol_gap_abs=1e-14, tol_gap_rel=1e-14, tol_feas=1e-13, max_iter=200,
            reduced_tol_gap_abs=1e-9, reduced_tol_gap_rel=1e-9, reduced_tol_feas=1e-9,
        )  # fmt: skip
        status, start = Status.BACKEND_FAILED, time.perf_counter()
        for options in (tight, {}) if self.backend == "CLARABEL" else ({},):
            if self.backend == "CLARABEL":
                left = self.time_limit - (time.perf_counter() - start)
                options = {**options, "time_limit": max(left, 1e-3)}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # "solution may be inaccurate": ``solve`` checks it
                    programme.solve(solver=self.backend, warm_start=False, **options)
            except cp.error.SolverError:
                continue
            if programme.status in ("optimal", "optimal_inaccurate"):
                return Status.SOLVED
            if programme.status == "user_limit":
                used = float(programme.solver_stats.solve_time or 0.0)
                return Status.TIME_LIMIT if used >= 0.9 * self.time_limit else Status.ITERATION_LIMIT
        return status
