"""Sums along rows of a matrix, and the pivot that counts as zero, for several factorisations."""

import numpy as np

from mlcp.jit import kernel, summing

PIVOT_FLOOR = 1e-12  # smallest pivot over the row's diagonal entry; a smaller pivot is taken as zero


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


@summing
def row_product(matrix, start, x, first, n):
    """Scalar product matrix[start : start + n] . x[first : first + n]."""
    total = 0.0
    for c in range(n):
        total += matrix[np.uint64(start + c)] * x[np.uint64(first + c)]
    return total
