"""Sparse L D L' of a matrix whose pattern is known beforehand.

``V`` holds the n pivots, then the entries below them column by column, then one number that takes
whatever falls outside the pattern. Columns are those of the order of elimination; ``first`` (n + 1)
says where each begins, ``row`` in which row each entry lies. The products of an entry with those
below it go to places from ``start`` on, one after the other, or, where that is negative, to those that
``into`` lists from ``-1 - start`` on.
"""

from __future__ import annotations

import numpy as np

from mlcp.jit import kernel

PIVOT_FLOOR = 1e-12  # a pivot below this share of the mass on its diagonal is no mass


@kernel
def eliminate(V, n, first, row, start, into, least, held):
    """V = L D L' in place, with 1 / D kept; returns -1, or the column whose pivot is not positive.

    ``held`` true: such a column is held still (1 / D = 0) instead, and the rest goes on.

    ``least`` (n,): what a pivot must exceed; zero or more. Places are cast to unsigned: a third of the
    time went into looking whether they are negative.
    """
    for k in range(n):
        begin, end = first[k], first[k + 1]
        if not V[k] > least[k]:
            if not held:
                return k
            V[k] = 0.0
            for a in range(n + begin, n + end):
                V[a] = 0.0
            continue
        inverse = 1.0 / V[k]
        for a in range(begin, end):
            g = V[n + a]
            f = g * inverse
            if f != 0.0:
                V[row[a]] -= f * g
                s = start[a]
                if s >= 0:
                    for b in range(end - a - 1):
                        V[np.uint64(s + b)] -= f * V[np.uint64(n + a + 1 + b)]
                else:
                    for b in range(end - a - 1):
                        V[into[b - s - 1]] -= f * V[np.uint64(n + a + 1 + b)]
        for a in range(n + begin, n + end):
            V[a] *= inverse
        V[k] = inverse
    return -1


@kernel
def forward(V, n, first, row, Y, columns):
    """Y <- L^-1 Y, rows of Y in the order of elimination."""
    for k in range(n):
        for a in range(first[k], first[k + 1]):
            f, r = V[n + a], row[a]
            if f != 0.0:
                for c in range(columns):
                    Y[r, c] -= f * Y[k, c]


@kernel
def backward(V, n, first, row, Y, columns):
    """Y <- L'^-1 Y."""
    for k in range(n - 1, -1, -1):
        for a in range(first[k], first[k + 1]):
            f, r = V[n + a], row[a]
            if f != 0.0:
                for c in range(columns):
                    Y[k, c] -= f * Y[r, c]
