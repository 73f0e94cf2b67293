"""Sparse L D L' of a matrix whose pattern is known beforehand, and substitutions with few columns.

``V`` holds the n pivots, then the entries below them column by column, then one number that takes
whatever falls outside the pattern. Columns are those of the order of elimination; ``first`` (n + 1)
says where each begins, ``row`` in which row each entry lies. The products of an entry with those
below it go to places from ``start`` on, one after the other, or, where that is negative, to those that
``into`` lists from ``-1 - start`` on.

Right-hand sides of wheels come in panels: two wheels, four columns each, side by side, so the number
(place k, column c) of wheel i lies at ``8 (n (i // 2) + k) + 4 (i % 2) + c``. The last panel of an odd
number of wheels has four columns of zeros.
Places are cast to unsigned: a third of the time went into looking whether they are negative.
"""

from __future__ import annotations

import numpy as np

from mlcp.jit import kernel

from .vector import WIDTH, load, plus, store, times, zeros

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
    return WIDTH * n * (i // 2) + 4 * (i % 2)


@kernel
def lay_channels(n, W, path_at, path, path_place, reach_at, reach, A, Y):
    """The channels' rows A as right-hand sides: zero where they may fill in, then their entries."""
    for p in range((W + 1) // 2):
        for m in range(reach_at[p], reach_at[p + 1]):
            store(Y, WIDTH * (n * p + reach[m]), zeros())
    for i in range(W):
        for m in range(path_at[i], path_at[i + 1]):
            o, k = panel(n, i) + WIDTH * path_place[m], path[m]
            for c in range(4):
                Y[np.uint64(o + c)] = A[4 * i + c, k]


@kernel
def forward_panel(V, n, first, row, reach, begin, end, Y, Z, base):
    """Y <- L^-1 Y and Z = D^-1 Y for one panel; ``reach[begin:end]``: the places it can fill."""
    for m in range(begin, end):
        k = reach[np.uint64(m)]
        y = load(Y, base + WIDTH * k)
        store(Z, base + WIDTH * k, times(V[np.uint64(k)], y))
        for a in range(first[k], first[k + 1]):
            r = base + WIDTH * row[np.uint64(a)]
            store(Y, r, plus(load(Y, r), -V[np.uint64(n + a)], y))


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
    """The same for a panel."""
    for m in range(needed.shape[0]):
        k = needed[m]
        x = load(Z, base + WIDTH * k)
        for a in range(first[k], first[k + 1]):
            x = plus(x, -V[np.uint64(n + a)], load(X, base + WIDTH * row[np.uint64(a)]))
        store(X, base + WIDTH * k, x)


@kernel
def add_products(X, left, lefts, Y, right, rights, begin, end, B, at, wide):
    """B += X_i' Y_j for two panels, over pairs of places; B from number ``at`` on."""
    b0, b1, b2 = load(B, at), load(B, at + wide), load(B, at + 2 * wide)
    b3, b4, b5 = load(B, at + 3 * wide), load(B, at + 4 * wide), load(B, at + 5 * wide)
    b6, b7 = load(B, at + 6 * wide), load(B, at + 7 * wide)
    for m in range(begin, end):
        i = left + WIDTH * lefts[np.uint64(m)]
        y = load(Y, right + WIDTH * rights[np.uint64(m)])
        b0 = plus(b0, X[np.uint64(i)], y)
        b1 = plus(b1, X[np.uint64(i + 1)], y)
        b2 = plus(b2, X[np.uint64(i + 2)], y)
        b3 = plus(b3, X[np.uint64(i + 3)], y)
        b4 = plus(b4, X[np.uint64(i + 4)], y)
        b5 = plus(b5, X[np.uint64(i + 5)], y)
        b6 = plus(b6, X[np.uint64(i + 6)], y)
        b7 = plus(b7, X[np.uint64(i + 7)], y)
    store(B, at, b0)
    store(B, at + wide, b1)
    store(B, at + 2 * wide, b2)
    store(B, at + 3 * wide, b3)
    store(B, at + 4 * wide, b4)
    store(B, at + 5 * wide, b5)
    store(B, at + 6 * wide, b6)
    store(B, at + 7 * wide, b7)


@kernel
def add_seen(X, base, places, begin, end, y, ys, a, at):
    """``a += X' y`` for a panel, over pairs of places."""
    total = load(a, at)
    for m in range(begin, end):
        total = plus(total, y[np.uint64(ys[np.uint64(m)])], load(X, base + WIDTH * places[m]))
    store(a, at, total)
