"""Gaussian elimination of the free rows, with diagonal pivots that skip dependent rows."""

from __future__ import annotations

import numpy as np

from mlcp.jit import kernel

PIVOT_FLOOR = 1e-12  # a pivot below this times the row's own diagonal counts as zero


@kernel
def symmetric_matrix(A, n):
    """Whether the leading n x n block equals its transpose."""
    for i in range(n):
        for j in range(i):
            if A[i, j] != A[j, i]:
                return False
    return True


@kernel
def subtract_row(work, to, row, factor, n):
    """work[to : to + n] -= factor work[row : row + n]."""
    for c in range(n):
        work[np.uint64(to + c)] -= factor * work[np.uint64(row + c)]


@kernel
def eliminate(A, n, delta, f, work, o_ref, o_order, symmetric):
    """Factor (A + delta D)[F, F] = L U into work[:f*f]; returns its numerical rank.

    Arguments:
        A (N, N): the matrix; D is the diagonal work[o_ref : o_ref + n].
        f: number of free rows, listed in work[o_order : o_order + f]; the list is reordered so
            that the independent rows come first.
        symmetric: A is; then only the upper triangle is worked on, in half the time.

    Diagonal pivots only: they exist for P-matrices and positive definite ones, and scaling a row
    and its column changes nothing. A row whose pivot vanishes is tried again after the others.
    """
    for r in range(f):
        i = int(work[o_order + r])
        at = r * f
        for c in range(r if symmetric else 0, f):
            work[at + c] = A[i, int(work[o_order + c])]
        work[at + r] += delta * work[o_ref + i]
    for k in range(f):
        q = k
        while q < f:
            i = int(work[o_order + q])
            if abs(work[q * f + q]) > PIVOT_FLOOR * work[o_ref + i]:
                break
            q += 1
        if q == f:
            return k
        if q != k:
            if symmetric:
                for r in range(k, f):
                    for c in range(r + 1, f):
                        work[c * f + r] = work[r * f + c]
            exchange(work, f, k, q, o_order)
        inverse = 1.0 / work[k * f + k]
        for r in range(k + 1, f):
            first = r if symmetric else k + 1
            factor = inverse * (work[k * f + r] if symmetric else work[r * f + k])
            work[r * f + k] = factor
            if factor != 0.0:
                subtract_row(work, r * f + first, k * f + first, factor, f - first)
    return f


@kernel
def exchange(work, f, k, q, o_order):
    """Swap rows and columns k and q of the f x f matrix in work, and their places in the order."""
    for c in range(f):
        work[k * f + c], work[q * f + c] = work[q * f + c], work[k * f + c]
    for r in range(f):
        work[r * f + k], work[r * f + q] = work[r * f + q], work[r * f + k]
    work[o_order + k], work[o_order + q] = work[o_order + q], work[o_order + k]


@kernel
def solve_eliminated(f, rank, work, o_x):
    """x <- (L U)^-1 x in place for the independent rows, 0 for the dependent ones."""
    for r in range(1, rank):
        x = work[o_x + r]
        for c in range(r):
            x -= work[np.uint64(r * f + c)] * work[np.uint64(o_x + c)]
        work[o_x + r] = x
    for r in range(rank - 1, -1, -1):
        x = work[o_x + r]
        for c in range(r + 1, rank):
            x -= work[np.uint64(r * f + c)] * work[np.uint64(o_x + c)]
        work[o_x + r] = x / work[r * f + r]
    for r in range(rank, f):
        work[o_x + r] = 0.0
