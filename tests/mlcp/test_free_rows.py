"""Elimination of free rows finds those that depend on others, and sets their unknowns to zero."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mlcp.kernels.free_rows import FreeWork, factor_free_matrix, solve_eliminated


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 4), st.integers(0, 3))
def test_dependent_rows_come_last_and_keep_zero(seed, rank, dependent, bounded):
    """Elimination of a semidefinite matrix finds its rank, puts dependent rows last, solves A x = b."""
    random = np.random.default_rng(seed)
    f = rank + dependent
    n = f + bounded
    J = random.normal(size=(n, rank))
    copies = random.permutation(f)[:dependent]
    others = np.setdiff1d(np.arange(f), copies)
    J[others] += 3.0 * np.eye(rank)
    J[copies] = J[random.choice(others, dependent)] * random.choice([-1.0, 1.0, 2.0], (dependent, 1))
    A = J @ J.T
    W = FreeWork(np.zeros(FreeWork.length(n)), n)
    W.diagonal[:] = np.diag(A)
    W.order[:f] = np.arange(f)
    assert factor_free_matrix.py_func(A, f, W) == rank
    order = np.array(W.order[:f], int)
    assert sorted(order) == list(range(f))
    right = A[:f, :f] @ random.normal(size=f)
    W.x[:f] = right[order]
    solve_eliminated.py_func(f, rank, W)
    x = np.array(W.x[:f])
    assert np.all(x[rank:] == 0.0)
    solution = np.zeros(f)
    solution[order] = x
    assert np.abs(A[:f, :f] @ solution - right).max() < 1e-8 * (1.0 + np.abs(right).max())
