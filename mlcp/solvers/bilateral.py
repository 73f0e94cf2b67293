"""Eliminate the bilateral rows of a dense problem first: pivoting sees only the bounded ones.

With rows b without bounds and the others c,

    z_b = -A_bb^-1 (A_bc z_c + b_b),
    w_c = (A_cc - A_cb A_bb^-1 A_bc) z_c + b_c - A_cb A_bb^-1 b_b.

A_bb only has to be regular: it may be indefinite, as in circuits. A Schur complement of a
positive semidefinite matrix is positive semidefinite, one of a P-matrix a P-matrix.
"""

from __future__ import annotations

import warnings

import numpy as np

from mlcp.problem import MLCP


class Elimination:
    """Reduced problem of the bounded rows, and the recovery of the whole z."""

    def __init__(self, problem: MLCP) -> None:
        self.problem = problem
        free = np.isinf(problem.lower) & np.isinf(problem.upper)
        self.b: np.ndarray = np.flatnonzero(free)
        self.c: np.ndarray = np.flatnonzero(~free)
        self.reduced: MLCP | None = None
        A = problem.dense_A
        self._solve = _regular_factor(A[np.ix_(self.b, self.b)])
        if self._solve is None:
            return
        right = np.column_stack([A[np.ix_(self.b, self.c)], problem.b[self.b]])
        solved = self._solve(right)
        coupling = A[np.ix_(self.c, self.b)] @ solved
        S = A[np.ix_(self.c, self.c)] - coupling[:, :-1]
        if problem.symmetric:
            S = 0.5 * (S + S.T)
        self.reduced = MLCP(
            S, problem.b[self.c] - coupling[:, -1], problem.lower[self.c], problem.upper[self.c]
        )

    def back(self, z_c: np.ndarray) -> np.ndarray:
        """Return the whole z for the bounded rows' z, the bilateral rows with iterative refinement."""
        p = self.problem
        z = np.zeros(p.n)
        z[self.c] = z_c
        assert self._solve is not None
        for _ in range(3):
            z[self.b] -= self._solve(p.w(z)[self.b])
        return z


def _regular_factor(block: np.ndarray):
    """A function solving with the block, or None if it is close to singular."""
    from scipy.linalg import LinAlgWarning, lu_factor, lu_solve

    scale = np.sqrt(np.maximum(np.abs(block).max(axis=1), np.abs(block).max(axis=0)))
    if not np.all(scale > 0.0):
        return None
    unit = block / np.outer(scale, scale)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        lu, order = lu_factor(unit, check_finite=False)
    pivots = np.abs(np.diag(lu))
    if pivots.min() < 1e-7 * pivots.max():  # redundant rows: solved by pivoting on all rows
        return None

    def solve(right: np.ndarray) -> np.ndarray:
        scaled = right / (scale[:, None] if right.ndim == 2 else scale)
        x = lu_solve((lu, order), scaled, check_finite=False)
        return x / (scale[:, None] if right.ndim == 2 else scale)

    return solve
