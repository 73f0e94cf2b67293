"""Clean-up of round-off in an answer: z set to bounds and zeros, a second solve, tests of correctness.

If z is 1e6 times b or more, rounding z alone costs the tolerance. An answer that solves the problem up
to this rounding is reported as INACCURATE, not as INFEASIBLE.
"""

from __future__ import annotations

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.problem import MLCP
from mlcp.solution import natural_residual
from mlcp.solvers.base import Answer
from mlcp.solvers.lu import solver_of_rows
from mlcp.status import Status

SUFFICIENT_RESIDUAL = 1e-14  # answers with at most this residual are not improved
# Largest number of Gauss-Seidel sweeps, which are tried up to a residual of SWEPT_RESIDUAL tolerances
MAX_SWEEPS, SWEPT_RESIDUAL = 20, 30.0


def cleaned(problem: MLCP | StructuredMLCP, z: np.ndarray) -> np.ndarray:
    """Clip z to the bounds, and clean it, except of a StructuredMLCP, if this reduces the residual.

    Cleaning sets z_i at most |w_i / a_ii| from the bound towards which w_i presses to this bound, and z
    without effect on any w to zero.
    """
    p, z = problem, np.clip(z, problem.lower, problem.upper)
    if isinstance(p, StructuredMLCP):
        return z
    with np.errstate(all="ignore"):
        own = np.abs(p.diagonal())
        far = p.w(z) / np.where(own == 0.0, 1.0, own)
        tried = np.where((far > 0.0) & (z - p.lower <= far) & (own > 0.0), p.lower, z)
        tried = np.where((far < 0.0) & (p.upper - tried <= -far) & (own > 0.0), p.upper, tried)
    tried = np.where((p.residuals_and_reach(tried)[1] == 0.0) & (p.b == 0.0), 0.0, tried)
    return tried if natural_residual(p, tried) < natural_residual(p, z) else z


def only_rounded(problem: MLCP, z: np.ndarray) -> bool:
    """True if z solves the problem up to the rounding of each row's terms."""
    p = problem
    if not np.all(np.isfinite(z)):
        return False
    scale = np.sqrt(np.abs(p.diagonal()))
    scale[scale == 0.0] = 1.0
    with np.errstate(all="ignore"):
        # an answer with a larger |z|, in rows of unit diagonal, has diverged
        most = 1e11 * np.max(np.abs(p.b) / scale, initial=0.0)
        if not np.max(np.abs(z) * scale, initial=0.0) <= most:
            return False
        w = p.w(z)
        fine = ((z == p.lower) & (w >= 0.0)) | ((z == p.upper) & (w <= 0.0))
        terms = np.asarray(abs(p.A) @ np.abs(z)).ravel() + np.abs(p.b)
    # bound of the round-off of w: 32 units of the last place of the sum of its terms' absolute values
    return bool(np.all(fine | (np.abs(w) <= 32.0 * np.finfo(float).eps * terms)))


def refined(problem: MLCP, z: np.ndarray) -> np.ndarray:
    """Solve w = 0 again in the rows inside their bounds, by a new factorisation with refinement; return
    z unchanged if this does not reduce the residual."""
    p, best, least = problem, z, natural_residual(problem, z)
    free = np.flatnonzero((p.lower < z) & (z < p.upper))
    solve, tried = solver_of_rows(p.A, free), z.copy()
    for _again in range(4 if solve is not None and least > SUFFICIENT_RESIDUAL else 0):
        with np.errstate(all="ignore"):
            tried[free] -= solve(p.w(tried)[free])  # type: ignore[misc]
            inside = np.clip(tried, p.lower, p.upper)
        reached = natural_residual(p, inside)
        if reached < least:
            best, least = inside, reached
    return best


def swept_rows(problem: MLCP, z: np.ndarray, tol: float) -> np.ndarray:
    """Sweep over the free rows by Gauss-Seidel, solving w_i = 0 to the last digit of z_i; return z."""
    p, a = problem, problem.diagonal()
    free = np.flatnonzero((p.lower < z) & (z < p.upper) & (a > 0.0))
    best, least = z, natural_residual(p, z)
    tried = z.copy()
    for sweep in range(MAX_SWEEPS):
        for i in free if sweep % 2 == 0 else free[::-1]:
            row = p.A[[i]] if p.sparse else p.A[i]
            w = float(np.asarray(row @ tried).ravel()[0] if p.sparse else row @ tried) + p.b[i]
            tried[i] = min(max(tried[i] - w / a[i], p.lower[i]), p.upper[i])
        reached = natural_residual(p, tried)
        if reached < least:
            best, least = tried.copy(), reached
        if least <= tol:
            break
    return best


def with_checked_status(problem: MLCP, answer: Answer, tol: float) -> Answer:
    """Correct the status of an unsolved answer.
    SOLVED if another solve of the free rows succeeds; INACCURATE if z solves the problem up to rounding;
    for a P-matrix, which always has a solution, ITERATION_LIMIT in place of INFEASIBLE.
    """
    z = refined(problem, np.clip(answer.z, problem.lower, problem.upper))
    if natural_residual(problem, z) <= tol:
        return answer._replace(z=z, status=Status.SOLVED, active=None)
    if only_rounded(problem, z):
        if natural_residual(problem, z) <= SWEPT_RESIDUAL * tol:
            z = swept_rows(problem, z, tol)
            if natural_residual(problem, z) <= tol:
                return answer._replace(z=z, status=Status.SOLVED, active=None)
        return answer._replace(z=z, status=Status.INACCURATE, active=None)
    if answer.status is Status.INFEASIBLE and problem.matrix_class == "P":
        return answer._replace(z=z, status=Status.ITERATION_LIMIT, active=None)
    return answer
