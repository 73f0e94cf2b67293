"""Test of a matrix, dense or sparse, for positive semidefiniteness, after scaling to a unit diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_DENSE_ROWS = 500  # most rows of a sparse matrix that is tested as a dense one


def scaled_matrix(A: Any, scale: np.ndarray) -> Any:
    """Scale A to a unit diagonal, ``a_ij / (s_i s_j)``, with s_i = sqrt |a_ii| in ``scale`` (n,)."""
    if not hasattr(A, "nnz"):
        return A / scale[:, None] / scale
    import scipy.sparse as sp

    inverse = sp.diags(1.0 / scale)
    return (inverse @ A @ inverse).tocsr()


def semidefinite(symmetric: Any, tolerance: float) -> bool:
    """True if a symmetric matrix with a unit diagonal has no eigenvalue below -tolerance.

    The matrix plus ``tolerance`` times the identity is factored: positive pivots exist only for a
    positive definite matrix.
    """
    n = symmetric.shape[0]
    if not hasattr(symmetric, "nnz") or n <= MOST_DENSE_ROWS:
        dense = symmetric.toarray() if hasattr(symmetric, "nnz") else symmetric
        try:
            factor = np.linalg.cholesky(dense + tolerance * np.eye(n))
        except np.linalg.LinAlgError:
            return False
        return bool(np.all(np.diagonal(factor) > 0.0))  # False for NaN
    import scipy.sparse as sp
    from scipy.sparse.linalg import splu

    try:
        factors = splu(
            (symmetric + tolerance * sp.eye(n)).tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options=dict(SymmetricMode=True),
        )
    except RuntimeError:
        return False
    return bool(np.all(factors.U.diagonal() > 0.0) and np.array_equal(factors.perm_r, factors.perm_c))
