"""Piecewise linear tables and the signals made of them."""

from __future__ import annotations

from mlcp.jit import kernel


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
def value_at(run, k, x):
    """Value and slope at x of table number k."""
    place = run.tables[k]
    return look_up(run.table_x, run.table_y, place.first, place.count, x)


@kernel
def update_inputs(run):
    """Evaluate every scheduled input at the end of the step, an explicit force's in its middle; the
    others keep what was set."""
    X, Y, u, sources, tables = run.table_x, run.table_y, run.input, run.sources, run.tables
    h = run.clock.step
    for k in range(len(sources)):
        source = sources[k]
        if source.table >= 0:
            place = tables[source.table]
            t = run.clock.time + (0.5 * h if source.middle == 1 else h)
            u[k] = schedule(X, Y, place.first, place.count, source.hold, t)
