"""Elimination order and factor of sparse matrices equal naive versions; a structured problem has the
same solution with its velocities as unknowns."""

import numpy as np
import pytest
import scipy.sparse as sp

from mlcp import MLCP, solve
from mlcp.kernels.sparse import sparse_entry
from mlcp.solvers.sparse import elimination_order, sparse
from tests.mlcp import generators


def saddle(seed, n=30, m=12, filled=1.0):
    """Sparse saddle point [H, -G'; G, 0], H positive definite; ``filled`` scales the density."""
    rng = np.random.default_rng(seed)
    R = sp.random(n, n, 0.08 * filled, random_state=seed)
    G = sp.random(m, n, 0.15 * filled, random_state=seed + 1) + sp.eye(m, n)
    A = sp.bmat([[R @ R.T + sp.eye(n), -G.T], [G, None]]).tocsr()
    return MLCP(A, rng.normal(size=n + m), np.r_[np.zeros(n), np.full(m, -np.inf)])


def analysed(problem):
    """(elimination order of the rows, number of entries of the factor L; negative: A is refused)."""
    n, many = problem.n, len(problem.csr[2])
    ints = np.zeros(sparse_entry.SparseInts.length(n, many), np.int64)
    floats = np.zeros(sparse_entry.SparseFloats.length(n, many))
    given = *problem.csr, problem.b, problem.lower, problem.upper
    entries = sparse_entry.run_sparse_signs(given, ints, floats)
    if entries < 0:
        return np.arange(n), entries
    pattern = sparse_entry.SparseInts(ints, n, many)
    order = elimination_order(pattern.start, pattern.column[:entries])
    return order, sparse_entry.run_sparse_tree(many, order, ints, floats)


def naive_fill(A, order):
    """Number of entries of the factor L, by eliminating row after row on sets of neighbours."""
    sees = {i: set(np.flatnonzero(A[i])) - {i} for i in range(len(A))}
    filled = 0
    for i in order:
        others = sees.pop(i)
        filled += len(others)
        for j in others:
            sees[j] |= others
            sees[j] -= {i, j}
    return filled


@pytest.mark.parametrize("filled", [0.3, 1.0])
@pytest.mark.parametrize("seed", range(20))
def test_the_order_is_one_of_all_rows_and_its_fill_is_the_naive_one(seed, filled):
    problem = saddle(seed, filled=filled)
    order, filled = analysed(problem)
    assert sorted(order) == list(range(problem.n))
    pattern = (problem.dense_A != 0) | (problem.dense_A.T != 0)
    assert filled == naive_fill(pattern, order)
    assert filled <= naive_fill(pattern, range(problem.n))


def test_a_grid_fills_little():
    line = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(30, 30))
    A = (sp.kron(line, sp.eye(30)) + sp.kron(sp.eye(30), line)).tocsr()
    assert analysed(MLCP(A, 1.0))[1] < 12_000  # entries of the factor; a banded one has 27,000


@pytest.mark.parametrize("seed", range(10))
def test_rows_without_bounds_are_solved_as_equations(seed):
    problem = saddle(seed)
    free = MLCP(problem.A, problem.b, -np.inf)
    z = sparse(free, 1e-10, np.inf).z
    assert z == pytest.approx(np.linalg.solve(free.dense_A, -free.b), rel=1e-8, abs=1e-10)


def test_entries_on_one_side_alone_are_round_off_or_the_end():
    line = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(9, 9)).tolil()
    for lone, filled in ((1e-17, True), (1e-3, False)):
        line[0, 5] = lone
        assert (analysed(MLCP(line.tocsr(), -1.0))[1] >= 0) == filled


def test_a_structured_problem_with_its_velocities_is_the_same():
    problem = generators.contact_graph(20, 8, 3, friction=0.3)
    other = solve(problem.with_velocities())
    assert problem.recomputed(other.z[6 * problem.bodies :])[2] <= 1e-10
