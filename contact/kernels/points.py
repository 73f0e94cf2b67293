"""The points that wheels are linearised at, with the impulses that belong to them.

Velocities are linear in the impulses, so every point on the way between two solutions has the
impulses between theirs; ``descent`` looks along that way.
"""

from __future__ import annotations

from mlcp.jit import kernel

from . import layout as at
from .rows import linearise_at

FURTHEST_FOLD = 64.0  # ways of a pass


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
def row_of_coordinate(i, k, wheels):
    """A row without compliance on the channel that is coordinate k of the point; -1: none."""
    wheel = wheels.each[i]
    if k == 0:
        return wheel.row + at.ROW_STICK
    if k == 1:
        return wheel.row + at.ROW_RESISTANCE
    if k == 2:
        return wheel.lateral_row + 1 if wheel.lateral_row >= 0 else -1
    return wheel.row + at.ROW_NORMAL


@kernel
def hangs(i, wheels):
    """Whether nothing rests on wheel i: where its rows are laid is then of no consequence."""
    now = wheels.now[i]
    return now.load == 0.0 and now.origin.load == 0.0


@kernel
def searches(i, wheels):
    """Whether wheel i rolls under the implicit scheme, loaded: its law is looked for along the way."""
    rolls = wheels.now[i].at_rest == 0.0 and not hangs(i, wheels)
    return rolls and wheels.each[i].scheme == at.IMPLICIT


@kernel
def put_impulses(i, p, wheels, point):
    """The impulses of wheel i among those p of all rows, as a point's."""
    wheel = wheels.each[i]
    first, sideways, spin = wheel.row, wheel.lateral_row, wheel.spin_row
    point.p_t = p[first + at.ROW_TRACTION] + p[first + at.ROW_STICK]
    point.p_x = p[first + at.ROW_RESISTANCE]
    point.p_y = p[sideways] + p[sideways + 1] if sideways >= 0 else 0.0
    point.p_r = p[spin] if spin >= 0 else 0.0


@kernel
def keep_impulses(wheels, rows):
    """The next pass starts where this one came out: its impulses belong to the point."""
    for i in range(len(wheels.each)):
        put_impulses(i, rows.z, wheels, wheels.now[i].origin)


@kernel
def set_target(i, h, newton, folds, wheels, rows):
    """Newton's point as where wheel i goes next, or where it came out."""
    now, work, n = wheels.now[i], rows.work, rows.z.shape[0]
    x, y, to = now.origin, now.out, now.target
    to.v_t, to.v_x, to.v_y, to.load = y.v_t, y.v_x, y.v_y, y.load
    put_impulses(i, rows.z, wheels, to)
    if not newton:
        return
    dz = work[n * n : n * n + n]
    p_t, p_x, p_y, p_r = to.p_t, to.p_x, to.p_y, to.p_r
    put_impulses(i, dz, wheels, to)
    to.p_t, to.p_x, to.p_y, to.p_r = to.p_t + p_t, to.p_x + p_x, to.p_y + p_y, to.p_r + p_r
    t_row, x_row = row_of_coordinate(i, 0, wheels), row_of_coordinate(i, 1, wheels)
    y_row = row_of_coordinate(i, 2, wheels)
    for j in range(n):
        to.v_t += rows.A[t_row, j] * dz[j]
        to.v_x += rows.A[x_row, j] * dz[j]
        if y_row >= 0:
            to.v_y += rows.A[y_row, j] * dz[j]
    to.load = max(0.0, to.load + dz[row_of_coordinate(i, 3, wheels)] / h)
    if not folds:
        return
    if (to.v_t - x.v_t) * (y.v_t - x.v_t) < 0.0:  # beyond a fold: no root this way
        far = min(2.0 * now.fold, FURTHEST_FOLD)
        now.fold = far
        to.v_t, to.v_x = x.v_t + far * (y.v_t - x.v_t), x.v_x + far * (y.v_x - x.v_x)
        to.v_y = y.v_y
    else:
        now.fold = 0.5


@kernel
def go_to(i, t, wheels):
    """Linearise wheel i at the share t of its way from origin to target."""
    a, b = wheels.now[i].origin, wheels.now[i].target
    a.p_t, a.p_x = a.p_t + t * (b.p_t - a.p_t), a.p_x + t * (b.p_x - a.p_x)
    a.p_y, a.p_r = a.p_y + t * (b.p_y - a.p_y), a.p_r + t * (b.p_r - a.p_r)
    put_point(
        i,
        a.v_t + t * (b.v_t - a.v_t),
        a.v_x + t * (b.v_x - a.v_x),
        a.v_y + t * (b.v_y - a.v_y),
        max(0.0, a.load + t * (b.load - a.load)),
        wheels,
    )
