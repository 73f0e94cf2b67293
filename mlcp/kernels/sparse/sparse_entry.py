"""Compiled calls from Python for sparse problems.

``run_sparse_signs`` computes the signs S that make S A symmetric, ``run_sparse_tree`` the elimination
tree for a given order; ``run_sparse_interior`` then solves by interior points.

``given = start, column, value, b, lower, upper``, A by rows. The first two calls fill ints and floats,
which the later ones read.
"""

from __future__ import annotations

from mlcp.compiled.workspace import WorkArray, part, within
from mlcp.jit import entry_point, kernel
from mlcp.kernels.dense_problem import Limits
from mlcp.kernels.one_row import largest_own_size
from mlcp.kernels.sparse import sparse_signs
from mlcp.kernels.sparse.sparse_factor import SparseFactor, fill_columns, grow_tree
from mlcp.kernels.sparse.sparse_interior import PointWork, sparse_interior
from mlcp.kernels.sparse_rows import SparseProblem, fill_diagonal, sparse_row


class SparseInts(WorkArray, sizes="n many"):
    """Integers of a sparse problem of n rows and ``many`` entries of A."""

    start = part("n + 1", "first entry of each row of S A")
    column = part("2 many", "column of each entry of S A")
    order = part("n", "elimination order of the rows")
    place = part("n", "position of each row in this order")
    parent = part("n", "elimination tree")
    above_start = part("n + 1", "first entry above the diagonal of each column, in this order")
    above_row = part("many", "position of the row of each of these entries")
    first = part("n + 1", "first entry of each column of L")
    filled = part("n", "number of entries of each column of L so far")
    path = part("n", "scratch")
    flag = part("n", "scratch")
    transposed = part("n + 1", "first entry of each row of A'")
    transposed_column = part("many", "column of each entry of A'")
    transposed_place = part("many", "position of each entry of A' in A")


class SparseFloats(WorkArray, sizes="n many"):
    """Numbers of a sparse problem of n rows and ``many`` entries of A."""

    sign = part("n", "signs S")
    diagonal = part("n", "diagonal of S A in rows of unit diagonal")
    value = part("2 many", "entries of S A off the diagonal")
    scale = part("n", "scales of the rows")
    above = part("many", "entries above the diagonal, by columns in elimination order")
    inverse = part("n", "1 / D of the factorisation L D L'")
    x = part("n", "right-hand side and solution in elimination order")
    point = within(PointWork, "point and step of the interior-point method")


@kernel
def signed_of(N, F):
    """The matrix S A."""
    return sparse_signs.Signed(N.start, N.column, F.value, F.sign, F.diagonal)


@kernel
def tree_of(N, F, below, factor):
    """The factorisation; below and factor: position of the row and value of each entry of L."""
    return SparseFactor(
        N.order, N.place, N.parent, N.above_start, N.above_row, F.above, N.first, N.filled, below,
        factor, F.inverse, F.x, N.path, N.flag,
    )  # fmt: skip


@entry_point("mlcp")
def run_sparse_signs(given, ints, floats):
    """Compute the matrix S A; return the number of its entries off the diagonal, -1 if no S exists."""
    start, column, value, b, lower, upper = given
    n, many = b.shape[0], value.shape[0]
    N, F = SparseInts(ints, n, many), SparseFloats(floats, n, many)
    K, transposed = signed_of(N, F), N.transposed
    problem = SparseProblem(start, column, value, F.point.sizes.diagonal, b, lower, upper)
    fill_diagonal(problem)
    sparse_signs.unit_scale(problem, F.scale)
    rows, place = N.transposed_column, N.transposed_place
    sparse_signs.count_pattern(start, column, n, transposed, N.path)
    sparse_signs.fill_transposed((start, column), n, transposed, N.path, rows, place)
    merged = sparse_signs.merge_pattern(problem, F.scale, transposed, rows, place, K)
    return K.start[n] if merged and sparse_signs.find_signs(K, n, N.path) else -1


@entry_point("mlcp")
def run_sparse_tree(many, order, ints, floats):
    """Compute the tree for the elimination order ``order`` (n,); return the number of L's entries."""
    n = order.shape[0]
    N, F = SparseInts(ints, n, many), SparseFloats(floats, n, many)
    T = tree_of(N, F, ints, floats)
    for k in range(n):
        T.order[k] = order[k]
    fill_columns(signed_of(N, F), T, n)
    return grow_tree(T, n)


@entry_point("mlcp")
def run_sparse_interior(given, ints, floats, factor, found, limits):
    """Solve by interior points (``sparse_interior``).
    ``factor``: row and value of each entry of L; ``found = z, w``; ``limits = tol, deadline``."""
    start, column, value, b, lower, upper = given
    n, many = b.shape[0], value.shape[0]
    (below, entries), (tol, deadline), (z, w) = factor, limits, found
    N, F = SparseInts(ints, n, many), SparseFloats(floats, n, many)
    W, T = F.point, tree_of(N, F, below, entries)
    problem = SparseProblem(start, column, value, W.sizes.diagonal, b, lower, upper)
    fill_diagonal(problem)
    beta = largest_own_size(problem, F.scale, n)
    ends = Limits(tol, 0, deadline, 0.0)
    code, steps, residual = sparse_interior(problem, signed_of(N, F), T, W, F.scale, beta, z, ends)
    for i in range(n):
        w[i] = sparse_row(problem, z, i)
    return code, steps, residual
