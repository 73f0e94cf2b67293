"""Every solver solves the problems for which it is made, and calls no wrong answer solved."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcp import MLCP, SOLVERS, MlcpNotSolved, Solution, Status, solve
from mlcp.solve import solution_of
from mlcp.solvers.base import Answer
from tests.mlcp.problems import definite_problems, random_problem


@pytest.mark.parametrize("solver", ["direct", "newton", "pgs", "osqp", "cvxpy"])
@settings(max_examples=25, deadline=None)
@given(problem=definite_problems())
def test_every_solver_finds_the_one_solution_of_a_definite_problem(solver, problem):
    exact = solve(problem, "direct")
    solution = solve(problem, solver, raise_on_failure=False)
    assert solution.solved, solution
    assert np.allclose(solution.z, exact.z, atol=200 * solution.tol * np.abs(problem.b).max())


@pytest.mark.parametrize("solver", ["direct", "newton"])
@settings(max_examples=50, deadline=None)
@given(problem=definite_problems(skew=True))
def test_asymmetric_definite_problems_are_solved(solver, problem):
    assert solve(problem, solver).natural_residual() <= 1e-10


@settings(max_examples=60, deadline=None)
@given(problem=definite_problems(), seed=st.integers(0, 2**32 - 1))
def test_the_units_of_a_row_do_not_change_the_verdict(problem, seed):
    unit = 10.0 ** np.random.default_rng(seed).integers(-6, 7, size=problem.n)
    other = MLCP(
        problem.A * np.outer(unit, unit), problem.b * unit, problem.lower / unit, problem.upper / unit
    )
    here, there = solve(problem), solve(other)
    assert here.status is there.status
    assert np.allclose(there.z * unit, here.z, rtol=1e-9, atol=1e-10)
    z = here.z + 0.01
    wrong, still_wrong = (
        solution_of(p, Answer(x, Status.SOLVED, 0), "none", 1e-10)
        for p, x in ((problem, z), (other, z / unit))
    )
    assert wrong.residual == pytest.approx(still_wrong.residual, rel=1e-9)


@pytest.mark.parametrize("exponent", range(-8, 9, 2))
def test_compliances_over_sixteen_decades(exponent):
    J = np.array([1.0, 1.0, 1.0, 0.5, -0.2])
    A = np.outer(J, J) + np.diag([0.0, 10.0**exponent, 0.0, 10.0**-exponent, 1.0])
    problem = MLCP(
        A,
        [-1.0, -1.0, -1.0, -0.5, 0.4],
        [-0.1, 0.0, 0.0, -np.inf, 2.0],
        [0.1, np.inf, np.inf, np.inf, 2.0],
    )
    assert solve(problem).natural_residual() <= 1e-10


def test_contradicting_bilateral_rows_are_infeasible():
    problem = MLCP(np.ones((2, 2)), [1.0, 2.0], -np.inf, np.inf)
    solution = solve(problem, raise_on_failure=False)
    assert solution.status is Status.INFEASIBLE
    with pytest.raises(MlcpNotSolved, match="No solution exists") as caught:
        solve(problem)
    assert caught.value.problem is problem
    assert isinstance(caught.value.solution, Solution)
    assert "No solution" in str(pickle.loads(pickle.dumps(caught.value)))


@settings(max_examples=40, deadline=None)
@given(problem=definite_problems(max_rows=12), seed=st.integers(0, 2**32 - 1))
def test_a_warm_start_ends_where_a_cold_one_does(problem, seed):
    cold = solve(problem)
    again = solve(problem, z0=cold)
    assert again.iterations == 1
    assert np.allclose(again.z, cold.z, atol=1e-11)
    rng = np.random.default_rng(seed)
    anywhere = solve(problem, z0=rng.normal(size=problem.n))
    assert np.allclose(anywhere.z, cold.z, atol=1e-9)


def test_osqp_says_of_a_sparse_matrix_that_is_not_convex_that_it_failed():
    A = sp.csr_matrix([[-1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [2.0, 0.0, 1.0]])
    found = solve(MLCP(A, [1.0, -1.0, 0.0]), "osqp", raise_on_failure=False)
    assert found.status is Status.BACKEND_FAILED
    far = MLCP(sp.eye(2, format="csr"), [-1.0, 1.0], [1e40, 0.0])  # bounds that OSQP takes for infinite
    found = solve(far, "osqp", raise_on_failure=False)
    assert found.solved == (found.natural_residual() <= found.tol)


def test_a_solution_defends_itself():
    problem = MLCP([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0], 0.0, [1.0, np.inf],
                   row_names=["left / normal", "right / normal"])  # fmt: skip
    good = solve(problem)
    assert good.natural_residual() <= 1e-12
    assert good.bound_violation() == 0.0
    assert good.complementarity_gap() <= 1e-12
    assert np.allclose(good.w, problem.A @ good.z + problem.b)
    bad = solution_of(problem, Answer(np.array([1.5, 2.0]), Status.SOLVED, 1), "liar", 1e-10)
    assert good.seconds > 0.0
    assert np.isnan(bad.seconds)
    assert bad.status is Status.INACCURATE
    assert bad.bound_violation() == 0.5
    assert bad.worst_row()[0] == "left / normal"
    assert bad.worst_row()[1] == pytest.approx(bad.natural_residual())
    nothing = solution_of(problem, Answer(np.full(2, np.nan), Status.SOLVED, 1), "liar", 1e-10)
    assert nothing.status is Status.NOT_A_NUMBER
    assert nothing.natural_residual() == nothing.bound_violation() == np.inf
    assert nothing.complementarity_gap() == np.inf


def test_the_table_of_solvers_prints_what_each_needs():
    text = str(SOLVERS)
    for name, kind in SOLVERS.items():
        assert name in text
        assert kind.needs in text
        assert kind.name == name


@pytest.mark.parametrize("relaxation", [0.7, 1.0, 1.4])
@pytest.mark.parametrize("symmetric", [False, True])
def test_gauss_seidel_reaches_the_solution_for_every_relaxation(relaxation, symmetric):
    problem = random_problem(5, 8, 8, compliance=0.5)
    sweeps = SOLVERS["pgs"](relaxation=relaxation, symmetric=symmetric)
    assert np.allclose(solve(problem, sweeps).z, solve(problem).z, atol=1e-8)


def test_a_solution_has_the_condition_of_its_equations():
    """``condition()`` is the condition number of the free rows at unit diagonal, without other rows."""
    A = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1e-30]])
    free = solve(MLCP(A, [-1.0, -1.0, 1.0]))
    assert free.condition() == pytest.approx(1.9 / 0.1)
    units = np.diag([1.0, 1e6, 1.0])
    assert solve(MLCP(units @ A @ units, units @ [-1.0, -1.0, 1.0])).condition() == pytest.approx(19.0)
    assert solve(MLCP(A, [1.0, 1.0, 1.0])).condition() == 1.0
    twice = solve(MLCP(np.ones((2, 2)), [-1.0, -1.0], -np.inf))
    assert twice.condition() > 1e15
