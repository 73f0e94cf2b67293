"""Bimatrix games and elastic-plastic trusses: solvable by theorems that no part of the solver uses."""

import numpy as np
import pytest
from scipy.optimize import linprog

from mlcp import MLCP, Status, solve


def game(seed, whole):
    """Cost matrices (m, n) of two players, all positive; ``whole``: of integers, with ties."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 31, 2)
    if whole:
        return rng.integers(1, 4, (m, n)).astype(float), rng.integers(1, 4, (m, n)).astype(float)
    return 0.1 + rng.random((m, n)), 0.1 + rng.random((m, n))


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_every_game_of_two_players_has_an_equilibrium(seed, whole):
    """Lemke & Howson, J. SIAM 12 (1964): A y >= 1, B'x >= 1, both complementary to x, y >= 0."""
    first, second = game(seed, whole)
    m, n = first.shape
    A = np.block([[np.zeros((m, m)), first], [second.T, np.zeros((n, n))]])
    z = solve(MLCP(A, -np.ones(m + n))).z
    x, y = z[:m] / z[:m].sum(), z[m:] / z[m:].sum()
    cost_one, cost_two = first @ y, second.T @ x
    assert x @ cost_one == pytest.approx(cost_one.min(), rel=1e-9)
    assert y @ cost_two == pytest.approx(cost_two.min(), rel=1e-9)


def truss(seed, bars, nodes, factor):
    """(problem in the plastic strains, matrix of equilibrium, limit forces, load) of a random truss.

    The load is ``factor`` times a load that bar forces within their limits can carry.
    """
    rng = np.random.default_rng(seed)
    B, stiffness = rng.normal(size=(bars, nodes)), 10.0 ** rng.uniform(3.0, 7.0, bars)
    limit = 10.0 ** rng.uniform(3.0, 5.0, bars)
    load = factor * (B.T @ (limit * rng.uniform(-1.0, 1.0, bars)))
    D = np.diag(stiffness)
    to_nodes = np.linalg.solve(B.T @ D @ B, B.T @ D)
    of_strain, elastic = D - D @ B @ to_nodes, D @ B @ np.linalg.solve(B.T @ D @ B, load)
    signs = np.hstack([np.eye(bars), -np.eye(bars)])
    A = signs.T @ of_strain @ signs
    return MLCP(0.5 * (A + A.T), np.tile(limit, 2) - signs.T @ elastic), B, limit, load


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_truss_collapses_above_its_limit_load(seed, factor):
    """The limit load by the static theorem: the largest factor a of the load for which bar forces s
    within their limits are in equilibrium, B's = a load; by a linear programme."""
    problem, B, limit, load = truss(seed, 40, 20, factor)
    rows = np.max(np.abs(B.T * limit), axis=1)
    forces = np.column_stack([B.T * limit / rows[:, None], -load / rows])
    carried = linprog(
        np.r_[np.zeros(len(limit)), -1.0],
        A_eq=forces,
        b_eq=np.zeros(len(load)),
        bounds=[(-1.0, 1.0)] * len(limit) + [(0.0, None)],
    )
    assert carried.status == 0
    found = solve(problem, raise_on_failure=False)
    assert found.status is (Status.SOLVED if -carried.fun >= 1.0 else Status.INFEASIBLE)
