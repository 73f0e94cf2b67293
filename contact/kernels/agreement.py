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
LONG = 15.0  # passes, and twice, four times ... as many, after which they begin anew
NUDGE = 1e-6  # of a difference, relative
COORDINATES = 4  # of a point: v_t, v_x, v_y, F_n
APART = 1e-8  # of the diagonal, that rows which hold each other can be told apart
REACH = 10.0  # of Newton's step, in ways of the pass
OPEN = 4.0  # how far a bracket opens, in ways of the pass
LAID = 5  # numbers kept of a row as laid: e, bias, lower, upper, and at which bound it was


@kernel
def lay_wheel(i, h, B, wheels, rows):
    """Lay the rows of wheel i but the normal one, at its linearisation point."""
    wheel = wheels.each[i]
    sliding = wheel.channel + at.SLIDING
    centre = wheel.channel + at.CENTRE
    own = B[sliding, sliding]
    share = min(1.0, max(0.0, B[centre, sliding] / own)) if own > 0.0 else 0.0
    traction_rows(i, h, share, wheels, rows)
    if wheel.lateral_row >= 0:
        lateral_rows(i, h, wheels, rows)


@kernel
def put_point(i, v_t, v_x, v_y, load, wheels):
    """Linearise wheel i at a point; the scheme says what of it the rows look at."""
    wheel, now = wheels.each[i], wheels.now[i]
    scheme = wheel.scheme
    now.load = load
    if now.at_rest == 1.0:
        return
    if scheme == at.IMPLICIT:
        linearise_at(i, v_t, v_x, wheels)
        now.v_y = v_y
    elif scheme == at.LUGRE:
        now.v_t, now.v_x, now.v_y = v_t, v_x, v_y


@kernel
def follow(h, wheels, rows):
    """Take the velocities and loads of another solution as where the wheels came out."""
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        c = wheel.channel
        load = rows.z[wheel.row + at.ROW_NORMAL] / h
        u = rows.u
        put_point(i, u[c + at.SLIDING], u[c + at.CENTRE], u[c + at.LATERAL], load, wheels)


@kernel
def last_row(i, wheels):
    """Number after the last row of wheel i."""
    wheel = wheels.each[i]
    end = wheel.row + at.ROWS
    if wheel.spin_row >= 0:
        end += 1
    if wheel.lateral_row >= 0:
        end += 2
    return end


@kernel
def row_of_coordinate(i, k, wheels):
    """A row without compliance on the channel that is coordinate k of the point; -1: none."""
    wheel = wheels.each[i]
    first = wheel.row
    if k == 0:
        return first + at.ROW_STICK
    if k == 1:
        return first + at.ROW_RESISTANCE
    if k == 2:
        sideways = wheel.lateral_row
        return sideways + 1 if sideways >= 0 else -1
    return first + at.ROW_NORMAL


@kernel
def add_changes(i, h, B, o_x, o_laid, wheels, rows):
    """Add D (x-part to the right-hand side at o_x, E-part to the matrix) of wheel i's rows."""
    wheel, now = wheels.each[i], wheels.now[i]
    work, n = rows.work, rows.z.shape[0]
    first, end = wheel.row, last_row(i, wheels)
    y_t, y_x, y_y, y_n = now.v_t, now.v_x, now.v_y, now.load
    x_t, x_x, x_y, x_n = now.from_t, now.from_x, now.from_y, now.from_load
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
    speed = NUDGE * max(now.v_max, wheel.v_0)
    # v_x is moved with v_t, then alone: where the rim stands the law has a kink, and it may be held
    sliding = row_of_coordinate(i, 0, wheels)
    for c in range(COORDINATES):
        on = row_of_coordinate(i, c, wheels)
        if on < 0:
            continue
        way = y_t - x_t if c == 0 else (y_y - x_y if c == 2 else y_n - x_n)
        if c == 1:
            way = (y_x - y_t) - (x_x - x_t)
        step = speed if c < 3 else NUDGE * max(x_n, 1.0)
        step = -step if way < 0.0 else step
        put_point(
            i,
            x_t + step if c == 0 else x_t,
            x_x + step if c < 2 else x_x,
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
                    work[row * n + j] += change * (
                        rows.A[on, j] - rows.A[sliding, j] if c == 1 else rows.A[on, j]
                    )
    for row in range(first + 1, end):
        k = o_laid + LAID * (row - first)
        rows.e[row], rows.bias[row] = work[k], work[k + 1]
        rows.lower[row], rows.upper[row] = work[k + 2], work[k + 3]
    put_point(i, y_t, y_x, y_y, y_n, wheels)


@kernel
def hangs(i, wheels):
    """Whether nothing rests on wheel i: where its rows are laid is then of no consequence."""
    now = wheels.now[i]
    return now.load == 0.0 and now.from_load == 0.0


@kernel
def choose_share(wheels):
    """Count the pass, and go half the way after one that led away; returns the passes so far."""
    way = 0.0
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        if hangs(i, wheels):
            continue
        speed = max(now.v_max, wheel.v_0)
        d_t, d_x = now.v_t - now.from_t, now.v_x - now.from_x
        d_y, load = now.v_y - now.from_y, max(now.load, 1.0)
        d_n = (now.load - now.from_load) / load
        way += (d_t * d_t + d_x * d_x + d_y * d_y) / (speed * speed) + d_n * d_n
    wheels.passes.way = way
    count = wheels.passes.count + 1.0
    wheels.passes.count = count
    wheels.passes.share = 1.0
    if count > PLAIN + 1.0:
        if way > 1e-18 and not way < wheels.passes.least_way:
            wheels.passes.share = 0.5
        way = min(way, wheels.passes.least_way)
    wheels.passes.least_way = way
    return count


@kernel
def goes_on(passes, wheels):
    """Whether the next pass starts where this one came out: the first ones, and to begin anew."""
    if passes <= PLAIN:
        return True
    k = passes
    while k > LONG:
        k *= 0.5
    if k != LONG:
        return False
    wheels.passes.least_way = math.inf
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        now.slip_low, now.slip_high = -1.0, 1.0
        now.stalls, now.last_way, now.fold = 0.0, 0.0, 0.5
    return True


@kernel
def keep_between(i, point, out, wheels):
    """Hold the slip of wheel i within its bracket where its passes stall.

    ``point``: slip of the last pass, ``out``: what came out of it. Coming out above means that the
    root is above. Load, resistance and the other wheels move the root meanwhile: a bracket that has
    become short against the way that is left opens at the end it leads to.
    """
    now = wheels.now[i]
    low, high, way = now.slip_low, now.slip_high, out - point
    if way > 0.0:
        low = point
        if high <= low or high - low < 0.05 * way:
            high = min(1.0, low + OPEN * way)
    elif way < 0.0:
        high = point
        if low >= high or high - low < -0.05 * way:
            low = max(-1.0, high + OPEN * way)
    now.slip_low, now.slip_high = low, high
    last, stalls = now.last_way, now.stalls
    if way * last < 0.0 and abs(way) > 0.5 * abs(last):
        stalls += 1.0
    elif abs(way) < 0.5 * abs(last):
        stalls = 0.0
    now.stalls, now.last_way = stalls, way
    slip = now.slip
    outside = slip <= low or slip >= high
    if abs(way) > 1e-12 and ((stalls >= 2.0 and outside) or stalls >= 4.0):
        slip = 0.5 * (low + high)
        now.slip, now.v_t = slip, -slip * now.v_max


@kernel
def next_points(h, B, wheels, rows):
    """Move the wheels from where they came out (y) to Newton's points; rows.A is dense."""
    work, n = rows.work, rows.z.shape[0]
    o_x, o_laid = n * n, n * n + n
    for i in range(n):
        free = rows.lower[i] < rows.z[i] < rows.upper[i]
        for j in range(n):
            work[i * n + j] = rows.A[i, j] if free else 0.0
        work[i * n + i] = work[i * n + i] * (1.0 + APART) if free else 1.0
        work[o_x + i] = 0.0
    for i in range(len(wheels.each)):
        if not (hangs(i, wheels) or shares_ellipse(i, wheels)):  # that ``settle_rest`` moves
            add_changes(i, h, B, o_x, o_laid, wheels, rows)
    if not solve_general(work, work[n * n :], n):
        return
    share, way, newton = wheels.passes.share, wheels.passes.way, 0.0
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        if now.at_rest == 1.0 or wheel.scheme < at.IMPLICIT or hangs(i, wheels):
            continue  # its rows look at the load only
        speed = max(now.v_max, wheel.v_0)
        for c in range(2):
            d = (now.v_t - now.from_t) if c == 0 else (now.v_x - now.from_x)
            row = row_of_coordinate(i, c, wheels)
            for j in range(n):
                d += rows.A[row, j] * work[o_x + j]
            newton += d * d / (speed * speed)
    if newton > REACH * REACH * way:
        share *= REACH * math.sqrt(way / newton)
        wheels.passes.share = share
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        if hangs(i, wheels):
            continue  # it stays where it came out
        out = now.slip
        y = (now.v_t, now.v_x, now.v_y, now.load)
        x = (now.from_t, now.from_x, now.from_y, now.from_load)
        to_t, to_x, to_y = y[0], y[1], y[2]
        t_row, x_row = row_of_coordinate(i, 0, wheels), row_of_coordinate(i, 1, wheels)
        y_row = row_of_coordinate(i, 2, wheels)
        for j in range(n):
            to_t += rows.A[t_row, j] * work[o_x + j]
            to_x += rows.A[x_row, j] * work[o_x + j]
            if y_row >= 0:
                to_y += rows.A[y_row, j] * work[o_x + j]
        if (to_t - x[0]) * (y[0] - x[0]) < 0.0:  # beyond a fold: no root this way
            far = min(2.0 * now.fold, 64.0)
            now.fold = far
            to_t, to_x = x[0] + far * (y[0] - x[0]), x[1] + far * (y[1] - x[1])
            to_y = y[2]
        else:
            now.fold = 0.5
        to_n = max(0.0, y[3] + work[o_x + row_of_coordinate(i, 3, wheels)] / h)
        put_point(
            i,
            x[0] + share * (to_t - x[0]),
            x[1] + share * (to_x - x[1]),
            x[2] + share * (to_y - x[2]),
            x[3] + share * (to_n - x[3]),
            wheels,
        )
        if now.at_rest == 0.0 and wheel.scheme == at.IMPLICIT:
            keep_between(i, now.from_slip, out, wheels)
