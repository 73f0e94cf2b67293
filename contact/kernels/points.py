"""Linearisation points of the wheels, with their impulses.

Velocities are linear in the impulses, so every point on the line between two solutions has the
impulses between theirs; ``descent`` searches along that line.
"""

from __future__ import annotations

from mlcp.compiled.branches import no, some, where
from mlcp.jit import kernel

from . import layout as at
from .rows import linearise_at

FURTHEST_FOLD = 64.0  # ways of a pass


@kernel
def put_point(i, v_t, v_x, v_y, load, wheels):
    """Linearise wheel i at a point, in the scheme's form of the rows."""
    wheel, now = wheels.each[i], wheels.now[i]
    scheme = wheel.scheme
    now.load = load
    moves = no(now.at_rest == 1.0)
    if not some(moves):
        return
    v_t, v_x = where(moves, v_t, now.v_t), where(moves, v_x, now.v_x)
    if scheme == at.IMPLICIT:
        linearise_at(i, v_t, v_x, wheels)
        now.v_y = where(moves, v_y, now.v_y)
    elif scheme == at.LUGRE:
        now.v_t, now.v_x, now.v_y = v_t, v_x, where(moves, v_y, now.v_y)


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
    """True if wheel i carries no load: its linearisation point then has no effect."""
    now = wheels.now[i]
    return (now.load == 0.0) & (now.origin.load == 0.0)


@kernel
def searches(i, wheels):
    """True if wheel i rolls loaded under the implicit scheme: its point is searched along the line."""
    rolls = (wheels.now[i].at_rest == 0.0) & no(hangs(i, wheels))
    return rolls if wheels.each[i].scheme == at.IMPLICIT else rolls & no(rolls)


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
def aim_where_it_came_out(i, which, wheels, rows):
    """Where wheel i came out as where it goes next, of the vehicles ``which``."""
    now, z = wheels.now[i], rows.z
    y, to = now.out, now.target
    p_t, p_x, p_y, p_r = to.p_t, to.p_x, to.p_y, to.p_r
    put_impulses(i, z, wheels, to)
    to.p_t, to.p_x = where(which, to.p_t, p_t), where(which, to.p_x, p_x)
    to.p_y, to.p_r = where(which, to.p_y, p_y), where(which, to.p_r, p_r)
    to.v_t, to.v_x = where(which, y.v_t, to.v_t), where(which, y.v_x, to.v_x)
    to.v_y, to.load = where(which, y.v_y, to.v_y), where(which, y.load, to.load)


@kernel
def aim_at_newton(i, h, dz, wheels, rows):
    """Newton's point as where wheel i goes next; of one that is not searched, on beyond a fold."""
    now = wheels.now[i]
    x, y, to = now.origin, now.out, now.target
    v_t, v_x, v_y, load = y.v_t, y.v_x, y.v_y, y.load
    put_impulses(i, rows.z, wheels, to)
    p_t, p_x, p_y, p_r = to.p_t, to.p_x, to.p_y, to.p_r
    put_impulses(i, dz, wheels, to)
    to.p_t, to.p_x, to.p_y, to.p_r = to.p_t + p_t, to.p_x + p_x, to.p_y + p_y, to.p_r + p_r
    t_row, x_row = row_of_coordinate(i, 0, wheels), row_of_coordinate(i, 1, wheels)
    y_row = row_of_coordinate(i, 2, wheels)
    for j in range(dz.shape[0]):
        v_t += rows.A[t_row, j] * dz[j]
        v_x += rows.A[x_row, j] * dz[j]
        if y_row >= 0:
            v_y += rows.A[y_row, j] * dz[j]
    to.load = max(0.0, load + dz[row_of_coordinate(i, 3, wheels)] / h)
    folds = no(searches(i, wheels))
    back = folds & ((v_t - x.v_t) * (y.v_t - x.v_t) < 0.0)  # beyond a fold: no root this way
    far = min(2.0 * now.fold, FURTHEST_FOLD)
    now.fold = where(back, far, where(folds, 0.5, now.fold))
    to.v_t = where(back, x.v_t + far * (y.v_t - x.v_t), v_t)
    to.v_x = where(back, x.v_x + far * (y.v_x - x.v_x), v_x)
    to.v_y = where(back, y.v_y, v_y)


@kernel
def go_to(i, t, wheels):
    """Linearise wheel i at the share t of its way from origin to target; where it hangs it stays where
    it came out."""
    now = wheels.now[i]
    a, b, goes = now.origin, now.target, no(hangs(i, wheels))
    if not some(goes):
        return
    a.p_t = where(goes, a.p_t + t * (b.p_t - a.p_t), a.p_t)
    a.p_x = where(goes, a.p_x + t * (b.p_x - a.p_x), a.p_x)
    a.p_y = where(goes, a.p_y + t * (b.p_y - a.p_y), a.p_y)
    a.p_r = where(goes, a.p_r + t * (b.p_r - a.p_r), a.p_r)
    put_point(
        i,
        where(goes, a.v_t + t * (b.v_t - a.v_t), now.v_t),
        where(goes, a.v_x + t * (b.v_x - a.v_x), now.v_x),
        where(goes, a.v_y + t * (b.v_y - a.v_y), now.v_y),
        where(goes, max(0.0, a.load + t * (b.load - a.load)), now.load),
        wheels,
    )
