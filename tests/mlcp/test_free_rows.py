"""Elimination of free rows some of which depend on others."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mlcp.kernels.free_rows import FreeWork, eliminate, solve_eliminated


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 4), st.integers(0, 3))
def test_the_upper_triangle_alone_leads_to_the_same_pivots(seed, rank, dependent, bounded):
    """Semidefinite, dependent rows anywhere: rank, order and solution are those of both triangles."""
    random = np.random.default_rng(seed)
    f = rank + dependent
    n = f + bounded
    J = random.normal(size=(n, rank))
    copies = random.permutation(f)[:dependent]
    others = np.setdiff1d(np.arange(f), copies)
    J[others] += 3.0 * np.eye(rank)
    J[copies] = J[random.choice(others, dependent)] * random.choice([-1.0, 1.0, 2.0], (dependent, 1))
    A = J @ J.T
    A = 0.5 * (A + A.T)
    found = []
    for symmetric in (True, False):
        W = FreeWork(np.zeros(FreeWork.length(n)), n)
        W.diagonal[:] = np.diag(A)
        W.order[:f] = np.arange(f)
        got = eliminate.py_func(A, f, W, 0.0, symmetric)
        right = A[np.ix_(range(f), range(f))] @ random.normal(size=f) if not found else found[0][3]
        order = np.array(W.order[:f], int)
        W.x[:f] = right[order]
        solve_eliminated.py_func(f, got, W)
        found.append((got, order, np.array(W.x[:f]), right))
    (one, order, x, right), (other, again, y, _) = found
    assert one == other == rank
    assert np.array_equal(order, again)
    assert np.abs(x - y).max() < 1e-8 * (1.0 + np.abs(y).max())
    solution = np.zeros(f)
    solution[order] = x
    assert np.abs(A[:f, :f] @ solution - right).max() < 1e-8 * (1.0 + np.abs(right).max())
