"""Interior points with a sparse L D L', for an A that becomes symmetric by signs of its rows."""

from __future__ import annotations

import numpy as np

from mlcp.kernels.codes import ITERATION_LIMIT
from mlcp.problem import MLCP
from mlcp.solution import natural_residual
from mlcp.solvers.base import STATUS, Answer


def interior_points(
    problem: MLCP, tol: float, end: float
) -> tuple[int, float, int, np.ndarray, np.ndarray]:
    """Solve by interior points (``sparse_interior``); return (code, natural residual, steps, z, w).

    The residual is inf if no signs of the rows make A symmetric.
    """
    from mlcp.kernels.sparse import sparse_entry as kernels

    p, n, many = problem, problem.n, len(problem.csr[2])
    given = *p.csr, p.b, p.lower, p.upper
    ints = np.empty(kernels.sparse_ints(n, many), np.int64)
    floats, w = np.empty(kernels.sparse_floats(n, many)), np.empty(n)
    z = np.clip(np.zeros(n), p.lower, p.upper)
    filled = kernels.run_sparse_order(given, ints, floats)
    if filled < 0:
        return ITERATION_LIMIT, np.inf, 0, z, w
    factor = np.empty(filled, np.int64), np.empty(filled)
    code, steps, residual = kernels.run_sparse_interior(given, ints, floats, factor, (z, w), (tol, end))
    return code, residual, steps, z, w


def sparse(problem: MLCP, tol: float, end: float) -> Answer:
    """Answer of ``interior_points``; close to ``tol`` the residual is computed from the dense A."""
    code, residual, steps, z, _w = interior_points(problem, tol, end)
    if not problem.sparse and 0.1 * tol < residual <= tol < natural_residual(problem, z):
        code = ITERATION_LIMIT
    return Answer(z, STATUS[code], steps)
