"""Problems with zero diagonals are solved: linear programmes, constraints, circuits, linked rows."""

import numpy as np
import pytest
import scipy.sparse as sp

from mlcp import MLCP, Status, solve
from mlcp.solution import natural_residual
from tests.mlcp import naive


def linear_programme(seed, whole=False):
    """Optimality conditions of min c'x, A x >= or = r, x >= 0, with a solution: all diagonals zero."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(1, 7)), int(rng.integers(2, 9))
    A = rng.integers(-3, 4, (m, n)).astype(float) if whole else rng.normal(size=(m, n))
    equal = rng.random(m) < 0.5
    x = np.where(rng.random(n) < 0.5, rng.integers(0, 4, n), 0.0)
    y = np.where(equal, rng.integers(-3, 4, m), rng.integers(0, 3, m) * (rng.random(m) < 0.5))
    r = A @ x - np.where(~equal & (y == 0), rng.integers(0, 3, m), 0)
    c = A.T @ y + np.where(x == 0, rng.integers(0, 3, n), 0)
    M = np.block([[np.zeros((n, n)), -A.T], [A, np.zeros((m, m))]])
    return MLCP(M, np.r_[c, -r], np.r_[np.zeros(n), np.where(equal, -np.inf, 0.0)])


def in_other_units(problem, unit):
    return MLCP(
        problem.A * np.outer(unit, unit), problem.b * unit, problem.lower / unit, problem.upper / unit
    )


@pytest.mark.parametrize("noise", [1e-30, 1e-25, 1e-18])
def test_round_off_of_a_zero_decides_nothing(noise):
    A = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
    problem = MLCP(A, [1.0, 1.0, 0.0], [-np.inf, -np.inf, 0.0])
    assert natural_residual(problem, np.array([noise, 1.0, 1.0 + noise])) <= 1e-10
    wrong = np.array([1e-6, 1.0, 1.0])  # an error above round-off is detected
    assert natural_residual(problem, wrong) > 1e-10


def test_a_programme_without_costs_is_solved():
    A = np.array([[2.0, -2.0], [3.0, 3.0]])
    M = np.block([[np.zeros((2, 2)), -A.T], [A, np.zeros((2, 2))]])
    found = solve(MLCP(M, [0, 0, -1, -2], [0, 0, -np.inf, 0]))
    assert found.z == pytest.approx([7 / 12, 1 / 12, 0, 0])


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(60, 1500), marks=pytest.mark.slow)], ids=len
)
def test_linear_programmes_with_equalities_are_solved(seeds):
    for seed in seeds:
        problem = linear_programme(seed, whole=seed % 2 > 0)
        found = solve(problem, raise_on_failure=False)
        assert found.solved, (seed, found)
        z = np.where(abs(found.z) > 1e-14 * abs(found.z).max(), found.z, 0.0)  # removes round-off
        assert naive.own_terms(*naive.data(problem), z) <= 1e-6


def test_the_verdict_is_the_same_in_any_units_and_sparse_and_by_the_definition():
    rng = np.random.default_rng(4)
    for seed in range(60):
        problem = linear_programme(seed)
        z = solve(problem).z + rng.normal(size=problem.n) * 10.0 ** rng.integers(-14, -2)
        z = np.clip(z, problem.lower, problem.upper)
        unit = 2.0 ** rng.integers(-20, 21, problem.n)
        if not np.all(problem.residuals_and_reach(z)[1]):
            continue  # some z_j have no scale for their residual
        wanted = natural_residual(problem, z)
        assert natural_residual(in_other_units(problem, unit), z / unit) == pytest.approx(wanted)
        sparse = MLCP(sp.csr_matrix(problem.A), *naive.data(problem)[1:])
        assert natural_residual(sparse, z) == pytest.approx(wanted)
        assert naive.natural_residual(*naive.data(problem), z) == pytest.approx(wanted)


def test_what_runs_away_along_redundant_rows_is_no_measure():
    """Two multipliers of contradicting equations may grow without limit in opposite directions."""
    problem = MLCP([[0, 0, 1.0], [0, 0, 1.0], [-1.0, -1.0, 0]], [-1.0, -2.0, 0.0], -np.inf)
    for far in (1e6, 1e9, 1e12, 1e15):
        assert natural_residual(problem, np.array([far, -far, 1.5])) > 0.1
    assert not solve(problem, raise_on_failure=False).solved
    assert not solve(problem, "newton", raise_on_failure=False).solved


@pytest.mark.parametrize("big", [1e12, 3e17, 1e20])
@pytest.mark.parametrize("solver", ["direct", "newton", "pgs"])
def test_a_huge_row_that_is_not_linked_decides_nothing(big, solver):
    """The row with b = 0 has no coupling to the huge ones: its only solution is z = 0."""
    A = np.diag([1.0, 0.498, 2.0, 1.0])
    problem = MLCP(A, [big, 0.0, -1.0, -big], [0.0, -np.inf, 0.0, 0.0], [np.inf, 1.417, np.inf, np.inf])
    assert natural_residual(problem, np.array([0.0, 1.417, 0.5, big])) == 1.0
    assert natural_residual(problem, np.array([0.0, 0.0, 0.5 + 1e-6, big])) > 1e-7
    found = solve(problem, solver)
    assert found.z == pytest.approx([0.0, 0.0, 0.5, big])


def test_a_huge_row_that_is_not_linked_decides_nothing_beside_a_zero_diagonal():
    problem = MLCP(np.diag([0.0, 0.498]), [3e17, 0.0], [0.0, -np.inf], [np.inf, 1.417])
    assert natural_residual(problem, np.array([0.0, 1.417])) == 1.0
    assert solve(problem).z == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("seed", range(20))
def test_equations_in_any_order_with_factors_of_1e10_are_solved(seed):
    """Equations as of electric circuits; their elimination leaves a P-matrix of the bounded rows."""
    rng = np.random.default_rng(seed)

    def factors(*shape):
        return 10.0 ** rng.uniform(-6.0, 4.0, shape) * rng.choice([-1.0, 1.0], shape)

    n, m = 20, 12
    E = np.zeros((n, n))
    E[np.arange(n), rng.permutation(n)] = 1.0
    E[rng.integers(n, size=n), rng.integers(n, size=n)] += factors(n)
    C = np.where(rng.random((n, m)) < 0.15, factors(n, m), 0.0)
    D = np.where(rng.random((m, n)) < 0.15, rng.choice([-1.0, 1.0], (m, n)), 0.0)
    P = np.eye(m) + 0.1 * rng.normal(size=(m, m))
    A = np.block([[E, C], [D, P + D @ np.linalg.solve(E, C)]])
    b = rng.normal(size=n + m) * (rng.random(n + m) < 0.5)
    problem = MLCP(A, b, np.r_[np.full(n, -np.inf), np.zeros(m)])
    assert naive.natural_residual(*naive.data(problem), solve(problem).z) <= 1e-9


def stack(mass):
    """Spheres above each other on the ground, lowest first; mass [kg]; b: speed from 1 ms of gravity."""
    spheres = len(mass)
    J = np.eye(spheres) - np.eye(spheres, k=-1)
    b = np.zeros(spheres)
    b[0] = -9.81e-3
    return MLCP(J @ np.diag(1.0 / mass) @ J.T, b)


@pytest.mark.parametrize("heavy", [-1, slice(1, None, 2)], ids=["the highest", "every other one"])
@pytest.mark.parametrize("spheres", [2, 3, 5, 20, 60, 200])
@pytest.mark.parametrize("ratio", [1e4, 1e6, 1e8])
def test_a_stack_of_light_and_heavy_spheres_is_solved_to_rounding(spheres, ratio, heavy):
    mass = np.ones(spheres)
    mass[heavy] = ratio
    found = solve(stack(mass), raise_on_failure=False)
    carried = np.cumsum(mass[::-1])[::-1]  # mass [kg] above each contact
    assert found.solved or (found.status is Status.INACCURATE and found.residual <= 1e-15 * carried[0])
    assert found.z == pytest.approx(9.81e-3 * carried, rel=1e-3)


@pytest.mark.parametrize("excess", [1e-6, 1e-8, 1e-10])
def test_an_almost_singular_matrix_with_a_distant_solution_is_solved_to_rounding(excess):
    problem = MLCP([[2.0, -2.0], [-2.0, 2.0 + excess]], [-0.3, -0.02])
    found = solve(problem, raise_on_failure=False)
    assert found.solved or found.status is Status.INACCURATE
    assert found.z == pytest.approx(0.32 / excess, rel=1e-4)


@pytest.mark.parametrize("seed", range(40))
def test_copies_of_a_row_with_and_without_a_bias_are_solved_beside_a_zero_row(seed):
    """Rows without a bias have w = 0 for many z, but without round-off only at z = 0."""
    rng = np.random.default_rng(seed)
    row, biased = rng.choice([-2.0, -1.0, 1.0, 2.0], 7), rng.random(7) < 0.5
    A = np.zeros((8, 8))
    A[:7, :7] = np.outer(10.0 ** rng.uniform(-1.0, 1.0) * row, row)
    b = np.r_[np.where(biased, rng.random(7), 0.0), 1.0]
    lower = np.r_[np.where(biased, 0.0, -rng.random(7)), 0.0]
    for matrix in (A, sp.csr_matrix(A)):
        w = solve(MLCP(matrix, b, lower, np.r_[rng.random(7), np.inf])).w
        assert w == pytest.approx(b, abs=1e-15)
