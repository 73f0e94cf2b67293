"""Linearisation points of the next pass: Newton's point for all wheels at once.

A pass lays the rows at a point x of every wheel (v_t, v_x, v_y, F_n), solves them, and finds the
wheels at y. Taking y as the next point is Newton's step for the thrust over v_t, whose slope is in
the row; the rows' other dependence on x (resistance and its slip, load, the ellipse, v_max)
follows one pass late, and wheels on one chassis may then cycle. So the rows' own change is added,
with the set of free rows and of rows at a bound kept:

    A_i dz + D_i dx = 0  (free),   dz_i = D_i dx  (at a bound),   dx = y - x + E dz,

D: change of the row's ``e z + bias``, or of its bound, with the point of its own wheel, by
finite differences of the rows; E: effect of the impulses on the points. The next point is x + dx, or a
fraction of that step: tangents of a curved law (clay's logarithm, the ellipse, a kink at rest) could
take a wheel from one side of its root to the other, without end.
"""

from __future__ import annotations

import math

from mlcp.compiled.branches import as_many, no, same, some, where
from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import either, kernel
from mlcp.kernels.newton import solve_general

from . import layout as at
from .descent import share_of_way, share_with_less
from .lane_elimination import solve_general_lanes
from .lane_lay import lay_rolling
from .lateral_rows import lateral_rows
from .path import follow_path
from .points import (
    aim_at_newton,
    aim_where_it_came_out,
    go_to,
    hangs,
    keep_impulses,
    put_point,
    row_of_coordinate,
    searches,
)
from .rest import FIRM, rest_rows, shares_ellipse, slopes_on_ellipse
from .rows import traction_rows

PLAIN = 5.0  # passes that go on from y itself; to find Newton's point costs as much as several
LONG = 15.0  # passes, and twice, four times ... as many, after which they begin anew
NUDGE = 1e-6  # of a difference, relative
COORDINATES = 4  # of a point: v_t, v_x, v_y, F_n
APART = 1e-8  # of the diagonal, that rows which hold each other can be told apart
REACH = 10.0  # of Newton's step, in ways of the pass
ENERGY = 10.0  # passes whose way is searched by g, before only less that is missing counts
FURTHEST = 64.0  # ways of a pass that may be gone on
PATH, AGAIN = 12.0, 3.0  # passes after which a path is followed, and again every so many
LAID = 5  # numbers kept of a row as laid: e, bias, lower, upper, and at which bound it was


class NextWork(Workspace, sizes="n"):
    """Scratch for Newton's point."""

    matrix = part("n n", "slopes of the rows")
    step = part("n", "residual of the rows; then change of the impulses")
    laid = part("5 n", "a wheel's rows as laid, ``LAID`` numbers each")


@kernel
def _lay_wheel(i, h, B, wheels, rows):
    """Lay the rows of wheel i but the normal one, at its linearisation point."""
    wheel = wheels.each[i]
    sliding = wheel.channel + at.SLIDING
    centre = wheel.channel + at.CENTRE
    own = B[sliding, sliding]
    share = min(1.0, max(0.0, B[centre, sliding] / own)) if own > 0.0 else 0.0
    traction_rows(i, h, share, wheels, rows)
    if wheel.lateral_row >= 0:
        lateral_rows(i, h, wheels, rows)


lay_wheel = either(_lay_wheel, lay_rolling)
solve_slopes = either(solve_general, solve_general_lanes)


@kernel
def follow(h, wheels, rows):
    """Take the velocities and loads of another solution as the wheels' results."""
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
def keep_rows(first, end, W, rows):
    """Remember how a wheel's rows lie."""
    laid = W.laid
    for row in range(first + 1, end):
        k = LAID * (row - first)
        laid[k], laid[k + 1] = rows.e[row], rows.bias[row]
        laid[k + 2], laid[k + 3] = rows.lower[row], rows.upper[row]


@kernel
def keep_sides(first, end, W, rows):
    """And at which of its bounds each of them is."""
    for row in range(first + 1, end):
        low, high = rows.z[row] <= rows.lower[row], rows.z[row] >= rows.upper[row]
        W.laid[LAID * (row - first) + 4] = where(low, -1.0, where(high, 1.0, 0.0))


@kernel
def give_back_rows(first, end, W, rows):
    """As they were remembered."""
    laid = W.laid
    for row in range(first + 1, end):
        k = LAID * (row - first)
        rows.e[row], rows.bias[row] = laid[k], laid[k + 1]
        rows.lower[row], rows.upper[row] = laid[k + 2], laid[k + 3]


@kernel
def change_of_row(row, k, W, rows):
    """By how much a row as it is now differs from that remembered at k, of a bound negative; 0 where it
    has come to be fixed or free."""
    laid = W.laid
    e, bias, lower, upper, side = laid[k], laid[k + 1], laid[k + 2], laid[k + 3], laid[k + 4]
    was, fixed = lower == upper, rows.lower[row] == rows.upper[row]
    change = (rows.e[row] - e) * rows.z[row] + rows.bias[row] - bias
    change = where(side > 0.0, -1.0 * (rows.upper[row] - upper), change)
    change = where(side < 0.0, -1.0 * (rows.lower[row] - lower), change)
    return where((was & fixed) | no(was | fixed), change, 0.0)


@kernel
def add_changes(i, h, B, counts, W, wheels, rows):
    """Add D (x-part to the right-hand side, E-part to the matrix) of wheel i's rows where it counts."""
    wheel, now = wheels.each[i], wheels.now[i]
    M, n = W.matrix, rows.z.shape[0]
    first, end = wheel.row, last_row(i, wheels)
    y_t, y_x, y_y, y_n = now.v_t, now.v_x, now.v_y, now.load
    x_t, x_x, x_y, x_n = now.origin.v_t, now.origin.v_x, now.origin.v_y, now.origin.load
    keep_sides(first, end, W, rows)  # as they were laid; a scheme of one's own has laid others
    put_point(i, x_t, x_x, x_y, x_n, wheels)
    lay_wheel(i, h, B, wheels, rows)
    keep_rows(first, end, W, rows)
    speed = NUDGE * max(now.v_max, wheel.v_0)
    # The law has kinks where rim, centre or contact point stand, and each may be held there: v_x and
    # v_t are moved with the rim as it is, then the rim alone, v_x as it is where the centre is held.
    sliding, centre = row_of_coordinate(i, 0, wheels), row_of_coordinate(i, 1, wheels)
    held = (rows.lower[centre] < rows.z[centre]) & (rows.z[centre] < rows.upper[centre])
    held = held & searches(i, wheels)
    for c in range(COORDINATES):
        on = row_of_coordinate(i, c, wheels)
        if on < 0:
            continue
        way, step = y_n - x_n, speed
        if c == 0:
            way = where(held, y_x - x_x, y_t - x_t)
        elif c == 1:
            way = (y_x - y_t) - (x_x - x_t)
        elif c == 2:
            way = y_y - x_y
        else:
            step = NUDGE * max(x_n, 1.0)
        step = where(way < 0.0, -step, step)
        put_point(
            i,
            x_t + step if c == 0 else (where(held, x_t - step, x_t) if c == 1 else x_t),
            x_x + step if c == 0 else (where(held, x_x, x_x + step) if c == 1 else x_x),
            x_y + step if c == 2 else x_y,
            x_n + step if c == 3 else x_n,
            wheels,
        )
        lay_wheel(i, h, B, wheels, rows)
        for row in range(first + 1, end):
            change = change_of_row(row, LAID * (row - first), W, rows) * (1.0 / step)
            change = where(counts, change, 0.0)
            counted = change != 0.0
            if not some(counted):
                continue
            W.step[row] = where(counted, W.step[row] - change * way, W.step[row])
            if c == 3:
                M[row * n + on] = where(counted, M[row * n + on] + change / h, M[row * n + on])
                continue
            for j in range(n):
                slope = rows.A[on, j]
                if c == 0:
                    slope = where(held, rows.A[centre, j], slope)
                elif c == 1:
                    slope -= rows.A[sliding, j]
                k = row * n + j
                M[k] = where(counted, M[k] + change * slope, M[k])
    give_back_rows(first, end, W, rows)
    put_point(i, y_t, y_x, y_y, y_n, wheels)


@kernel
def choose_share(wheels):
    """Count the pass, and go half the way after one that led away; returns the passes so far."""
    passes = wheels.passes
    way = as_many(0.0, passes.way)
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        speed = max(now.v_max, wheel.v_0)
        at_last, load = now.origin, max(now.load, 1.0)
        d_t, d_x, d_y = now.v_t - at_last.v_t, now.v_x - at_last.v_x, now.v_y - at_last.v_y
        d_n = (now.load - at_last.load) / load
        more = (d_t * d_t + d_x * d_x + d_y * d_y) / (speed * speed) + d_n * d_n
        way = where(hangs(i, wheels), way, way + more)
    count = passes.count + 1.0
    late, last = count > PLAIN + 1.0, passes.least_way
    away = late & (way > 1e-18) & no(way < last)
    passes.way, passes.count, passes.share = way, count, where(away, 0.5, 1.0)
    passes.least_way = where(late, min(way, last), way)
    return count


@kernel
def goes_on(passes, wheels):
    """True if the next pass starts from this one's result: the first passes, and restarts."""
    if passes <= PLAIN:
        return True
    k = passes
    while k > LONG:
        k *= 0.5
    if k != LONG:
        return False
    wheels.passes.least_way = math.inf
    for i in range(len(wheels.each)):
        wheels.now[i].fold = 0.5
    return True


@kernel
def takes_paths(wheels):
    """True if a path may be followed: all wheels have the implicit scheme."""
    for i in range(len(wheels.each)):
        if wheels.each[i].scheme != at.IMPLICIT:
            return False
    return True


@kernel
def needs_path(wheels):
    """True if the passes take long."""
    since = wheels.passes.count - PATH
    return since >= 0.0 and since % AGAIN == 0.0 and takes_paths(wheels)


@kernel
def next_points(h, B, wheels, rows, beside):
    """Move the wheels from where they came out (y) to Newton's points; rows.A is dense.

    Returns: whether a path led to the solution instead; then rows.z has it, see ``split_rows``.
    """
    if needs_path(wheels) and follow_path(h, wheels, rows, beside):
        return True
    W = NextWork(rows.work, rows.z.shape[0])
    lay_slopes(True, W, rows)
    add_ellipses(W, wheels, rows)
    if add_laws(h, B, True, W, wheels, rows):
        go_on(h, W.step, True, wheels, rows)
    else:
        keep_impulses(wheels, rows)
    return False


@kernel
def lay_slopes(which, W, rows):
    """The rows' own slopes, those at a bound kept as they came out; of the vehicles ``which``."""
    M, n = W.matrix, rows.z.shape[0]
    for i in range(n):
        free = which & (rows.lower[i] < rows.z[i]) & (rows.z[i] < rows.upper[i])
        for j in range(n):
            M[i * n + j] = where(free, rows.A[i, j], 0.0)
        M[i * n + i] = where(free, M[i * n + i] * (1.0 + APART), 1.0)
        W.step[i] = as_many(0.0, rows.z[i])


@kernel
def add_ellipses(W, wheels, rows):
    """Of wheels at rest whose forces are off their ellipse the slopes on it."""
    n = rows.z.shape[0]
    o_w = n * n + n
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        off = wheels.now[i].mismatch > 0.0  # else its bounds stay as they are
        if off and shares_ellipse(i, wheels) and wheel.scheme == at.IMPLICIT:
            x, y = rest_rows(i, wheels)
            W.laid[x] = rows.u[wheel.channel + at.SLIDING]
            W.laid[y] = rows.u[wheel.channel + at.LATERAL]
            slopes_on_ellipse(i, rows.z, wheels, rows, o_w, 0.0, FIRM)


@kernel
def add_laws(h, B, which, W, wheels, rows):
    """Add the changes of the wheels' rows and solve for those of the impulses; whether that can be."""
    for i in range(len(wheels.each)):
        counts = which & no(hangs(i, wheels) | shares_ellipse(i, wheels))  # those ``settle_rest`` moves
        if some(counts):
            add_changes(i, h, B, counts, W, wheels, rows)
    return solve_slopes(W.matrix, W.step, rows.z.shape[0])


@kernel
def within_reach(dz, wheels, rows):
    """Fraction of Newton's step within reach."""
    share, way, newton = wheels.passes.share, wheels.passes.way, as_many(0.0, wheels.passes.way)
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        if wheel.scheme < at.IMPLICIT:
            continue
        skipped = (now.at_rest == 1.0) | hangs(i, wheels)  # its rows look at the load only
        speed = max(now.v_max, wheel.v_0)
        for c in range(2):
            d = (now.v_t - now.origin.v_t) if c == 0 else (now.v_x - now.origin.v_x)
            row = row_of_coordinate(i, c, wheels)
            for j in range(rows.z.shape[0]):
                d += rows.A[row, j] * dz[j]
            newton = where(skipped, newton, newton + d * d / (speed * speed))
    far = newton > REACH * REACH * way
    share = where(far, share * (REACH * math.sqrt(way / where(far, newton, 1.0))), share)
    wheels.passes.share = share
    return share


@kernel
def go_on(h, dz, which, wheels, rows):
    """Move the wheels towards Newton's points: as far as can be, or as ``descent`` finds.

    Where Newton's way leads up, as far as less is missing there; and where nothing is gained on it, the
    pass's own way, also beyond its end while that leads down. A search may end where least is missing,
    but not nothing: ``follow_path`` finds the way out.
    """
    count = len(wheels.each)
    for i in range(count):
        now, out = wheels.now[i], wheels.now[i].out
        out.v_t, out.v_x, out.v_y, out.load = now.v_t, now.v_x, now.v_y, now.load
    share = within_reach(dz, wheels, rows)
    searching = which & no(which)
    for i in range(count):
        aim_at_newton(i, h, dz, wheels, rows)
        searching = searching | (which & searches(i, wheels))
    if some(searching):
        found, left = as_many(0.0, share), searching
        if same(wheels.passes.count) <= ENERGY:
            found = share_of_way(1.0, searching, h, wheels)
            left = searching & (found == 0.0)
        if some(left):
            found = where(left, share_with_less(left, h, wheels, rows), found)
            left = left & (found == 0.0)
        if some(left):
            for i in range(count):
                aim_where_it_came_out(i, left, wheels, rows)
            found = where(left, share_of_way(FURTHEST, left, h, wheels), found)
            found = where(left & (found == 0.0), 0.5, found)
        share = where(searching, found, share)
    for i in range(count):
        go_to(i, share, wheels)
