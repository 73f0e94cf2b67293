"""Dense elimination that skips zeros, used inside other simulation codes, against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact.hosts.kernels import algebra


def random_matrix(n, seed, density=0.2):
    random = np.random.default_rng(seed)
    filled = random.random((n, n)) < density
    values = np.where(filled, random.normal(size=(n, n)), 0.0)
    M = values + values.T
    return M + np.eye(n) * (1.0 + np.abs(M).sum(axis=1))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_factor_and_solve_are_those_of_the_dense_matrix(n, seed):
    M, b = random_matrix(n, seed), np.random.default_rng(seed).normal(size=(n, 3))
    b[n // 2 :] = 0.0  # zero rows of the right side, which ``solve_rows`` skips
    H, X = np.tril(M), b.copy()
    assert algebra.factor(H, n, False) == -1
    algebra.solve_rows(H, n, X, 3)
    assert pytest.approx(np.linalg.solve(M, b), abs=1e-12) == X


def test_a_tree_is_eliminated_without_fill():
    parent = [-1, 0, 1, 2, 1, 4, 0, 6]
    M = 10.0 * np.eye(8)
    for k, up in enumerate(parent):
        while up >= 0:
            M[k, up], up = 1.0, parent[up]
    H = M.copy()
    assert algebra.factor(H, 8, False) == -1
    assert np.array_equal(H != 0.0, M != 0.0)


def test_a_pivot_that_is_not_positive_is_named():
    M = random_matrix(6, 3)
    M[4, 4] = -1.0
    assert algebra.factor(np.tril(M), 6, False) == 4


def test_a_freedom_without_mass_is_held_where_asked():
    """On request an unknown without a positive pivot is fixed at zero; the others are solved."""
    M, X = random_matrix(6, 3), np.eye(6)
    M[4, 4] = -1.0
    H = np.tril(M)
    assert algebra.factor(H, 6, True) == -1
    algebra.solve_rows(H, 6, X, 6)
    rest = [k for k in range(6) if k != 4]
    assert X[np.ix_(rest, rest)] == pytest.approx(np.linalg.inv(M[np.ix_(rest, rest)]), abs=1e-12)
    assert np.all(X[4] == 0.0)
