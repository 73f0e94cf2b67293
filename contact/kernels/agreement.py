"""Where the next pass linearises: Newton's point for all wheels at once.

A pass lays the rows at a point x of every wheel (v_t, v_x, v_y, F_n), solves them, and finds the
wheels at y. Taking y as the next point is Newton's step for the thrust over v_t, whose slope is in
the row; what else of the rows depends on x (resistance and its slip, load, the ellipse, v_max)
follows one pass late, and wheels that share a chassis may then run in circles. So the rows' own
change is added, with the rows that are free or at a bound kept as they came out:

    A_i dz + D_i dx = 0  (free),   dz_i = D_i dx  (at a bound),   dx = y - x + E dz,

D: change of the row's ``e z + bias``, or of its bound, with the point of its own wheel, by
differences of the rows as they are laid; E: what impulses do to the points. The next point is x + dx.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.newton import solve_general

from . import layout as at
from .lateral_rows import lateral_rows
from .rest import shares_ellipse
from .rows import linearise_at, traction_rows

PLAIN = 3.0  # passes that go on from y itself
NUDGE = 1e-6  # of a difference, relative
COORDINATES = 4  # of a point: v_t, v_x, v_y, F_n
REACH = 10.0  # of Newton's step, in ways of the pass
OPEN = 4.0  # how far a bracket opens, in ways of the pass
LAID = 5  # numbers kept of a row as laid: e, bias, lower, upper, and at which bound it was


@kernel
def lay_wheel(i, h, B, wheels, rows):
    """Lay the rows of wheel i but the normal one, at its linearisation point."""
    sliding = wheels.ints[i, at.FIRST_CHANNEL] + at.SLIDING
    centre = wheels.ints[i, at.FIRST_CHANNEL] + at.CENTRE
    own = B[sliding, sliding]
    share = min(1.0, max(0.0, B[centre, sliding] / own)) if own > 0.0 else 0.0
    traction_rows(i, h, share, wheels, rows)
    if wheels.ints[i, at.LATERAL_ROW] >= 0:
        lateral_rows(i, h, wheels, rows)


@kernel
def put_point(i, v_t, v_x, v_y, load, wheels):
    """Linearise wheel i at a point; the scheme says what of it the rows look at."""
    now, scheme = wheels.now, wheels.ints[i, at.SCHEME]
    now[i, at.LOAD] = load
    if now[i, at.AT_REST] == 1.0:
        return
    if scheme == at.IMPLICIT:
        linearise_at(i, v_t, v_x, wheels)
        now[i, at.V_Y] = v_y
    elif scheme == at.LUGRE:
        now[i, at.V_T], now[i, at.V_X], now[i, at.V_Y] = v_t, v_x, v_y


@kernel
def last_row(i, wheels):
    """Number after the last row of wheel i."""
    end = wheels.ints[i, at.FIRST_ROW] + at.ROWS
    if wheels.ints[i, at.SPIN_ROW] >= 0:
        end += 1
    if wheels.ints[i, at.LATERAL_ROW] >= 0:
        end += 2
    return end


@kernel
def row_of_coordinate(i, k, wheels):
    """A row without compliance on the channel that is coordinate k of the point; -1: none."""
    first = wheels.ints[i, at.FIRST_ROW]
    if k == 0:
        return first + at.ROW_STICK
    if k == 1:
        return first + at.ROW_RESISTANCE
    if k == 2:
        sideways = wheels.ints[i, at.LATERAL_ROW]
        return sideways + 1 if sideways >= 0 else -1
    return first + at.ROW_NORMAL


@kernel
def add_changes(i, h, B, o_x, o_laid, wheels, rows):
    """Add D (x-part to the right-hand side at o_x, E-part to the matrix) of wheel i's rows."""
    now, work, n = wheels.now, rows.work, rows.z.shape[0]
    first, end = wheels.ints[i, at.FIRST_ROW], last_row(i, wheels)
    y_t, y_x, y_y, y_n = now[i, at.V_T], now[i, at.V_X], now[i, at.V_Y], now[i, at.LOAD]
    x_t, x_x, x_y, x_n = now[i, at.FROM_T], now[i, at.FROM_X], now[i, at.FROM_Y], now[i, at.FROM_LOAD]
    for row in range(first + 1, end):  # as they were laid; a scheme of one's own has laid others
        k = o_laid + LAID * (row - first)
        low, high = rows.z[row] <= rows.lower[row], rows.z[row] >= rows.upper[row]
        work[k + 4] = -1.0 if low else (1.0 if high else 0.0)
    put_point(i, x_t, x_x, x_y, x_n, wheels)
    lay_wheel(i, h, B, wheels, rows)
    for row in range(first + 1, end):
        k = o_laid + LAID * (row - first)
        work[k], work[k + 1] = rows.e[row], rows.bias[row]
        work[k + 2], work[k + 3] = rows.lower[row], rows.upper[row]
    speed = NUDGE * max(now[i, at.V_MAX], wheels.floats[i, at.V_0])
    for c in range(COORDINATES):
        on = row_of_coordinate(i, c, wheels)
        if on < 0:
            continue
        way = y_t - x_t if c == 0 else (y_x - x_x if c == 1 else (y_y - x_y if c == 2 else y_n - x_n))
        step = speed if c < 3 else NUDGE * max(x_n, 1.0)
        step = -step if way < 0.0 else step
        put_point(
            i,
            x_t + step if c == 0 else x_t,
            x_x + step if c == 1 else x_x,
            x_y + step if c == 2 else x_y,
            x_n + step if c == 3 else x_n,
            wheels,
        )
        lay_wheel(i, h, B, wheels, rows)
        for row in range(first + 1, end):
            k = o_laid + LAID * (row - first)
            e, bias, lower, upper = work[k], work[k + 1], work[k + 2], work[k + 3]
            if (lower == upper) != (rows.lower[row] == rows.upper[row]):
                continue
            if work[k + 4] < 0.0:
                change, sign = rows.lower[row] - lower, -1.0
            elif work[k + 4] > 0.0:
                change, sign = rows.upper[row] - upper, -1.0
            else:
                change, sign = (rows.e[row] - e) * rows.z[row] + rows.bias[row] - bias, 1.0
            change *= sign / step
            if change == 0.0:
                continue
            work[o_x + row] -= change * way
            if c == 3:
                work[row * n + on] += change / h
            else:
                for j in range(n):
                    work[row * n + j] += change * rows.A[on, j]
    for row in range(first + 1, end):
        k = o_laid + LAID * (row - first)
        rows.e[row], rows.bias[row] = work[k], work[k + 1]
        rows.lower[row], rows.upper[row] = work[k + 2], work[k + 3]
    put_point(i, y_t, y_x, y_y, y_n, wheels)


@kernel
def choose_share(wheels):
    """Count the pass, and go half the way after one that led away; returns the passes so far."""
    now = wheels.now
    way = 0.0
    for i in range(wheels.ints.shape[0]):
        speed = max(now[i, at.V_MAX], wheels.floats[i, at.V_0])
        d_t, d_x = now[i, at.V_T] - now[i, at.FROM_T], now[i, at.V_X] - now[i, at.FROM_X]
        d_y, load = now[i, at.V_Y] - now[i, at.FROM_Y], max(now[i, at.LOAD], 1.0)
        d_n = (now[i, at.LOAD] - now[i, at.FROM_LOAD]) / load
        way += (d_t * d_t + d_x * d_x + d_y * d_y) / (speed * speed) + d_n * d_n
    now[0, at.WAY] = way
    count = now[0, at.COUNT] + 1.0
    now[0, at.COUNT] = count
    now[0, at.STEP_SHARE] = 1.0
    if count > PLAIN + 1.0:
        if way > 1e-18 and not way < now[0, at.LEAST_WAY]:
            now[0, at.STEP_SHARE] = 0.5
        way = min(way, now[0, at.LEAST_WAY])
    now[0, at.LEAST_WAY] = way
    return count


@kernel
def keep_between(i, point, out, wheels):
    """Hold the slip of wheel i within its bracket where its passes stall.

    ``point``: slip of the last pass, ``out``: what came out of it. Coming out above means that the
    root is above. Load, resistance and the other wheels move the root meanwhile: a bracket that has
    become short against the way that is left opens at the end it leads to.
    """
    now = wheels.now
    low, high, way = now[i, at.SLIP_LOW], now[i, at.SLIP_HIGH], out - point
    if way > 0.0:
        low = point
        if high <= low or high - low < 0.05 * way:
            high = min(1.0, low + OPEN * way)
    elif way < 0.0:
        high = point
        if low >= high or high - low < -0.05 * way:
            low = max(-1.0, high + OPEN * way)
    now[i, at.SLIP_LOW], now[i, at.SLIP_HIGH] = low, high
    last, stalls = now[i, at.LAST_WAY], now[i, at.STALLS]
    if way * last < 0.0 and abs(way) > 0.5 * abs(last):
        stalls += 1.0
    elif abs(way) < 0.5 * abs(last):
        stalls = 0.0
    now[i, at.STALLS], now[i, at.LAST_WAY] = stalls, way
    slip = now[i, at.SLIP]
    outside = slip <= low or slip >= high
    if abs(way) > 1e-12 and ((stalls >= 2.0 and outside) or stalls >= 4.0):
        slip = 0.5 * (low + high)
        now[i, at.SLIP], now[i, at.V_T] = slip, -slip * now[i, at.V_MAX]


@kernel
def next_points(h, B, wheels, rows):
    """Move the wheels from where they came out (y) to Newton's points; rows.A is dense."""
    now, work, n = wheels.now, rows.work, rows.z.shape[0]
    o_x, o_laid = n * n, n * n + n
    for i in range(n):
        free = rows.lower[i] < rows.z[i] < rows.upper[i]
        for j in range(n):
            work[i * n + j] = rows.A[i, j] if free else 0.0
        if not free:
            work[i * n + i] = 1.0
        work[o_x + i] = 0.0
    for i in range(wheels.ints.shape[0]):
        if not shares_ellipse(i, wheels):  # which ``settle_rest`` moves
            add_changes(i, h, B, o_x, o_laid, wheels, rows)
    if not solve_general(work, 0, n, o_x):
        return
    share, way, newton = now[0, at.STEP_SHARE], now[0, at.WAY], 0.0
    for i in range(wheels.ints.shape[0]):
        speed = max(now[i, at.V_MAX], wheels.floats[i, at.V_0])
        for c in range(2):
            d = (now[i, at.V_T] - now[i, at.FROM_T]) if c == 0 else (now[i, at.V_X] - now[i, at.FROM_X])
            row = row_of_coordinate(i, c, wheels)
            for j in range(n):
                d += rows.A[row, j] * work[o_x + j]
            newton += d * d / (speed * speed)
    if newton > REACH * REACH * way:
        share *= REACH * math.sqrt(way / newton)
    for i in range(wheels.ints.shape[0]):
        out = now[i, at.SLIP]
        y = (now[i, at.V_T], now[i, at.V_X], now[i, at.V_Y], now[i, at.LOAD])
        x = (now[i, at.FROM_T], now[i, at.FROM_X], now[i, at.FROM_Y], now[i, at.FROM_LOAD])
        to_t, to_x, to_y = y[0], y[1], y[2]
        t_row, x_row = row_of_coordinate(i, 0, wheels), row_of_coordinate(i, 1, wheels)
        y_row = row_of_coordinate(i, 2, wheels)
        for j in range(n):
            to_t += rows.A[t_row, j] * work[o_x + j]
            to_x += rows.A[x_row, j] * work[o_x + j]
            if y_row >= 0:
                to_y += rows.A[y_row, j] * work[o_x + j]
        if (to_t - x[0]) * (y[0] - x[0]) < 0.0:  # beyond a fold: no root this way
            far = min(2.0 * now[i, at.FOLD], 64.0)
            now[i, at.FOLD] = far
            to_t, to_x = x[0] + far * (y[0] - x[0]), x[1] + far * (y[1] - x[1])
            to_y = y[2]
        else:
            now[i, at.FOLD] = 0.5
        to_n = max(0.0, y[3] + work[o_x + row_of_coordinate(i, 3, wheels)] / h)
        put_point(
            i,
            x[0] + share * (to_t - x[0]),
            x[1] + share * (to_x - x[1]),
            x[2] + share * (to_y - x[2]),
            x[3] + share * (to_n - x[3]),
            wheels,
        )
        if now[i, at.AT_REST] == 0.0 and wheels.ints[i, at.SCHEME] == at.IMPLICIT:
            keep_between(i, now[i, at.FROM_SLIP], out, wheels)
