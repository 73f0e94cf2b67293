"""Interior points with a sparse L D L', for an A that becomes symmetric by signs of its rows."""

from __future__ import annotations

import numpy as np

from mlcp.kernels.codes import ITERATION_LIMIT
from mlcp.problem import MLCP
from mlcp.solution import natural_residual
from mlcp.solvers.base import STATUS, Answer


def elimination_order(start: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Minimum-degree order (n,) of a symmetric pattern, given by rows without its diagonal.

    SuperLU chooses the order before it factors; here it drops every entry off the diagonal.
    """
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import spilu

    n, row = len(start) - 1, np.arange(len(start) - 1)
    rows = np.repeat(row, np.diff(start))
    bandwidth = int(np.max(np.abs(rows - column), initial=0))
    # L is nearly full in any order, or a band of the present order that hardly has more entries than A
    if len(column) > 0.1 * n * n or n * bandwidth <= len(column):
        return row
    own = start[:-1] + np.bincount(rows[column < rows], minlength=n)  # places of the diagonal
    values = np.full(len(column) + n, -1.0)
    values[own + row] = 2.0 * n  # largest of its column: the pivots stay on the diagonal
    A = csc_matrix((values, np.insert(column, own, row), start + np.arange(n + 1)), shape=(n, n))
    options = {"SymmetricMode": True}
    found = spilu(A, np.inf, 1.0, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    return np.argsort(found.perm_c)


def interior_points(
    problem: MLCP, tol: float, end: float
) -> tuple[int, float, int, np.ndarray, np.ndarray]:
    """Solve by interior points (``sparse_interior``); return (code, natural residual, steps, z, w).

    The residual is inf if no signs of the rows make A symmetric.
    """
    from mlcp.kernels.sparse import sparse_entry as kernels

    p, n, many = problem, problem.n, len(problem.csr[2])
    given = *p.csr, p.b, p.lower, p.upper
    ints = np.empty(kernels.SparseInts.length(n, many), np.int64)
    floats, w = np.empty(kernels.SparseFloats.length(n, many)), np.empty(n)
    z = np.clip(np.zeros(n), p.lower, p.upper)
    entries = kernels.run_sparse_signs(given, ints, floats)
    if entries < 0:
        return ITERATION_LIMIT, np.inf, 0, z, w
    pattern = kernels.SparseInts(ints, n, many)
    order = elimination_order(pattern.start, pattern.column[:entries])
    filled = kernels.run_sparse_tree(many, order, ints, floats)
    factor = np.empty(filled, np.int64), np.empty(filled)
    code, steps, residual = kernels.run_sparse_interior(given, ints, floats, factor, (z, w), (tol, end))
    return code, residual, steps, z, w


def sparse(problem: MLCP, tol: float, end: float) -> Answer:
    """Answer of ``interior_points``; close to ``tol`` the residual is computed from the dense A."""
    code, residual, steps, z, _w = interior_points(problem, tol, end)
    if not problem.sparse and 0.1 * tol < residual <= tol < natural_residual(problem, z):
        code = ITERATION_LIMIT
    return Answer(z, STATUS[code], steps)
