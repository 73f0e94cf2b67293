"""An ``MLCP`` is checked once, at its construction, and is immutable."""

import numpy as np
import pytest
import scipy.sparse as sp

from mlcp import MLCP, SOLVERS, BadProblem, solve
from tests.refusals import refusals

GOOD = dict(A=np.eye(2), b=np.ones(2))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dict(A=np.ones((2, 3))), ["A must be square", "(2, 3)"]),
        (dict(A=np.ones(4)), ["A must be square", "(4,)"]),
        (dict(A=np.ones((3, 2, 2))), ["A must be square", "(3, 2, 2)", "solve_many"]),
        (dict(b=np.ones((3, 2))), ["b has shape (3, 2)", "solve_many"]),
        (dict(A=[[1.0, np.nan], [0.0, 1.0]]), ["A[0, 1]", "nan", "finite"]),
        (dict(A=sp.csr_matrix([[1.0, 0.0], [np.inf, 1.0]])), ["A[1, 0]", "inf", "finite"]),
        (dict(A=[["a", "b"], ["c", "d"]]), ["A must be", "real numbers"]),
        (dict(b=np.ones(3)), ["b has shape (3,)", "2 rows"]),
        (dict(b=[1.0, np.nan]), ["b of row 1", "nan"]),
        (dict(lower=[0.0, np.nan]), ["lower of row 1", "nan"]),
        (dict(lower=np.inf), ["lower of row 0", "inf"]),
        (dict(upper=-np.inf), ["upper of row 0", "-inf"]),
        (dict(lower=[0.0, 2.0], upper=1.0), ["lower > upper in row 1", "2.0 > 1.0"]),
        (dict(lower=2.0, upper=1.0, row_names=["left", "right"]), ["row left"]),
        (dict(row_names=["one"]), ["row_names has 1", "2 rows"]),
        (dict(A=np.eye(2) * (1 + 1j)), ["A must be real", "complex"]),
        (dict(A=sp.csr_matrix(np.eye(2) * 1j)), ["A must be real", "complex"]),
        (dict(b=[1.0, 1j]), ["b must be real", "complex"]),
        (dict(b=np.ma.array([1.0, 2.0], mask=[False, True])), ["b has masked entries"]),
        (dict(A=np.ma.array(np.eye(2), mask=np.eye(2))), ["A has masked entries"]),
        (dict(b=[10**400, 1]), ["b holds an integer beyond the largest float"]),
        (dict(upper=["1", "2"]), ["upper must be an array of real numbers"]),
    ],
)
def test_bad_input_gets_one_sentence(change, words):
    with pytest.raises(BadProblem) as caught:
        MLCP(**{**GOOD, **change})
    message = str(caught.value)
    assert all(word in message for word in words), message
    assert "\n" not in message
    assert message.endswith(".")


def test_the_callers_arrays_are_copied_and_ours_are_read_only():
    A, b, lower, upper = np.eye(2), -np.ones(2), np.zeros(2), np.ones(2)
    problem = MLCP(A, b, lower, upper)
    A[0, 0] = b[0] = lower[0] = 99.0
    assert problem.A[0, 0] == 1.0
    assert problem.b[0] == -1.0
    assert problem.lower[0] == 0.0
    for array in (problem.A, problem.b, problem.lower, problem.upper):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


def test_sparse_and_dense_are_the_same_problem():
    A = np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [1.0, 0.0, 2.0]])
    dense, sparse = (MLCP(M, -np.ones(3)) for M in (A, sp.coo_matrix(A)))
    assert sparse.sparse
    assert not dense.sparse
    assert np.array_equal(sparse.dense_A, A)
    assert np.array_equal(solve(dense).z, solve(sparse).z)
    assert sparse.symmetric
    assert dense.symmetric


test_calls_out_of_range_get_one_sentence = refusals(
    (lambda: solve(MLCP([[1.0, 0.5], [-0.5, 1.0]], -np.ones(2)), "osqp"), "osqp needs a symmetric A"),
    (
        lambda: solve(MLCP([[1.0, 3.0], [3.0, 1.0]], -np.ones(2)), "cvxpy"),
        "needs a positive semidefinite",
    ),
    (lambda: solve(MLCP(**GOOD), "drect"), r"'drect'.*did you mean 'direct'.*newton"),
    (lambda: solve(MLCP(**GOOD), SOLVERS["pgs"]), "a name or a configured solver"),
    (lambda: solve([[1.0]]), r"solve takes a problem.* was given a list"),
    *(
        (lambda tol=tol: solve(MLCP(**GOOD), tol=tol), r"tol is .* between 0 and 1")
        for tol in (0.0, -1.0, np.nan, 2.0)
    ),
    *(
        (lambda z0=z0: solve(MLCP(**GOOD), z0=z0), "z0 must be 2 finite numbers")
        for z0 in (np.ones(3), np.array([0.0, np.nan]))
    ),
    *(
        (
            lambda name=name, given=given: SOLVERS[name](**given),
            f"{next(iter(given))} = .* must be above 0",
        )
        for name, given in (
            ("pgs", dict(relaxation=2.5)),
            ("pgs", dict(max_sweeps=0)),
            ("osqp", dict(eps=-1.0)),
            ("direct", dict(max_pivots=0)),
            ("newton", dict(max_iterations=-3)),
        )
    ),
    error=(ValueError, TypeError),
)


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_rows_are_solved_by_every_solver(solver):
    for A in (np.zeros((0, 0)), sp.csr_matrix((0, 0))):
        assert solve(MLCP(A, np.zeros(0)), solver).solved


def test_a_problem_and_its_solution_show_themselves_in_a_few_lines():
    problem = MLCP(np.eye(300), -np.arange(300.0))
    solution = solve(problem)
    assert repr(problem) == "MLCP(300 rows, dense; its numbers are in .A, .b, .lower, .upper)"
    assert repr(solution).startswith("Solution(SOLVED by direct: 300 rows, residual")
    assert len(repr(solution)) < 300
