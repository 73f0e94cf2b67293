"""Compiled calls from Python for sparse problems.

``run_sparse_signs`` computes the signs S that make S A symmetric, ``run_sparse_tree`` the elimination
tree for a given order; ``run_sparse_interior`` then solves by interior points.

``given = start, column, value, b, lower, upper``, A by rows. The first two calls fill ints and floats,
which the later ones read.
"""

from __future__ import annotations

from mlcp.jit import entry_point, part
from mlcp.kernels.dense_problem import Limits
from mlcp.kernels.one_row import largest_own_size
from mlcp.kernels.sparse import sparse_signs
from mlcp.kernels.sparse.sparse_factor import SparseFactor, fill_columns, grow_tree
from mlcp.kernels.sparse.sparse_interior import PointWork, sparse_interior
from mlcp.kernels.sparse_rows import SparseProblem, fill_diagonal, sparse_row


@part
def signed_of(n, many, ints, floats):
    """View the first parts of ints and floats as the matrix S A; many: number of entries of A."""
    return sparse_signs.Signed(
        ints[: n + 1], ints[n + 1 : n + 1 + 2 * many], floats[3 * n : 3 * n + 2 * many],
        floats[:n], floats[n : 2 * n],
    )  # fmt: skip


@part
def tree_of(n, many, ints, floats, below, factor):
    """View the parts of ints and floats after those of ``signed_of`` as a ``SparseFactor``; below and
    factor: row and value of each entry of L."""
    i, f = ints[n + 1 + 2 * many :], floats[3 * n + 2 * many :]
    o = 8 * n + 2
    return SparseFactor(
        i[:n], i[n : 2 * n], i[2 * n : 3 * n], i[3 * n : 4 * n + 1], i[o : o + many],
        f[2 * n : 2 * n + many], i[4 * n + 1 : 5 * n + 2], i[5 * n + 2 : 6 * n + 2], below, factor,
        f[:n], f[n : 2 * n], i[6 * n + 2 : 7 * n + 2], i[7 * n + 2 : o],
    )  # fmt: skip


@entry_point("mlcp")
def run_sparse_signs(given, ints, floats):
    """Compute the matrix S A; return the number of its entries off the diagonal, -1 if no S exists.

    ints: first the starts of the rows of S A (n + 1), then the columns of its entries.
    """
    start, column, value, b, lower, upper = given
    n, many = b.shape[0], value.shape[0]
    scale = floats[2 * n : 3 * n]
    problem = SparseProblem(start, column, value, floats[n : 2 * n], b, lower, upper)
    fill_diagonal(problem)
    sparse_signs.unit_scale(problem, scale)
    K = signed_of(n, many, ints, floats)
    rest = ints[n + 1 + 2 * many :]
    transposed, path, row = rest[: n + 1], rest[n + 1 : 2 * n + 1], rest[2 * n + 1 : 2 * n + 1 + many]
    place = rest[2 * n + 1 + many :]
    sparse_signs.count_pattern(start, column, n, transposed, path)
    sparse_signs.fill_transposed((start, column), n, transposed, path, row, place)
    merged = sparse_signs.merge_pattern(problem, scale, transposed, row, place, K)
    return K.start[n] if merged and sparse_signs.find_signs(K, n, path) else -1


@entry_point("mlcp")
def run_sparse_tree(many, order, ints, floats):
    """Compute the tree for the elimination order ``order`` (n,); return the number of L's entries."""
    n = order.shape[0]
    T = tree_of(n, many, ints, floats, ints, floats)
    for k in range(n):
        T.order[k] = order[k]
    fill_columns(signed_of(n, many, ints, floats), T, n)
    return grow_tree(T, n)


@entry_point("mlcp")
def run_sparse_interior(given, ints, floats, factor, found, limits):
    """Solve by interior points (``sparse_interior``).
    ``factor``: row and value of each entry of L; ``found = z, w``; ``limits = tol, deadline``."""
    start, column, value, b, lower, upper = given
    n, many = b.shape[0], value.shape[0]
    (below, entries), (tol, deadline), (z, w) = factor, limits, found
    K = signed_of(n, many, ints, floats)
    T = tree_of(n, many, ints, floats, below, entries)
    scale, work = floats[2 * n : 3 * n], floats[5 * n + 3 * many :]
    W = PointWork(work, n)
    problem = SparseProblem(start, column, value, W.sizes.diagonal, b, lower, upper)
    fill_diagonal(problem)
    beta = largest_own_size(problem, scale, n)
    ends = Limits(tol, 0, deadline, 0.0)
    code, steps, residual = sparse_interior(problem, K, T, W, scale, beta, z, ends)
    for i in range(n):
        w[i] = sparse_row(problem, z, i)
    return code, steps, residual


def sparse_ints(n: int, many: int) -> int:
    """Length of the array ``ints`` of the calls; ``many``: number of entries of A."""
    return 9 * n + 3 + 4 * many


def sparse_floats(n: int, many: int) -> int:
    """Length of the array ``floats`` of the calls; ``many``: number of entries of A."""
    return 5 * n + 3 * many + PointWork.length(n)
