"""Piecewise linear tables and the signals made of them."""

from __future__ import annotations

from mlcp.jit import kernel

from . import layout as L


@kernel
def look_up(X, Y, start, count, x):
    """Value and slope at x of the table at ``X[start:start+count]``; end slopes go on."""
    lo, hi = start, start + count - 1
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if X[mid] <= x:
            lo = mid
        else:
            hi = mid
    slope = (Y[hi] - Y[lo]) / (X[hi] - X[lo])
    return Y[lo] + slope * (x - X[lo]), slope


@kernel
def schedule(X, Y, start, count, hold, t):
    """Value at time t; the end values hold outside, and between points when ``hold``."""
    last = start + count - 1
    if t <= X[start]:
        return Y[start]
    if t >= X[last]:
        return Y[last]
    if hold == 0:
        return look_up(X, Y, start, count, t)[0]
    k = start
    while k < last and X[k + 1] <= t:
        k += 1
    return Y[k]


@kernel
def update_inputs(F, N):
    """Evaluate every scheduled input at the end of the step; the others keep what was set."""
    n = L.ints(N, L.COUNT_I)[L.INPUTS]
    T, tables = L.ints(N, L.INPUT_TABLE_I), L.ints(N, L.TABLE_I)
    X, Y, u = L.floats(F, N, L.TABLE_X), L.floats(F, N, L.TABLE_Y), L.floats(F, N, L.INPUT)
    S = L.floats(F, N, L.SCALAR)
    t = S[L.TIME] + S[L.STEP]
    for k in range(n):
        table = T[2 * k]
        if table >= 0:
            u[k] = schedule(X, Y, tables[2 * table], tables[2 * table + 1], T[2 * k + 1], t)
