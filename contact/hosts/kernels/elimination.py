"""Sparse L D L' of a matrix whose pattern is known beforehand.

``V`` holds the n pivots, then the entries below them column by column, then one number that takes
whatever falls outside the pattern. Columns are those of the order of elimination; ``first`` (n + 1)
says where each begins, ``row`` in which row each entry lies, and ``into`` where every product of two
entries of a column belongs, in the order in which ``eliminate`` comes to them.
"""

from __future__ import annotations

from mlcp.jit import kernel

PIVOT_FLOOR = 1e-12  # a pivot below this share of its diagonal is no mass


@kernel
def eliminate(V, n, first, into, least):
    """V = L D L' in place, with 1 / D kept; returns -1, or the column whose pivot is not positive.

    ``least`` (n,) is working memory.
    """
    for k in range(n):
        least[k] = PIVOT_FLOOR * V[k]
    t = 0
    for k in range(n):
        if not V[k] > max(least[k], 0.0):
            return k
        inverse = 1.0 / V[k]
        begin, end = n + first[k], n + first[k + 1]
        for a in range(begin, end):
            f = V[a] * inverse
            if f != 0.0:
                for b in range(a, end):
                    V[into[t + b - a]] -= f * V[b]
            t += end - a
        for a in range(begin, end):
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
