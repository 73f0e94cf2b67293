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


def test_painleve_paradox_with_two_solutions():
    """One row with A < 0 and b > 0."""
    two = painleve_rod(mu=2.0, theta=1.0, rate=5.0).problem
    assert two.A[0, 0] < 0.0 < two.b[0]
    for z in (0.0, -two.b[0] / two.A[0, 0]):
        assert naive.natural_residual(*naive.data(two), np.array([z])) <= 1e-12
    assert solve(two).solved


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


@pytest.mark.parametrize(
    ("A", "name"),
    [
        ([[2.0, 1.0], [1.0, 2.0]], "P"),
        ([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]], "P"),
        ([[1.0, 1.0], [1.0, 1.0]], "PSD"),
        ([[0.0, 1.0], [-1.0, 0.0]], "PSD"),
        ([[1.0, 3.0], [3.0, 1.0]], "unknown"),
        ([[-1.0]], "unknown"),
        # scaled to a unit diagonal it overflows, and its symmetric part is no number
        (1e-300 * np.eye(102) + 1e300 * (np.eye(102, k=1) - np.eye(102, k=-1)), "unknown"),
    ],
)
def test_the_class_of_a_matrix(A, name):
    with np.errstate(over="ignore", invalid="ignore"):
        assert MLCP(A, np.ones(len(A))).matrix_class == name
