"""Sparse L D L' of a matrix whose pattern is known beforehand, and substitutions with few columns.

``V`` holds the n pivots, then the entries below them column by column, then one number that takes
whatever falls outside the pattern. Columns are those of the order of elimination; ``first`` (n + 1)
says where each begins, ``row`` in which row each entry lies. The products of an entry with those
below it go to places from ``start`` on, one after the other, or, where that is negative, to those that
``into`` lists from ``-1 - start`` on.

Right-hand sides of wheels come in panels: two wheels, four columns each, side by side, so the number
(place k, column c) of wheel i lies at ``8 (n (i // 2) + k) + 4 (i % 2) + c``.
Places are cast to unsigned: a third of the time went into looking whether they are negative.
"""

from __future__ import annotations

import numpy as np

from mlcp.jit import kernel

PIVOT_FLOOR = 1e-12  # a pivot below this share of the mass on its diagonal is no mass


@kernel
def eliminate(V, n, first, row, start, into, least, held):
    """V = L D L' in place, with 1 / D kept; returns -1, or the column whose pivot is not positive.

    ``held`` true: such a column is held still (1 / D = 0) instead, and the rest goes on.

    ``least`` (n,): what a pivot must exceed; zero or more.
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
            g = V[np.uint64(n + a)]
            f = g * inverse
            if f != 0.0:
                V[np.uint64(row[np.uint64(a)])] -= f * g
                s = start[np.uint64(a)]
                if s >= 0:
                    for b in range(end - a - 1):
                        V[np.uint64(s + b)] -= f * V[np.uint64(n + a + 1 + b)]
                else:
                    for b in range(end - a - 1):
                        V[np.uint64(into[np.uint64(b - s - 1)])] -= f * V[np.uint64(n + a + 1 + b)]
        for a in range(n + begin, n + end):
            V[np.uint64(a)] *= inverse
        V[k] = inverse
    return -1


@kernel
def forward(V, n, first, row, y):
    """y <- L^-1 y, in the order of elimination."""
    for k in range(n):
        f = y[k]
        if f != 0.0:
            for a in range(first[k], first[k + 1]):
                y[np.uint64(row[np.uint64(a)])] -= V[np.uint64(n + a)] * f


@kernel
def backward(V, n, first, row, y):
    """y <- L'^-1 y."""
    for k in range(n - 1, -1, -1):
        total = y[k]
        for a in range(first[k], first[k + 1]):
            total -= V[np.uint64(n + a)] * y[np.uint64(row[np.uint64(a)])]
        y[k] = total


@kernel
def panel(n, i):
    """Where the columns of wheel i begin."""
    return 8 * n * (i // 2) + 4 * (i % 2)


@kernel
def lay_channels(n, W, path_at, path, path_place, reach_at, reach, A, Y):
    """The channels' rows A as right-hand sides: zero where they may fill in, then their entries."""
    for i in range(W):
        base = panel(n, i)
        for m in range(reach_at[i], reach_at[i + 1]):
            o = base + 8 * reach[m]
            Y[np.uint64(o)], Y[np.uint64(o + 1)] = 0.0, 0.0
            Y[np.uint64(o + 2)], Y[np.uint64(o + 3)] = 0.0, 0.0
        for m in range(path_at[i], path_at[i + 1]):
            o, k = base + 8 * path_place[m], path[m]
            for c in range(4):
                Y[np.uint64(o + c)] = A[4 * i + c, k]


@kernel
def forward_wheel(V, n, first, row, reach, begin, end, Y, Z, base):
    """Y <- L^-1 Y and Z = D^-1 Y for one wheel; ``reach[begin:end]``: the places it can fill."""
    for m in range(begin, end):
        k = reach[np.uint64(m)]
        o, d = base + 8 * k, V[np.uint64(k)]
        y0, y1 = Y[np.uint64(o)], Y[np.uint64(o + 1)]
        y2, y3 = Y[np.uint64(o + 2)], Y[np.uint64(o + 3)]
        Z[np.uint64(o)], Z[np.uint64(o + 1)] = d * y0, d * y1
        Z[np.uint64(o + 2)], Z[np.uint64(o + 3)] = d * y2, d * y3
        for a in range(first[k], first[k + 1]):
            f, r = V[np.uint64(n + a)], base + 8 * row[np.uint64(a)]
            Y[np.uint64(r)] -= f * y0
            Y[np.uint64(r + 1)] -= f * y1
            Y[np.uint64(r + 2)] -= f * y2
            Y[np.uint64(r + 3)] -= f * y3


@kernel
def backward_some(V, n, first, row, needed, z, x):
    """x <- L'^-1 z at the places ``needed``, descending; they hold every place that they reach."""
    for m in range(needed.shape[0]):
        k = needed[m]
        total = z[k]
        for a in range(first[k], first[k + 1]):
            total -= V[np.uint64(n + a)] * x[np.uint64(row[np.uint64(a)])]
        x[k] = total


@kernel
def backward_panel(V, n, first, row, needed, Z, X, base):
    """The same for the eight columns of a panel."""
    for m in range(needed.shape[0]):
        k = needed[m]
        o = base + 8 * k
        x0, x1 = Z[np.uint64(o)], Z[np.uint64(o + 1)]
        x2, x3 = Z[np.uint64(o + 2)], Z[np.uint64(o + 3)]
        x4, x5 = Z[np.uint64(o + 4)], Z[np.uint64(o + 5)]
        x6, x7 = Z[np.uint64(o + 6)], Z[np.uint64(o + 7)]
        for a in range(first[k], first[k + 1]):
            f, r = V[np.uint64(n + a)], base + 8 * row[np.uint64(a)]
            x0 -= f * X[np.uint64(r)]
            x1 -= f * X[np.uint64(r + 1)]
            x2 -= f * X[np.uint64(r + 2)]
            x3 -= f * X[np.uint64(r + 3)]
            x4 -= f * X[np.uint64(r + 4)]
            x5 -= f * X[np.uint64(r + 5)]
            x6 -= f * X[np.uint64(r + 6)]
            x7 -= f * X[np.uint64(r + 7)]
        X[np.uint64(o)], X[np.uint64(o + 1)] = x0, x1
        X[np.uint64(o + 2)], X[np.uint64(o + 3)] = x2, x3
        X[np.uint64(o + 4)], X[np.uint64(o + 5)] = x4, x5
        X[np.uint64(o + 6)], X[np.uint64(o + 7)] = x6, x7


@kernel
def add_products(X, left, lefts, Y, right, rights, begin, end, B, at, C):
    """B += X_i' Y_j for two wheels, over pairs of places; B row by row from number ``at`` on."""
    a00, a01, a02, a03 = 0.0, 0.0, 0.0, 0.0
    a10, a11, a12, a13 = 0.0, 0.0, 0.0, 0.0
    a20, a21, a22, a23 = 0.0, 0.0, 0.0, 0.0
    a30, a31, a32, a33 = 0.0, 0.0, 0.0, 0.0
    for m in range(begin, end):
        i, j = left + 8 * lefts[np.uint64(m)], right + 8 * rights[np.uint64(m)]
        f0, f1 = X[np.uint64(i)], X[np.uint64(i + 1)]
        f2, f3 = X[np.uint64(i + 2)], X[np.uint64(i + 3)]
        g0, g1 = Y[np.uint64(j)], Y[np.uint64(j + 1)]
        g2, g3 = Y[np.uint64(j + 2)], Y[np.uint64(j + 3)]
        a00, a01, a02, a03 = a00 + f0 * g0, a01 + f0 * g1, a02 + f0 * g2, a03 + f0 * g3
        a10, a11, a12, a13 = a10 + f1 * g0, a11 + f1 * g1, a12 + f1 * g2, a13 + f1 * g3
        a20, a21, a22, a23 = a20 + f2 * g0, a21 + f2 * g1, a22 + f2 * g2, a23 + f2 * g3
        a30, a31, a32, a33 = a30 + f3 * g0, a31 + f3 * g1, a32 + f3 * g2, a33 + f3 * g3
    add_four(B, at, a00, a01, a02, a03)
    add_four(B, at + C, a10, a11, a12, a13)
    add_four(B, at + 2 * C, a20, a21, a22, a23)
    add_four(B, at + 3 * C, a30, a31, a32, a33)


@kernel
def add_four(B, at, a, b, c, d):
    """Four numbers beside each other."""
    B[np.uint64(at)] += a
    B[np.uint64(at + 1)] += b
    B[np.uint64(at + 2)] += c
    B[np.uint64(at + 3)] += d
