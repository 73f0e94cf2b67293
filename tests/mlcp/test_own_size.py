"""Each row's residual is relative to its own size, so a large b of a distant row has no effect on it."""

import numpy as np
import pytest

from mlcp import MLCP, SOLVERS, StructuredMLCP, solve
from mlcp.kernels.dense_calls import run_residual
from mlcp.solution import natural_residual

CHAIN = [[1.0, 0.3, 0.0], [0.3, 1.0, 0.5], [0.0, 0.5, 1.0]]


@pytest.mark.parametrize("big", [1e3, 1e6, 1e9, 1e15, 1e100])
@pytest.mark.parametrize("solver", SOLVERS)
def test_an_open_row_with_a_large_bias_leaves_the_others_exact(solver, big):
    solution = solve(MLCP(CHAIN, [big, -1.0, -2.0]), solver, raise_on_failure=False)
    if solution.solved:
        assert np.allclose(solution.z, [0.0, 0.0, 2.0], atol=1e-4)
    assert solution.solved or solver == "cvxpy"


@pytest.mark.parametrize("solver", ["direct", "newton", "pgs"])
def test_entries_at_both_ends_of_the_floats(solver):
    assert np.array_equal(solve(MLCP(np.diag([1e-320, 1e308]), [1e308, -1e308]), solver).z, [0.0, 1.0])


def test_a_z_that_ran_away_is_no_measure():
    """The huge z of two contradicting bilateral rows does not make their w = (1, 2) count as small."""
    A = np.zeros((3, 3))
    A[:2, :2], A[2, 2] = 1.0, 1.0
    problem = MLCP(A, [1.0, 2.0, -1e15], [-np.inf, -np.inf, 0.0])
    assert natural_residual(problem, np.array([-2e11, 2e11, 1e15])) >= 0.5
    assert not solve(problem, tol=1e-6, raise_on_failure=False).solved


def test_structured_rows_too():
    rng = np.random.default_rng(5)
    mass = np.tile(np.eye(6), (3, 1, 1))
    J = rng.normal(size=(5, 18))
    for big in (1e6, 1e12):
        problem = StructuredMLCP(mass, J, 1e-3, [big, -1.0, -2.0, 0.5, -1.0])
        solution = solve(problem)
        rest = solve(MLCP(problem.A[1:, 1:], problem.b[1:])).z
        assert solution.z[0] == 0.0
        assert np.allclose(solution.z[1:], rest, rtol=1e-7)
        off = rest + np.array([1e-3, 0.0, 0.0, 0.0])
        assert natural_residual(problem, np.array([0.0, *off])) > 1e-5


def test_sparse_and_dense_are_judged_alike():
    import scipy.sparse as sp

    rng = np.random.default_rng(9)
    for _ in range(20):
        A = rng.normal(size=(9, 9)) * (rng.random((9, 9)) < 0.3)
        A = A @ A.T + np.diag(rng.random(9) * (rng.random(9) < 0.8))
        b, z = rng.normal(size=9) * 10.0 ** rng.integers(-8, 9, 9), rng.normal(size=9)
        lower = rng.choice([-np.inf, 0.0, -1.0], size=9)
        dense, sparse = (MLCP(M, b, lower, 5.0) for M in (A, sp.csr_matrix(A)))
        assert sparse.row_residuals(z) == pytest.approx(dense.row_residuals(z), rel=1e-9)


def test_a_caller_who_knows_what_b_is_may_set_its_least_size():
    """At rest b [m/s] is round-off, no scale for a residual: the caller gives the scale, 1e-3 m/s."""
    A, b = np.array([[1.0, 0.2], [0.2, 2.0]]), np.array([3e-17, -2e-17])
    problem, z = MLCP(A, b, -1.0, 1.0), np.zeros(2)
    assert problem.row_residuals(z).max() > 0.1
    assert problem.row_residuals(z, 1e-3).max() < 1e-13
    off = np.array([1e-9, 0.0])  # an error in one row is still detected
    assert problem.row_residuals(off, 1e-3).max() == pytest.approx(1e-6, rel=1e-3)


def test_the_type_of_the_least_size_compiles_nothing():
    problem, z = MLCP([[2.0]], [-1.0]), np.zeros(1)
    wanted, compiled = problem.row_residuals(z, 3.0), len(run_residual.signatures)
    for least in (3, np.float32(3.0), np.int64(3)):
        assert problem.row_residuals(z, least) == wanted
    assert len(run_residual.signatures) == compiled
