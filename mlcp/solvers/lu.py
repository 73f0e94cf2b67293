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
