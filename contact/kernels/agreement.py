"""Where the next pass linearises: Newton's point for all wheels at once.

A pass lays the rows at a point x of every wheel (v_t, v_x, v_y, F_n), solves them, and finds the
wheels at y. Taking y as the next point is Newton's step for the thrust over v_t, whose slope is in
the row; what else of the rows depends on x (resistance and its slip, load, the ellipse, v_max)
follows one pass late, and wheels that share a chassis may then run in circles. So the rows' own
change is added, with the rows that are free or at a bound kept as they came out:

    A_i dz + D_i dx = 0  (free),   dz_i = D_i dx  (at a bound),   dx = y - x + E dz,

D: change of the row's ``e z + bias``, or of its bound, with the point of its own wheel, by
differences of the rows as they are laid; E: what impulses do to the points. The next point is x + dx,
or as much of that way as leads on: tangents of a law that bends (clay's logarithm, the ellipse, a kink
where something stands) would take a wheel from one side of its root to the other, for ever.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.newton import solve_general

from . import layout as at
from .descent import share_of_way, share_with_less
from .lateral_rows import lateral_rows
from .path import follow_path
from .points import go_to, hangs, keep_impulses, put_point, row_of_coordinate, searches, set_target
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
def keep_sides(first, end, o_laid, rows):
    """Remember at o_laid + 4 at which of its bounds each of a wheel's rows is."""
    for row in range(first + 1, end):
        k = o_laid + LAID * (row - first)
        low, high = rows.z[row] <= rows.lower[row], rows.z[row] >= rows.upper[row]
        rows.work[k + 4] = -1.0 if low else (1.0 if high else 0.0)


@kernel
def keep_rows(first, end, o_laid, rows):
    """Remember at o_laid how a wheel's rows lie."""
    work = rows.work
    for row in range(first + 1, end):
        k = o_laid + LAID * (row - first)
        work[k], work[k + 1] = rows.e[row], rows.bias[row]
        work[k + 2], work[k + 3] = rows.lower[row], rows.upper[row]


@kernel
def give_back_rows(first, end, o_laid, rows):
    """As they were remembered."""
    work = rows.work
    for row in range(first + 1, end):
        k = o_laid + LAID * (row - first)
        rows.e[row], rows.bias[row] = work[k], work[k + 1]
        rows.lower[row], rows.upper[row] = work[k + 2], work[k + 3]


@kernel
def add_changes(i, h, B, o_x, o_laid, wheels, rows):
    """Add D (x-part to the right-hand side at o_x, E-part to the matrix) of wheel i's rows."""
    wheel, now = wheels.each[i], wheels.now[i]
    work, n = rows.work, rows.z.shape[0]
    first, end = wheel.row, last_row(i, wheels)
    y_t, y_x, y_y, y_n = now.v_t, now.v_x, now.v_y, now.load
    x_t, x_x, x_y, x_n = now.origin.v_t, now.origin.v_x, now.origin.v_y, now.origin.load
    keep_sides(first, end, o_laid, rows)  # as they were laid; a scheme of one's own has laid others
    put_point(i, x_t, x_x, x_y, x_n, wheels)
    lay_wheel(i, h, B, wheels, rows)
    keep_rows(first, end, o_laid, rows)
    speed = NUDGE * max(now.v_max, wheel.v_0)
    # The law has kinks where rim, centre or contact point stand, and each may be held there: v_x and
    # v_t are moved with the rim as it is, then the rim alone, v_x as it is where the centre is held.
    sliding, centre = row_of_coordinate(i, 0, wheels), row_of_coordinate(i, 1, wheels)
    held = rows.lower[centre] < rows.z[centre] < rows.upper[centre] and searches(i, wheels)
    for c in range(COORDINATES):
        on = row_of_coordinate(i, c, wheels)
        if on < 0:
            continue
        way = y_t - x_t if c == 0 else (y_y - x_y if c == 2 else y_n - x_n)
        if c == 0 and held:
            on, way = centre, y_x - x_x
        if c == 1:
            way = (y_x - y_t) - (x_x - x_t)
        step = speed if c < 3 else NUDGE * max(x_n, 1.0)
        step = -step if way < 0.0 else step
        put_point(
            i,
            x_t + step if c == 0 else (x_t - step if c == 1 and held else x_t),
            x_x + step if c == 0 or (c == 1 and not held) else x_x,
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
    give_back_rows(first, end, o_laid, rows)
    put_point(i, y_t, y_x, y_y, y_n, wheels)


@kernel
def choose_share(wheels):
    """Count the pass, and go half the way after one that led away; returns the passes so far."""
    way = 0.0
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        if hangs(i, wheels):
            continue
        speed = max(now.v_max, wheel.v_0)
        at_last, load = now.origin, max(now.load, 1.0)
        d_t, d_x, d_y = now.v_t - at_last.v_t, now.v_x - at_last.v_x, now.v_y - at_last.v_y
        d_n = (now.load - at_last.load) / load
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
        wheels.now[i].fold = 0.5
    return True


@kernel
def takes_paths(wheels):
    """Whether a path may be followed: no wheel has another scheme than implicit."""
    for i in range(len(wheels.each)):
        if wheels.each[i].scheme != at.IMPLICIT:
            return False
    return True


@kernel
def needs_path(wheels):
    """Whether the passes take long."""
    since = wheels.passes.count - PATH
    return since >= 0.0 and since % AGAIN == 0.0 and takes_paths(wheels)


@kernel
def next_points(h, B, wheels, rows, beside):
    """Move the wheels from where they came out (y) to Newton's points; rows.A is dense.

    Returns: whether a path led to the solution instead; then rows.z has it, see ``split_rows``.
    """
    if needs_path(wheels) and follow_path(h, wheels, rows, beside):
        return True
    work, n = rows.work, rows.z.shape[0]
    o_x, o_laid = n * n, n * n + n
    for i in range(n):
        free = rows.lower[i] < rows.z[i] < rows.upper[i]
        for j in range(n):
            work[i * n + j] = rows.A[i, j] if free else 0.0
        work[i * n + i] = work[i * n + i] * (1.0 + APART) if free else 1.0
        work[o_x + i] = 0.0
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        off = wheels.now[i].mismatch > 0.0  # else its bounds stay as they are
        if off and shares_ellipse(i, wheels) and wheel.scheme == at.IMPLICIT:
            x, y = rest_rows(i, wheels)
            work[o_laid + x] = rows.u[wheel.channel + at.SLIDING]
            work[o_laid + y] = rows.u[wheel.channel + at.LATERAL]
            slopes_on_ellipse(i, rows.z, wheels, rows, o_laid, 0.0, FIRM)
    for i in range(len(wheels.each)):
        if not (hangs(i, wheels) or shares_ellipse(i, wheels)):  # that ``settle_rest`` moves
            add_changes(i, h, B, o_x, o_laid, wheels, rows)
    if not solve_general(work, work[n * n :], n):
        keep_impulses(wheels, rows)
        return False
    for i in range(len(wheels.each)):
        now, out = wheels.now[i], wheels.now[i].out
        out.v_t, out.v_x, out.v_y, out.load = now.v_t, now.v_x, now.v_y, now.load
    share, way, newton = wheels.passes.share, wheels.passes.way, 0.0
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        if now.at_rest == 1.0 or wheel.scheme < at.IMPLICIT or hangs(i, wheels):
            continue  # its rows look at the load only
        speed = max(now.v_max, wheel.v_0)
        for c in range(2):
            d = (now.v_t - now.origin.v_t) if c == 0 else (now.v_x - now.origin.v_x)
            row = row_of_coordinate(i, c, wheels)
            for j in range(n):
                d += rows.A[row, j] * work[o_x + j]
            newton += d * d / (speed * speed)
    if newton > REACH * REACH * way:
        share *= REACH * math.sqrt(way / newton)
        wheels.passes.share = share
    go_on(share, h, wheels, rows)
    return False


@kernel
def go_on(share, h, wheels, rows):
    """Move the wheels towards Newton's points: by ``share``, or as far as ``descent`` finds.

    Where Newton's way leads up, as far as less is missing there; and where nothing is gained on it, the
    pass's own way, also beyond its end while that leads down. A search may end where least is missing,
    but not nothing: ``follow_path`` finds the way out.
    """
    count, searching = len(wheels.each), False
    for i in range(count):
        set_target(i, h, True, not searches(i, wheels), wheels, rows)
        searching = searching or searches(i, wheels)
    if searching:
        share = share_of_way(1.0, h, wheels) if wheels.passes.count <= ENERGY else 0.0
        if share == 0.0:
            share = share_with_less(h, wheels, rows)
        if share == 0.0:
            for i in range(count):
                set_target(i, h, False, False, wheels, rows)
            share = share_of_way(FURTHEST, h, wheels)
        if share == 0.0:
            share = 0.5
    for i in range(count):
        if not hangs(i, wheels):  # else it stays where it came out
            go_to(i, share, wheels)
