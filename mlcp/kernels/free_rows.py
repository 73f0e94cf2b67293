"""Gaussian elimination of free rows, with diagonal pivots that skip dependent rows; W: ``FreeWork``."""

import numpy as np

from mlcp.compiled.workspace import WorkArray, part
from mlcp.jit import kernel

PIVOT_FLOOR = 1e-12  # smallest pivot over the row's diagonal entry; a smaller pivot is taken as zero


class FreeWork(WorkArray, sizes="n"):
    """Memory of the free rows' equations."""

    matrix = part("n n", "matrix of the f free rows, f x f, factored in place")
    diagonal = part("n", "scale of every row's a_ii")
    order = part("n", "the free rows, the independent ones first")
    x = part("n", "right-hand side and solution")


@kernel
def symmetric_matrix(A, n):
    """Whether the leading n x n block of A equals its transpose."""
    for i in range(n):
        for j in range(i):
            if A[i, j] != A[j, i]:
                return False
    return True


@kernel
def subtract_row(to, start, of, row, factor, n):
    """Subtract ``factor * of[row + c]`` from ``to[start + c]`` for c < n."""
    for c in range(n):
        to[np.uint64(start + c)] -= factor * of[np.uint64(row + c)]


@kernel
def factor_free_matrix(A, f, W):
    """Factor L U = A[F, F] of the free rows F in W.matrix; return the numerical rank.

    Arguments:
        A (N, N): the matrix.
        f: number of free rows, listed in W.order; the list is reordered so that the independent
            rows come first.
        W: a ``FreeWork``.

    Only diagonal pivots are used: they exist for P-matrices and positive definite matrices, and scaling
    a row and its column does not change their order. A row whose pivot vanishes is tried again later.
    """
    matrix, diagonal, order = W.matrix, W.diagonal, W.order
    for r in range(f):
        i = int(order[r])
        for c in range(f):
            matrix[r * f + c] = A[i, int(order[c])]
    for k in range(f):
        q = k
        while q < f:
            if abs(matrix[q * f + q]) > PIVOT_FLOOR * diagonal[int(order[q])]:
                break
            q += 1
        if q == f:
            return k
        if q != k:
            swap_free(W, f, k, q)
        inverse = 1.0 / matrix[k * f + k]
        for r in range(k + 1, f):
            factor = inverse * matrix[r * f + k]
            matrix[r * f + k] = factor
            if factor != 0.0:
                subtract_row(matrix, r * f + k + 1, matrix, k * f + k + 1, factor, f - k - 1)
    return f


@kernel
def swap_free(W, f, k, q):
    """Swap rows and columns k and q of the f x f matrix, and the entries k and q of the order."""
    matrix, order = W.matrix, W.order
    for c in range(f):
        matrix[k * f + c], matrix[q * f + c] = matrix[q * f + c], matrix[k * f + c]
    for r in range(f):
        matrix[r * f + k], matrix[r * f + q] = matrix[r * f + q], matrix[r * f + k]
    order[k], order[q] = order[q], order[k]


@kernel
def solve_eliminated(f, rank, W):
    """Solve L U x = y for the independent rows, W.x holding y, then x; dependent rows get 0."""
    matrix, x = W.matrix, W.x
    for r in range(1, rank):
        total = x[r]
        for c in range(r):
            total -= matrix[np.uint64(r * f + c)] * x[np.uint64(c)]
        x[r] = total
    for r in range(rank - 1, -1, -1):
        total = x[r]
        for c in range(r + 1, rank):
            total -= matrix[np.uint64(r * f + c)] * x[np.uint64(c)]
        x[r] = total / matrix[r * f + r]
    for r in range(rank, f):
        x[r] = 0.0
