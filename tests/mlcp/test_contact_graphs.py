"""Bodies wedged between each other: active sets hard to find, and no false proof of infeasibility."""

import numpy as np
import pytest

from mlcp import MLCP, Status, StructuredMLCP, solve
from mlcp.kernels.certificate import proves_none
from mlcp.kernels.dense_problem import Problem
from mlcp.solution import natural_residual
from mlcp.solvers.direct import sparse
from tests.mlcp.generators import contact_graph
from tests.mlcp.problems import mixed_problem
from tests.plain import plain

# contacts, bodies, seed, mass ratio, friction: problems that Newton's method alone does not solve.
WEDGED = [
    (60, 18, 8, 1.0, 2.0),
    (120, 12, 9, 1e4, 0.1),
    (120, 36, 11, 1.0, 2.0),
    (175, 52, 4, 1.0, 0.5),
    (330, 33, 3, 1e4, 0.1),
    (330, 100, 10, 1.0, 0.5),
]

# contacts, seed, bodies, compliance, fractions of tied and repeated rows, friction. Rows of compliance
# 1e-9 or 1e-7 beside redundant rows: proximal steps, which add a similar term to the diagonal, converge
# slowly.
SOFT = [
    (20, 643, 6, 1e-9, 0.5, 0.3, 1.0),
    (22, 605, 2, 1e-9, 0.5, 0.7, 1.0),
    (30, 101, 3, 1e-7, 0.5, 0.3, 0.1),
    (20, 391, 2, 1e-9, 0.0, 0.7, 0.1),
]


@pytest.mark.parametrize(("contacts", "bodies", "seed", "ratio", "friction"), WEDGED)
def test_wedged_bodies_up_to_a_thousand_rows(contacts, bodies, seed, ratio, friction):
    problem = contact_graph(contacts, bodies, seed, mass_ratio=ratio, friction=friction)
    rank = np.linalg.matrix_rank(problem.dense_A, hermitian=True) if contacts < 100 else 6 * bodies
    assert rank < problem.n
    assert solve(problem).natural_residual() <= 1e-10


@pytest.mark.parametrize(("contacts", "seed", "bodies", "e", "tied", "repeated", "friction"), SOFT)
def test_soft_rows_beside_redundant_ones(contacts, seed, bodies, e, tied, repeated, friction):
    problem = contact_graph(
        contacts, bodies, seed, compliance=e, tied=tied, repeated=repeated, friction=friction
    )
    assert solve(problem).natural_residual() <= 1e-10
    assert solve(problem.formed()).natural_residual() <= 1e-10


def test_the_verdict_on_a_hard_problem_does_not_depend_on_units():
    problem = contact_graph(120, 36, 11, mass_ratio=1.0, friction=2.0)
    J = problem._padded_J().toarray()
    for k in (np.full(problem.n, 1e-3), np.where(np.arange(problem.n) % 2, 1.0, 1e3)):
        other = StructuredMLCP(
            problem.mass.reshape(-1, 6, 6),
            J * k[:, None],
            problem.e * k**2,
            problem.b * k,
            problem.lower / k,
            problem.upper / k,
        )
        assert solve(other).natural_residual() <= 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_hundreds_of_graphs(block):
    """Random graphs of up to a thousand rows, of mass ratios up to 1e4, with redundant, soft and tied
    rows: all are solved to 1e-10."""
    for seed in range(40 * block, 40 * block + 40):
        rng = np.random.default_rng(seed)
        contacts = int(rng.choice([10, 22, 60, 120, 178, 333]))
        problem = contact_graph(
            contacts,
            max(1, int(contacts * rng.choice([0.02, 0.1, 0.3, 1.0]))),
            seed,
            repeated=float(rng.choice([0.0, 0.3, 0.7])),
            mass_ratio=float(rng.choice([1.0, 1e2, 1e4])),
            friction=float(rng.choice([0.0, 0.1, 1.0, 10.0])),
            compliance=float(rng.choice([0.0, 0.0, 1e-9, 1e-7, 1e-4])),
            tied=float(rng.choice([0.0, 0.0, 0.2, 0.9])),
        )
        assert solve(problem).natural_residual() <= 1e-10, seed
        if contacts <= 60:
            assert solve(problem.formed()).natural_residual() <= 1e-10, seed


def test_interior_points_end_in_a_solution_of_every_semidefinite_problem():
    for seed in range(60):
        found = sparse(mixed_problem(seed, 1 + seed % 8, "semidefinite", True), 1e-10, np.inf)
        assert found.status is Status.SOLVED, seed
        assert found.iterations <= 40


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_interior_points_find_the_signs_of_programmes(weight):
    """Interior points solve linear (weight 0) and quadratic programmes, also with equality rows."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, m = 12, 5
        G, R = rng.normal(size=(m, n)), rng.normal(size=(n, 6))
        equal = rng.random(m) < 0.4
        x, y = rng.random(n) * (rng.random(n) < 0.5), rng.random(m) * (rng.random(m) < 0.5)
        slack = np.where((y == 0.0) & ~equal, rng.random(m), 0.0)
        H = weight * R @ R.T
        c = G.T @ y - H @ x + np.where(x == 0.0, rng.random(n), 0.0)
        A = np.block([[H, -G.T], [G, np.zeros((m, m))]])
        lower = np.r_[np.zeros(n), np.where(equal, -np.inf, 0.0)]
        problem = MLCP(A, np.r_[c, slack - G @ x], lower)
        found = sparse(problem, 1e-10, np.inf)
        assert found.status is Status.SOLVED, seed
        assert natural_residual(problem, found.z) <= 1e-10
    turned = MLCP([[1.0, 1.0, 0.0], [-1.0, 1.0, 1.0], [1.0, -2.0, 1.0]], [-1.0, 0.0, 1.0])
    assert sparse(turned, 1e-10, np.inf).iterations == 0  # no diagonal S of +-1 makes S A symmetric


def test_interior_points_claim_nothing_where_there_is_no_solution():
    found = sparse(MLCP(np.zeros((2, 2)), [-1.0, 1.0]), 1e-10, np.inf)
    assert found.status is Status.ITERATION_LIMIT


def proves(problem, direction):
    given = Problem(problem.dense_A, problem.b, problem.lower, problem.upper, problem.n)
    return plain(proves_none)(given, np.array(direction), np.zeros(problem.n), np.max(np.abs(problem.b)))


def test_a_pair_of_rows_that_disagree_a_little_less_than_their_compliance_allows():
    """w_1 - w_0 = 1e-3 + 5e-8 z_1 can be zero, as both rows demand: z_1 = -2e4."""
    problem = MLCP(np.array([[1.0, 1.0], [1.0, 1.0 + 5e-8]]), [1.0, 1.001], -np.inf)
    assert not proves(problem, [1.0, -1.0])
    assert solve(problem).z[1] == pytest.approx(-2e4, rel=1e-6)
    stiff = MLCP(np.ones((2, 2)), [1.0, 1.001], -np.inf)
    assert proves(stiff, [1.0, -1.0])
    assert solve(stiff, raise_on_failure=False).status is Status.INFEASIBLE


@pytest.mark.parametrize("seed", [5, 23, 57])
def test_soft_pairs_that_disagree_are_not_called_insoluble(seed):
    problem = contact_graph(
        20, 20, seed, repeated=0.7, mass_ratio=1.0, friction=0.1, compliance=1e-6, tied=0.1
    )
    noise = 1e-4 * np.random.default_rng(seed).normal(size=problem.n)
    found = solve(problem.with_values(b=problem.b + noise).formed(), raise_on_failure=False)
    assert found.status is not Status.INFEASIBLE
    assert found.residual < 1e-9  # |z| is 1e6 |b|: round-off may lift the residual above 1e-10


@pytest.mark.parametrize("far", [1e6, 1e9, 1e12])
def test_bounds_far_away_are_found_and_seen_past(far):
    none = MLCP(np.zeros((2, 2)), [-1.0, 1.0], [0.0, -np.inf], [far, 0.5])
    assert solve(none, raise_on_failure=False).status is Status.INFEASIBLE
    A = np.kron(np.eye(2), np.ones((2, 2)))
    lower, upper = [0.0, -np.inf, -np.inf, 0.0], [far, far, np.inf, far]
    pairs = solve(MLCP(A, [1.0, 2.0, -1.0, -2.0], lower, upper))
    assert pairs.z[0] == pairs.z[3] == far


def test_a_large_z_does_not_hide_a_w_that_is_not_zero():
    """z - clip(z + 1) is 0 in floating point for z = 1e17, but w = -1 is no solution."""
    problem = MLCP(np.zeros((1, 1)), [-1.0])
    assert natural_residual(problem, np.array([1e17])) == 1.0
    rod = StructuredMLCP(np.ones(1), [[0.0]], 0.0, [-1.0])
    assert natural_residual(rod, np.array([1e17])) == rod.recomputed(np.array([1e17]))[2] == 1.0
