"""Sparse elimination with a known pattern, against dense algebra."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact.hosts.kernels import elimination
from contact.hosts.pattern import Pattern


def random_matrix(n, seed, density=0.2):
    random = np.random.default_rng(seed)
    filled = random.random((n, n)) < density
    filled |= filled.T
    np.fill_diagonal(filled, True)
    values = np.where(filled, random.normal(size=(n, n)), 0.0)
    M = values + values.T
    return filled, M + np.eye(n) * (1.0 + np.abs(M).sum(axis=1))


def stored(pattern, M):
    V = np.zeros(pattern.size)
    V[pattern.slot] = np.where(pattern.slot == pattern.size - 1, 0.0, M)
    V[-1] = 0.0
    return V


def eliminate(V, pattern, held=False):
    n = len(pattern.order)
    return elimination.eliminate.py_func(
        V, n, pattern.first, pattern.row, pattern.start, pattern.into, np.zeros(n), held
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_factor_and_solve_are_those_of_the_dense_matrix(n, seed):
    filled, M = random_matrix(n, seed)
    pattern = Pattern(filled)
    V, Y = stored(pattern, M), np.random.default_rng(seed).normal(size=(n, 3))
    b = np.empty_like(Y)
    b[pattern.order] = Y
    code = eliminate(V, pattern)
    assert code == -1
    elimination.forward.py_func(V, n, pattern.first, pattern.row, Y, 3)
    Y *= V[:n, None]
    elimination.backward.py_func(V, n, pattern.first, pattern.row, Y, 3)
    x = np.empty_like(Y)
    x[pattern.order] = Y
    assert x == pytest.approx(np.linalg.solve(M, b), abs=1e-12)


def test_a_tree_is_eliminated_without_fill():
    parent = [-1, 0, 1, 2, 1, 4, 0, 6]
    filled = np.eye(8, dtype=bool)
    for k, up in enumerate(parent):
        while up >= 0:
            filled[k, up], up = True, parent[up]
    assert Pattern(filled).size == np.count_nonzero(filled) + 1


def test_a_pivot_that_is_not_positive_is_named():
    filled, M = random_matrix(6, 3)
    pattern = Pattern(filled)
    M[4, 4] = -1.0
    code = eliminate(stored(pattern, M), pattern)
    assert pattern.order[code] == 4


def test_a_freedom_without_mass_is_held_where_asked():
    """The others move as if it were not there."""
    filled, M = random_matrix(6, 3)
    pattern = Pattern(filled)
    M[4, 4] = -1.0
    V, Y = stored(pattern, M), np.eye(6)[pattern.order]
    assert eliminate(V, pattern, held=True) == -1
    assert V[np.flatnonzero(pattern.order == 4)[0]] == 0.0
    elimination.forward.py_func(V, 6, pattern.first, pattern.row, Y, 6)
    Y *= V[:6, None]
    elimination.backward.py_func(V, 6, pattern.first, pattern.row, Y, 6)
    x = np.empty_like(Y)
    x[pattern.order] = Y
    rest = [k for k in range(6) if k != 4]
    assert x[np.ix_(rest, rest)] == pytest.approx(np.linalg.inv(M[np.ix_(rest, rest)]), abs=1e-12)
    assert np.all(x[4] == 0.0)
