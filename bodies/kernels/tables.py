"""Piecewise linear tables, and input signals scheduled by them."""

from mlcp.compiled.branches import as_many, some, where
from mlcp.jit import kernel


@kernel
def interval(X, start, count, x):
    """Index of the interval of ``X[start:start+count]`` that contains x; for x outside the table its
    first or last interval.

    Bisection with the same number of halvings for every x: it also runs for several vehicles side by
    side in one SIMD register (lanes).
    """
    found, left = as_many(start, x), count - 1
    while left > 1:
        half = left // 2
        found = where(X[found + half] <= x, found + half, found)
        left -= half
    return found


@kernel
def look_up(X, Y, start, count, x):
    """Value and slope at x of the table at ``X[start:start+count]``; linear extrapolation outside."""
    lo = interval(X, start, count, x)
    slope = (Y[lo + 1] - Y[lo]) / (X[lo + 1] - X[lo])
    return Y[lo] + slope * (x - X[lo]), slope


@kernel
def schedule(X, Y, start, count, stepped, t):
    """Value of a schedule at time t, constant before its first and after its last point.

    ``stepped``: 1 piecewise constant, 0 piecewise linear.
    """
    last = start + count - 1
    found = where(t <= X[start], Y[start], Y[last])
    inside = (t > X[start]) & (t < X[last])
    if not some(inside):
        return found
    if stepped == 0:
        return where(inside, look_up(X, Y, start, count, t)[0], found)
    return where(inside, Y[interval(X, start, count, t)], found)


@kernel
def value_at(run, k, x):
    """Value and slope at x of table number k."""
    place = run.tables[k]
    return look_up(run.table_x, run.table_y, place.first, place.count, x)


@kernel
def update_inputs(run):
    """Evaluate all scheduled inputs at the end of the step, those of explicit forces in the middle of
    the step. Inputs without a schedule keep their values."""
    X, Y, u, sources, tables = run.table_x, run.table_y, run.input, run.sources, run.tables
    h = run.clock.step
    for k in range(len(sources)):
        source = sources[k]
        if source.table >= 0:
            place = tables[source.table]
            t = run.clock.time + (0.5 * h if source.middle == 1 else h)
            u[k] = schedule(X, Y, place.first, place.count, source.stepped, t)
