"""SciPy's LU factorisations of a dense or sparse matrix, behind one function."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


def factored(matrix: Any) -> Callable[[np.ndarray], np.ndarray] | None:
    """Make a function that solves with a dense or sparse matrix; None for a nearly singular matrix."""
    if hasattr(matrix, "nnz"):
        from scipy.sparse.linalg import splu

        try:
            return splu(matrix.tocsc()).solve
        except (RuntimeError, ValueError):
            return None
    from scipy.linalg import LinAlgWarning, lu_factor, lu_solve

    if not np.all(np.isfinite(matrix)):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        factor = lu_factor(matrix, check_finite=False)
    if not np.min(np.abs(np.diag(factor[0]))) > 1e-14:
        return None
    return lambda right: lu_solve(factor, right, check_finite=False)


def solver_of_rows(A: Any, rows: np.ndarray) -> Callable[[np.ndarray], np.ndarray] | None:
    """Make a function that solves with the matrix of some rows and the same columns, for one or several
    right-hand sides; None without rows or for a nearly singular matrix.

    A dense matrix is first scaled to largest entries of 1 in its rows, then in its columns.
    """
    if rows.size == 0 or hasattr(A, "nnz"):
        return factored(A[rows][:, rows]) if rows.size else None
    block = A[np.ix_(rows, rows)]
    high = np.max(np.abs(block), axis=1)
    high[high == 0.0] = 1.0
    block = block / high[:, None]
    wide = np.max(np.abs(block), axis=0)
    wide[wide == 0.0] = 1.0
    solve = factored(block / wide)
    return None if solve is None else lambda right: (solve((right.T / high).T).T / wide).T
