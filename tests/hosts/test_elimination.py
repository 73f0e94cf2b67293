"""Sparse elimination with a known pattern, against dense algebra."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contact.hosts.mujoco.kernels import elimination, vector
from contact.hosts.mujoco.kernels.data import Factor, Panels, Paths
from contact.hosts.mujoco.pattern import Pattern


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
    return Factor.pack(**pattern.lists(), values=V, least=np.zeros(len(M)))


def solved(factor, pattern, b):
    """The matrix's inverse times b, column by column."""
    n, x = len(pattern.order), np.empty_like(b)
    for c, column in enumerate(b.T):
        y = column[pattern.order]
        elimination.forward(factor, y)
        y *= factor.values[:n]
        elimination.backward(factor, y)
        x[pattern.order, c] = y
    return x


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_factor_and_solve_are_those_of_the_dense_matrix(n, seed):
    filled, M = random_matrix(n, seed)
    pattern = Pattern(filled, last=range(n // 3))
    factor, b = stored(pattern, M), np.random.default_rng(seed).normal(size=(n, 3))
    assert elimination.eliminate(factor, False) == -1
    assert solved(factor, pattern, b) == pytest.approx(np.linalg.solve(M, b), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_panels_visit_no_more_than_what_two_wheels_reach(n, seed):
    """Mobility of eight channels on a few freedoms, and its rows at a few freedoms."""
    filled, M = random_matrix(n, seed)
    random = np.random.default_rng(seed)
    last = random.permutation(n)[: n // 3]
    pattern, A = Pattern(filled, last=last), np.zeros((8, n))
    paths = [random.permutation(n)[: 1 + n // 4] for _ in range(2)]
    for i, path in enumerate(paths):
        A[4 * i : 4 * i + 4, path] = random.normal(size=(4, len(path)))
    factor = stored(pattern, M)
    assert elimination.eliminate(factor, False) == -1
    both = np.concatenate(paths)
    reach, needed = pattern.reach(both), pattern.reach(last)[::-1]
    panels = Panels.pack(
        path_place=pattern.place[both],
        reach_at=[0, len(reach)],
        reach=reach,
        scaled=np.zeros(8 * n),
        rows=np.where(np.isin(np.arange(n), reach), np.nan, 0.0).repeat(8),  # of the last step
    )
    path = Paths.pack(at=np.cumsum([0, *map(len, paths)]), freedom=both)
    elimination.lay_channels(panels, path, A)
    elimination.forward_panel(factor, panels, 0)
    B, a, free, X = np.zeros(64), np.zeros(8), random.normal(size=n), np.zeros(8 * n)
    elimination.add_products.py_func(panels.rows, reach, panels.scaled, reach, B, 8)
    exact = np.linalg.solve(M, A.T)
    assert B.reshape(8, 8) == pytest.approx(A @ exact, abs=1e-12)
    elimination.backward_panel(factor, needed, panels, 0, X)
    rows = X.reshape(n, 8)[pattern.place]
    assert rows[last] == pytest.approx(exact[last], abs=1e-12)
    y = free[pattern.order]
    elimination.forward(factor, y)
    y *= factor.values[:n]
    elimination.add_seen.py_func(panels.rows, reach, y, reach, a)
    assert a == pytest.approx(A @ np.linalg.solve(M, free), abs=1e-12)
    x = np.zeros(n)
    elimination.backward_some(factor, needed, y, x)
    assert x[pattern.place][last] == pytest.approx(np.linalg.solve(M, free)[last], abs=1e-12)


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
    code = elimination.eliminate(stored(pattern, M), False)
    assert pattern.order[code] == 4


def test_a_freedom_without_mass_is_held_where_asked():
    """The others move as if it were not there."""
    filled, M = random_matrix(6, 3)
    pattern = Pattern(filled)
    M[4, 4] = -1.0
    factor = stored(pattern, M)
    assert elimination.eliminate(factor, True) == -1
    assert factor.values[np.flatnonzero(pattern.order == 4)[0]] == 0.0
    x = solved(factor, pattern, np.eye(6))
    rest = [k for k in range(6) if k != 4]
    assert x[np.ix_(rest, rest)] == pytest.approx(np.linalg.inv(M[np.ix_(rest, rest)]), abs=1e-12)
    assert np.all(x[4] == 0.0)


def test_vectors_are_the_same_compiled():
    """The builtins of ``vector`` against their plain Python, through a kernel that uses them all."""
    from mlcp.jit import kernel

    def blend(X, Y, f):
        v = vector.plus(vector.load(X, 1), f, vector.times(f, vector.load(Y, 0)))
        vector.store(X, 2, v)
        vector.store(Y, 0, vector.zeros())
        return X[2] + X[9]

    X, Y = np.arange(12.0), np.linspace(1.0, 2.0, 9)
    plain = [X.copy(), Y.copy()]
    assert kernel(blend)(X, Y, 0.3) == blend(*plain, 0.3)
    assert [X.tobytes(), Y.tobytes()] == [array.tobytes() for array in plain]
