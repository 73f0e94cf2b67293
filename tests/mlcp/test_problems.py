"""Solvers find the stated solutions of the literature's problems; a seed determines generated ones."""

import numpy as np
import pytest

from mlcp import MLCP, SOLVERS, Status, solve
from mlcp.solvers.base import UnsuitableProblem
from tests.mlcp import generators, naive
from tests.mlcp.named_problems import NAMED, painleve_rod


@pytest.mark.parametrize("name", NAMED)
def test_named_problems_have_the_solutions_they_state(name):
    example = NAMED[name]()
    found = naive.enumerate_active_sets(*naive.data(example.problem))
    assert (found is not None) == example.solvable
    solution = solve(example.problem, raise_on_failure=False)
    assert solution.solved == example.solvable
    if example.z is not None:
        assert naive.natural_residual(*naive.data(example.problem), example.z) <= 1e-10
        assert np.allclose(solution.z, example.z, atol=1e-9)


def test_painleve_paradox():
    """One row with A < 0: there is no solution if b < 0, and there are two if b > 0."""
    none = painleve_rod(mu=2.0, theta=1.0, rate=0.0)
    assert none.problem.A[0, 0] < 0.0
    assert not solve(none.problem, raise_on_failure=False).solved
    two = painleve_rod(mu=2.0, theta=1.0, rate=5.0)
    assert two.problem.b[0] > 0.0
    for z in (0.0, -two.problem.b[0] / two.problem.A[0, 0]):
        assert naive.natural_residual(*naive.data(two.problem), np.array([z])) <= 1e-12
    assert solve(two.problem).solved


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_fail_safely_over_the_test_set(solver):
    problems = [make().problem for make in NAMED.values()]
    problems += [
        generators.infeasible(8),
        generators.singular_many(8),
        generators.random_psd(12, 6),
        generators.box_stack(2),
    ]
    for problem in problems:
        try:
            solution = solve(problem, solver, raise_on_failure=False)
        except UnsuitableProblem:
            continue
        if solution.solved:
            residual = naive.natural_residual(*naive.data(problem), solution.z)
            assert residual <= solution.tol * (1.0 + 1e-6)


@pytest.mark.parametrize("n", [40, 160])
def test_larger_dense_problems(n):
    for problem in (
        generators.boxed_dense(n),
        generators.random_psd(n, n // 2),
        generators.singular_many(n // 2),
    ):
        assert solve(problem).natural_residual() <= 1e-10
    assert solve(generators.infeasible(n), raise_on_failure=False).status is Status.INFEASIBLE


def test_dense_stacks_with_mass_ratio():
    problem = generators.box_stack(14, mass_ratio=1e4).formed()
    assert solve(problem).natural_residual() <= 1e-10


def test_bilateral_rows_of_an_indefinite_matrix_are_eliminated_first():
    """A saddle point [0 B; -B' M]: no diagonal pivot exists for the first rows."""
    rng = np.random.default_rng(4)
    B, M = rng.normal(size=(5, 9)), np.eye(9)
    A = np.block([[np.zeros((5, 5)), B], [-B.T, M]])
    lower = np.r_[np.full(5, -np.inf), np.full(4, -np.inf), np.zeros(5)]
    problem = MLCP(A, rng.normal(size=14), lower)
    assert solve(problem).natural_residual() <= 1e-10


@pytest.mark.parametrize(
    ("A", "name"),
    [
        ([[2.0, 1.0], [1.0, 2.0]], "P"),
        ([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]], "P"),
        ([[1.0, 1.0], [1.0, 1.0]], "PSD"),
        ([[0.0, 1.0], [-1.0, 0.0]], "PSD"),
        ([[1.0, 3.0], [3.0, 1.0]], "unknown"),
        ([[-1.0]], "unknown"),
    ],
)
def test_the_class_of_a_matrix(A, name):
    assert MLCP(A, np.ones(len(A))).matrix_class == name


def test_generators_are_the_same_from_one_seed():
    for make in (lambda: generators.box_stack(2, seed=5), lambda: generators.vehicle(12, seed=5)):
        one, other = make(), make()
        assert np.array_equal(one._J, other._J)
        assert np.array_equal(one.b, other.b)
    assert generators.vehicle(12).n == 253
    assert np.isinf(generators.vehicle(24).lower).sum() == 241
