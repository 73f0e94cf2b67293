"""Sparse L D L' of a matrix whose pattern is known beforehand, and substitutions with few columns.

``data.Factor`` says how it is kept, ``data.Panels`` how the right-hand sides of wheels lie.

Why not the blocks of ``mlcp.kernels.blocks``: freedoms of joints do not come in sixes. On M + E of the
45-body vehicle, 77 freedoms and 56 rows, they take 8.2 us a factor and solve, these scalars 6.0.
"""

from __future__ import annotations

from mlcp.jit import kernel

from .vector import WIDTH, load, plus, store, times, zeros

PIVOT_FLOOR = 1e-12  # a pivot below this share of the mass on its diagonal is no mass


@kernel
def clear(numbers):
    """Set all to zero."""
    for k in range(len(numbers)):
        numbers[k] = 0.0


@kernel
def eliminate(factor, held):
    """L D L' in place, with 1 / D kept; returns -1, or the column whose pivot is not positive.

    ``held`` true: such a column is held still (1 / D = 0) instead, and the rest goes on.
    """
    V, first, row, start, into = factor.values, factor.first, factor.row, factor.start, factor.into
    least = factor.least
    n = len(least)
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
                        V[s + b] -= f * V[n + a + 1 + b]
                else:
                    for b in range(end - a - 1):
                        V[into[b - s - 1]] -= f * V[n + a + 1 + b]
        for a in range(n + begin, n + end):
            V[a] *= inverse
        V[k] = inverse
    return -1


@kernel
def forward(factor, y):
    """y <- L^-1 y, in the order of elimination."""
    V, first, row, n = factor.values, factor.first, factor.row, len(y)
    for k in range(n):
        f = y[k]
        if f != 0.0:
            for a in range(first[k], first[k + 1]):
                y[row[a]] -= V[n + a] * f


@kernel
def backward(factor, y):
    """y <- L'^-1 y."""
    V, first, row, n = factor.values, factor.first, factor.row, len(y)
    for k in range(n - 1, -1, -1):
        total = y[k]
        for a in range(first[k], first[k + 1]):
            total -= V[n + a] * y[row[a]]
        y[k] = total


@kernel
def panel(n, i):
    """Where the columns of wheel i begin."""
    return WIDTH * n * (i // 2) + 4 * (i % 2)


@kernel
def lay_channels(panels, paths, A):
    """The channels' rows A as right-hand sides: zero where they may fill in, then their entries."""
    Y, reach_at, reach, place = panels.rows, panels.reach_at, panels.reach, panels.path_place
    at, freedom, n = paths.at, paths.freedom, A.shape[1]
    for p in range(len(reach_at) - 1):
        for m in range(reach_at[p], reach_at[p + 1]):
            store(Y, WIDTH * (n * p + reach[m]), zeros())
    for i in range(len(at) - 1):
        for m in range(at[i], at[i + 1]):
            o, k = panel(n, i) + WIDTH * place[m], freedom[m]
            for c in range(4):
                Y[o + c] = A[4 * i + c, k]


@kernel
def forward_panel(factor, panels, p):
    """``rows <- L^-1 rows`` and ``scaled = D^-1 rows`` for panel p."""
    V, first, row, n = factor.values, factor.first, factor.row, len(factor.least)
    Y, Z, reach, base = panels.rows, panels.scaled, panels.reach, WIDTH * n * p
    for m in range(panels.reach_at[p], panels.reach_at[p + 1]):
        k = reach[m]
        y = load(Y, base + WIDTH * k)
        store(Z, base + WIDTH * k, times(V[k], y))
        for a in range(first[k], first[k + 1]):
            r = base + WIDTH * row[a]
            store(Y, r, plus(load(Y, r), -V[n + a], y))


@kernel
def backward_some(factor, needed, z, x):
    """x <- L'^-1 z at the places ``needed``, descending; they hold every place that they reach."""
    V, first, row, n = factor.values, factor.first, factor.row, len(z)
    for m in range(len(needed)):
        k = needed[m]
        total = z[k]
        for a in range(first[k], first[k + 1]):
            total -= V[n + a] * x[row[a]]
        x[k] = total


@kernel
def backward_panel(factor, needed, panels, p, X):
    """The same for panel p: ``X <- L'^-1 scaled``."""
    V, first, row, n = factor.values, factor.first, factor.row, len(factor.least)
    Z, base = panels.scaled, WIDTH * n * p
    for m in range(len(needed)):
        k = needed[m]
        x = load(Z, base + WIDTH * k)
        for a in range(first[k], first[k + 1]):
            x = plus(x, -V[n + a], load(X, base + WIDTH * row[a]))
        store(X, base + WIDTH * k, x)


@kernel
def add_products(X, lefts, Y, rights, B, wide):
    """``B += X' Y`` for two panels, over pairs of their places; ``wide``: numbers in a row of B."""
    b0, b1, b2 = load(B, 0), load(B, wide), load(B, 2 * wide)
    b3, b4, b5 = load(B, 3 * wide), load(B, 4 * wide), load(B, 5 * wide)
    b6, b7 = load(B, 6 * wide), load(B, 7 * wide)
    for m in range(len(lefts)):
        i = WIDTH * lefts[m]
        y = load(Y, WIDTH * rights[m])
        b0 = plus(b0, X[i], y)
        b1 = plus(b1, X[i + 1], y)
        b2 = plus(b2, X[i + 2], y)
        b3 = plus(b3, X[i + 3], y)
        b4 = plus(b4, X[i + 4], y)
        b5 = plus(b5, X[i + 5], y)
        b6 = plus(b6, X[i + 6], y)
        b7 = plus(b7, X[i + 7], y)
    store(B, 0, b0)
    store(B, wide, b1)
    store(B, 2 * wide, b2)
    store(B, 3 * wide, b3)
    store(B, 4 * wide, b4)
    store(B, 5 * wide, b5)
    store(B, 6 * wide, b6)
    store(B, 7 * wide, b7)


@kernel
def add_seen(X, places, y, ys, a):
    """``a += X' y`` for a panel, over pairs of places."""
    total = load(a, 0)
    for m in range(len(places)):
        total = plus(total, y[ys[m]], load(X, WIDTH * places[m]))
    store(a, 0, total)
