"""Every solver ends at its time limit with the status TIME_LIMIT, and keeps a sparse matrix sparse."""

import numpy as np
import pytest
import scipy.sparse as sp

from mlcp import MLCP, SOLVERS, CoupledMLCP, MlcpNotSolved, Status, solve, solve_coupled
from mlcp.kernels.deadline import deadline_passed
from mlcp.solvers import newton_large
from tests.mlcp.generators import box_stack


def hard(n=150, skew=False):
    rng = np.random.default_rng(0)
    R = rng.normal(size=(n, n // 3))
    A = R @ R.T
    if skew:
        S = rng.normal(size=(n, n))
        A = A + S - S.T
    return MLCP(A, rng.normal(size=n), -0.01 if skew else -1e3, 0.01 if skew else 1e3)


@pytest.mark.parametrize(
    ("solver", "problem"),
    [("newton", hard()), ("newton", hard(60)), ("pgs", hard()), ("direct", hard(skew=True)),
     ("direct", hard(300)), ("direct", box_stack(20, shake=1e-2)), ("osqp", hard()), ("cvxpy", hard()),
     ("pgs", MLCP(sp.csr_matrix(hard().A), hard().b))],
)  # fmt: skip
def test_a_time_that_has_passed_is_its_own_status(solver, problem):
    """A limit of 1 ns, over before the first check, gives TIME_LIMIT, not a failure of the method."""
    solution = solve(problem, SOLVERS[solver](time_limit=1e-9), raise_on_failure=False)
    assert solution.status is Status.TIME_LIMIT
    with pytest.raises(MlcpNotSolved, match="Stopped at the time limit"):
        solve(problem, SOLVERS[solver](time_limit=1e-9))


@pytest.mark.parametrize("limit", [0.0, -1.0, np.nan, "soon"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_limit_that_is_no_time_is_refused(solver, limit):
    with pytest.raises(ValueError, match="time_limit"):
        SOLVERS[solver](time_limit=limit)


def test_the_clock_of_compiled_code_is_pythons():
    import math

    from mlcp.jit import clock

    now = clock()
    assert deadline_passed(now - 1.0)
    assert not deadline_passed(now + 1e3)
    assert not deadline_passed(math.inf)
    assert deadline_passed.py_func(now - 1.0)


@pytest.mark.parametrize("solver", ["direct", "newton", "pgs", "osqp", "cvxpy"])
def test_a_sparse_problem_stays_sparse(solver):
    n = 5000
    A = sp.diags([np.full(n - 1, -1.0), np.full(n, 2.5), np.full(n - 1, -1.0)], [-1, 0, 1], format="csr")
    b = np.random.default_rng(1).normal(size=n)
    problem = MLCP(A, b)
    solution = solve(problem, solver)
    assert "dense_A" not in problem.__dict__
    w = A @ solution.z + b
    assert np.max(np.abs(np.minimum(solution.z, w))) <= 1e-5


def test_many_rows_take_the_same_newton_steps_as_few():
    rng = np.random.default_rng(4)
    R = rng.normal(size=(40, 40))
    problem = MLCP(R @ R.T + 0.1 * np.eye(40), rng.normal(size=40), -1.0, 0.5)
    few = solve(problem, SOLVERS["newton"](large=1000))
    many = solve(problem, SOLVERS["newton"](large=2))
    assert few.iterations == many.iterations
    assert np.allclose(few.z, many.z, atol=1e-12)
    for a, b in ((1.0, 2.0), (-1.0, 0.5), (0.0, 0.0), (np.inf, 3.0), (2.0, np.inf)):
        from mlcp.kernels.newton import fischer

        assert newton_large.fischer(np.array([a]), np.array([b])) == pytest.approx(fischer(a, b))


def test_coupled_rows_keep_the_solvers_limit():
    rng = np.random.default_rng(2)
    J = rng.normal(size=(40, 12))
    base = MLCP(J @ J.T, rng.normal(size=40), np.where(np.arange(40) % 2, -np.inf, 0.0))
    problem = CoupledMLCP(base, [-1 if i % 2 == 0 else i - 1 for i in range(40)], 2.0)
    solution = solve_coupled(problem, solver=SOLVERS["direct"](time_limit=1e-9), raise_on_failure=False)
    assert solution.status is Status.TIME_LIMIT
