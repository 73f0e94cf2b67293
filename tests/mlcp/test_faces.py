"""Newton steps in faces of the box of bounds solve the literature's problems; the factor is updated."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from benchmarks.dense_families import FAMILIES
from mlcp import MLCP, solve
from mlcp.jit import entry_point
from mlcp.kernels.dense.free_factor import (
    FactorWork,
    Floor,
    factor_of,
    factor_rows,
    join,
    leave,
    solve_factored,
)
from tests.mlcp import generators, naive


@entry_point("mlcp")
def run_changes(A, symmetric, first, gone, come, right, work, rows):
    """Factor rows ``first``, drop slots ``gone``, add rows ``come``; ``right`` becomes the solution,
    with zeros for all other rows."""
    n = A.shape[0]
    F = factor_of(A, n, FactorWork(work, n), symmetric)
    for k in range(first.shape[0]):
        F.row[k] = first[k]
    f, floor = first.shape[0], Floor(1e-11, 0.0)
    good = factor_rows(F, f, floor)
    for slot in gone:
        leave(F, slot, f)
    for i in come:
        good = join(F, i, f, floor) and good
        f += 1
    for k in range(f):
        F.x[k] = right[int(F.row[k])] if F.row[k] >= 0.0 else 0.0
    solve_factored(F, f)
    for i in range(n):
        right[i] = 0.0
    for k in range(f):
        if F.row[k] >= 0.0:
            right[int(F.row[k])] = F.x[k]
            rows[int(F.row[k])] = 1
    return good


@pytest.mark.parametrize("symmetric", [True, False])
def test_a_factor_follows_rows_that_come_and_go(symmetric):
    rng = np.random.default_rng(0)
    n = 14
    A = rng.normal(size=(n, n))
    A = A @ A.T + np.eye(n) + (0.0 if symmetric else 2.0) * (A - A.T)
    first = np.array([3, 0, 7, 9, 1, 12, 4, 5])
    right, rows = rng.normal(size=n), np.zeros(n, np.int64)
    wanted = right.copy()
    work = np.empty(FactorWork.length(n))
    gone, come = np.array([0, 5, 2, 7]), np.array([8, 3, 13, 5, 11])
    assert run_changes(A, symmetric, first, gone, come, right, work, rows)
    inside = np.flatnonzero(rows)
    assert set(inside) == ({0, 9, 1, 4} | {8, 3, 13, 5, 11})
    exact = np.linalg.solve(A[np.ix_(inside, inside)], wanted[inside])
    assert np.allclose(right[inside], exact, rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", FAMILIES)
def test_families_from_the_literature_are_solved(name):
    for n, seed in ((12, 0), (30, 1), (30, 2)):
        problem = FAMILIES[name](n, seed)
        found = solve(problem)
        assert (
            naive.natural_residual(problem.A, problem.b, problem.lower, problem.upper, found.z) <= 1e-10
        )
        if problem.symmetric and np.linalg.cond(problem.A) < 1e8:
            root = np.linalg.cholesky(problem.A)
            theirs = lsq_linear(
                root.T,
                -np.linalg.solve(root, problem.b),
                (problem.lower, problem.upper),
                method="bvls",
                tol=1e-15,
            ).x
            size = np.max(np.abs(theirs), initial=1e-3)
            assert np.allclose(found.z, theirs, rtol=0, atol=1e-6 * size)


@pytest.mark.parametrize("skew", [0.0, 1.0])
@pytest.mark.parametrize("rank", [20, 40])
def test_any_rank_any_bounds_and_a_start_anywhere(skew, rank):
    for seed in range(6):
        psd = generators.random_psd(40, rank, seed)
        S = np.random.default_rng(seed).normal(size=(40, 40))
        A = psd.A + skew * (S - S.T)
        problem = MLCP(A, psd.b if skew == 0.0 else A @ S[0], psd.lower, psd.upper)
        cold = solve(problem, raise_on_failure=False)
        if skew == 0.0 or rank == 40:
            assert cold.solved
        assert cold.solved == (cold.natural_residual() <= 1e-10)
        if cold.solved:
            assert cold.residual == pytest.approx(cold.natural_residual(), rel=1e-9)
            warm = solve(problem, z0=cold)
            assert warm.solved
            assert np.allclose(warm.w, cold.w, rtol=0, atol=1e-8 * np.max(np.abs(problem.b)))
            # with many solutions round-off decides which one is found, and in how many steps
            assert warm.iterations <= 2 + cold.iterations
