"""Problem scaled to rows of unit diagonal and max |b| = 1, dense or sparse, for the solvers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcp.problem import MLCP
from mlcp.semidefinite import scaled_matrix


class UnitRows:
    """Scaled problem w = A x + b: A_ij = a_ij / (s_i s_j), x_i = z_i s_i / beta, b_i / (s_i beta).

    s_i = sqrt |a_ii|, or 1 for a zero diagonal; beta = max |b_i| / s_i, or 1 for a zero b. beta has
    no part in the natural residual (``mlcp.kernels.residual``).
    """

    def __init__(self, problem: MLCP) -> None:
        p = problem
        scale = np.sqrt(np.abs(p.diagonal()))
        scale[scale == 0.0] = 1.0
        with np.errstate(all="ignore"):
            beta = float(np.max(np.abs(p.b) / scale, initial=0.0))
            if not 0.0 < beta < np.inf:
                beta = 1.0
            self.n: int = p.n
            self.sparse: bool = hasattr(p.A, "nnz")
            self.A: Any = scaled_matrix(p.A, scale)
            self.b: np.ndarray = p.b / scale / beta
            self.lower: np.ndarray = p.lower * scale / beta
            self.upper: np.ndarray = p.upper * scale / beta
        self._size: np.ndarray = scale
        self._beta: float = beta

    def into(self, z: np.ndarray) -> np.ndarray:
        """Scale z to x."""
        return z * self._size / self._beta

    def back(self, x: np.ndarray) -> np.ndarray:
        """Scale x back to z."""
        return x * self._beta / self._size

    def w(self, x: np.ndarray) -> np.ndarray:
        """w = A x + b of the scaled problem."""
        return np.asarray(self.A @ x).ravel() + self.b

    def block(self, rows: np.ndarray) -> Any:
        """Scaled matrix A of some rows and the same columns."""
        return self.A[rows][:, rows] if self.sparse else self.A[np.ix_(rows, rows)]

    def mixed(self, d_z: np.ndarray, d_w: np.ndarray) -> Any:
        """Matrix diag(d_z) + diag(d_w) A with the scaled A, dense or sparse."""
        if not self.sparse:
            return np.diag(d_z) + d_w[:, None] * self.A
        import scipy.sparse as sp

        return (sp.diags(d_z) + sp.diags(d_w) @ self.A).tocsr()
