"""The referee: the same problem handed to a convex-programming package. Loads cvxpy on first use.

For symmetric positive semidefinite A: minimise z'Az/2 + b'z over the box. Otherwise, with
A z + b = p - q, p, q >= 0, minimise the complementarity gap p'(z - lower) + q'(upper - z), which
is z'Az + b'z - lower'p + upper'q: convex whenever A + A' is positive semidefinite, and zero
exactly at a solution.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mlcp.problem import MLCP
from mlcp.solvers.base import Answer, Start, UnsuitableProblem
from mlcp.status import Status


@dataclass(frozen=True)
class Cvxpy:
    """The convex programme of the problem, solved by an interior-point method.

    Settings:
        backend: a solver that cvxpy knows and that takes quadratic objectives.
    """

    backend: str = "CLARABEL"

    name: ClassVar[str] = "cvxpy"
    exact: ClassVar[bool] = False
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = False
    needs: ClassVar[str] = "a positive semidefinite A, symmetric or not"
    tolerance: ClassVar[float] = 1e-6

    def answer(self, problem: MLCP, tol: float, start: Start) -> Answer:
        """Solve the convex programme; refuses an A that is not positive semidefinite."""
        import cvxpy as cp

        scale = np.sqrt(np.abs(problem.dense_A.diagonal()))
        scale[scale == 0.0] = 1.0
        A = problem.dense_A / np.outer(scale, scale)
        b = problem.b / scale
        beta = np.max(np.abs(b), initial=0.0) or 1.0
        b = b / beta
        lower, upper = problem.lower * scale / beta, problem.upper * scale / beta
        half = 0.5 * (A + A.T)
        smallest = np.linalg.eigvalsh(half)[0] if problem.n else 0.0
        if smallest < -1e-9 * max(1.0, np.abs(half).max()):
            raise UnsuitableProblem(
                "cvxpy needs a positive semidefinite A (z'Az >= 0 for every z); with a unit"
                f" diagonal the smallest eigenvalue of (A + A')/2 is {smallest:.2e}."
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
        programme = cp.Problem(cp.Minimize(objective), constraints)
        status = self._run(cp, programme)
        found = z.value
        answer = np.full(problem.n, np.nan) if found is None else found * beta / scale
        stats: Any = programme.solver_stats
        iterations = 0 if stats is None or stats.num_iters is None else int(stats.num_iters)
        return Answer(np.clip(answer, problem.lower, problem.upper), status, iterations)

    def _run(self, cp: Any, programme: Any) -> Status:
        options: dict[str, float] = {}
        if self.backend == "CLARABEL":
            options = dict(
                tol_gap_abs=1e-14, tol_gap_rel=1e-14, tol_feas=1e-13, max_iter=200,
                reduced_tol_gap_abs=1e-9, reduced_tol_gap_rel=1e-9, reduced_tol_feas=1e-9,
            )  # fmt: skip
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "may be inaccurate": the residual tells
                programme.solve(solver=self.backend, **options)
        except cp.error.SolverError:
            return Status.BACKEND_FAILED
        if programme.status in ("optimal", "optimal_inaccurate"):
            return Status.SOLVED
        return Status.BACKEND_FAILED
