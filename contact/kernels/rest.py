"""Wheels at rest: the forces of all of them inside their ellipses at once, by semismooth Newton.

With P the two capacities of a wheel [N s], its impulses p on the sliding and the lateral channel lie
in the ellipse ``|p / P| <= 1`` and on its rim against the velocity where that is not zero:

    p/P = proj(p/P - r P u),   proj: onto the unit disc, r > 0

(or with other weights than P at u, see ``flow_of``).

All other rows keep the bounds they were laid with, ``z = clip(z - w/A_ii)``. Wheels that stand
share a stiff chassis: their ellipses decide together who holds and who slides, so turning the
bounds of one after the other (``judge_rest``) may take for ever; Newton takes all at once. Where it
does not get on, a proximal point step, ``A + near diag(A)`` around the last z, takes it closer.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.newton import solve_general

from . import layout as at

PATIENCE = 5  # passes of a step before the forces of all standing wheels are sought at once
ROUNDS = 30  # rounds of Newton, with and without a proximal weight
STEPS = 10  # of Newton in a round
HALVINGS = 8  # of a Newton step
NEAREST = 1e-3  # first proximal weight, in shares of the diagonal
APART = 1e-8  # of the diagonal in the slopes, that rows which hold each other can be told apart
TINY = 1e-24  # squared impulses over masses [J]


@kernel
def shares_ellipse(i, wheels):
    """Whether wheel i stands with both capacities above zero and one ellipse."""
    wheel, now = wheels.each[i], wheels.now[i]
    return (
        now.at_rest == 1.0
        and wheel.lateral_row >= 0
        and wheel.relaxes == 0
        and wheel.ellipse == 1
        and now.hold_x > 0.0
        and now.hold_y > 0.0
    )


@kernel
def needs_settling(passes, wheels):
    """Whether the passes take long and wheels stand that may be the reason."""
    if passes < PATIENCE:
        return False
    for i in range(len(wheels.each)):
        # under implicit only where their forces are off: settled ones would change a little each time
        off = wheels.now[i].mismatch > 0.0 or wheels.each[i].scheme != at.IMPLICIT
        if off and shares_ellipse(i, wheels):
            return True
    return False


@kernel
def rest_rows(i, wheels):
    """The two rows that carry the force of a wheel at rest."""
    wheel = wheels.each[i]
    x = wheel.row + at.ROW_STICK
    return x, wheel.lateral_row + 1


@kernel
def flow_of(i, wheels):
    """Weights Q of the velocity in ``p/P - r Q u``: P, or what makes the force oppose u."""
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.sliding == 1:
        return now.hold_y, now.hold_x
    return now.hold_x, now.hold_y


@kernel
def pushed_back(k, z, wheels, rows, o_w):
    """Rows x, y of wheel k, capacities P, weights r Q, and ``d = p/P - r Q w`` to be projected."""
    now = wheels.now[k]
    A, work = rows.A, rows.work
    x, y = rest_rows(k, wheels)
    p_x, p_y = now.hold_x, now.hold_y
    q_x, q_y = flow_of(k, wheels)
    r = 1.0 / max(A[x, x] * p_x * q_x, A[y, y] * p_y * q_y)
    q_x, q_y = r * q_x, r * q_y
    d_x = z[x] / p_x - q_x * work[o_w + x]
    d_y = z[y] / p_y - q_y * work[o_w + y]
    return x, y, p_x, p_y, q_x, q_y, d_x, d_y


@kernel
def map_of_rest(n, z, wheels, rows, o_value, near):
    """The natural map at z [N s], into rows.work[o_value:], w behind it; half its square [J]."""
    A, b, work = rows.A, rows.b, rows.work
    for i in range(n):
        w = b[i]
        for j in range(n):
            w += A[i, j] * z[j]
        w += near * A[i, i] * (z[i] - work[o_value + 2 * n + i])
        work[o_value + n + i] = w
        back = z[i] - w / A[i, i]
        work[o_value + i] = z[i] - min(max(back, rows.lower[i]), rows.upper[i])
    for k in range(len(wheels.each)):
        if not shares_ellipse(k, wheels):
            continue
        x, y, p_x, p_y, _, _, d_x, d_y = pushed_back(k, z, wheels, rows, o_value + n)
        over = max(1.0, math.hypot(d_x, d_y))
        work[o_value + x] = z[x] - p_x * d_x / over
        work[o_value + y] = z[y] - p_y * d_y / over
    size = 0.0
    for i in range(n):
        size += 0.5 * A[i, i] * work[o_value + i] * work[o_value + i]
    return size


@kernel
def slopes_on_ellipse(k, z, wheels, rows, o_w, near):
    """The two rows of that matrix that belong to wheel k at rest."""
    A, work, n = rows.A, rows.work, z.shape[0]
    x, y, p_x, p_y, q_x, q_y, d_x, d_y = pushed_back(k, z, wheels, rows, o_w)
    size = math.hypot(d_x, d_y)
    a, b, c = 1.0, 0.0, 1.0  # slope of the projection: (I - n n') / |d| outside
    if size > 1.0:
        n_x, n_y = d_x / size, d_y / size
        a, b, c = n_y * n_y / size, -n_x * n_y / size, n_x * n_x / size
    for j in range(n):
        t_x, t_y = -q_x * A[x, j], -q_y * A[y, j]
        t_x = 1.0 / p_x + (1.0 + near) * t_x if j == x else t_x
        t_y = 1.0 / p_y + (1.0 + near) * t_y if j == y else t_y
        work[x * n + j] = (1.0 if j == x else 0.0) - p_x * (a * t_x + b * t_y)
        work[y * n + j] = (1.0 if j == y else 0.0) - p_y * (b * t_x + c * t_y)


@kernel
def slopes_of_rest(n, z, wheels, rows, o_value, near):
    """The map's matrix into rows.work[: n * n], minus its value into rows.work[n * n :]."""
    A, work = rows.A, rows.work
    for i in range(n):
        work[o_value - n + i] = -work[o_value + i]
        back = z[i] - work[o_value + n + i] / A[i, i]
        free = rows.lower[i] < back < rows.upper[i]
        for j in range(n):
            work[i * n + j] = A[i, j] / A[i, i] if free else 0.0
        work[i * n + i] = 1.0 + near + APART if free else 1.0
    for k in range(len(wheels.each)):
        if shares_ellipse(k, wheels):
            slopes_on_ellipse(k, z, wheels, rows, o_value + n, near)


@kernel
def newton_of_rest(n, z, wheels, rows, near):
    """Newton steps with halving from z, in place, on the map with weight ``near``; True: solved."""
    work = rows.work
    o_value, o_centre, o_trial = n * n + n, n * n + 3 * n, n * n + 5 * n
    trial = work[o_trial : o_trial + n]
    for i in range(n):
        work[o_centre + i] = z[i]
    size = map_of_rest(n, z, wheels, rows, o_value, near)
    start = size
    for _step in range(STEPS):
        slopes_of_rest(n, z, wheels, rows, o_value, near)
        if not solve_general(work, work[n * n :], n):
            break
        t, before = 1.0, size
        for _half in range(HALVINGS):
            for i in range(n):
                trial[i] = z[i] + t * work[n * n + i]
            size = map_of_rest(n, trial, wheels, rows, o_value, near)
            if size < before * (1.0 - 1e-4 * t):
                break
            t *= 0.5
        if not size < before:
            size = before
            break
        for i in range(n):
            z[i] = trial[i]
        if size <= 1e-9 * start or size < TINY:
            break
    return size <= 1e-6 * start or size < TINY


@kernel
def settle_rest(wheels, rows):
    """Find the forces of all standing wheels at once, and lay their bounds there; False: not found.

    Takes the dense problem (rows.A, rows.b) as laid; moves the angles of the standing wheels, whose
    bounds then touch the ellipses where these forces do, and puts the forces into rows.z.
    """
    n = rows.z.shape[0]
    work = rows.work
    o_z = n * n + 4 * n
    z = work[o_z : o_z + n]
    for i in range(n):
        z[i] = rows.z[i]
    near, done = 0.0, False
    for _round in range(ROUNDS):
        solved = newton_of_rest(n, z, wheels, rows, near)
        if solved and near == 0.0:
            done = True
            break
        near = 0.1 * near if solved else max(10.0 * near, NEAREST)
        if near < 1e-4 * NEAREST:
            near = 0.0
    for k in range(len(wheels.each)):
        now = wheels.now[k]
        if shares_ellipse(k, wheels):
            x, y = rest_rows(k, wheels)
            p_x, p_y = abs(z[x]) / now.hold_x, abs(z[y]) / now.hold_y
            r = math.hypot(p_x, p_y)
            way = abs(z[x] - rows.z[x]) / now.hold_x
            way += abs(z[y] - rows.z[y]) / now.hold_y
            if r > 0.0 and way > 1e-9:  # else no way was found, and the turn of ``judge_rest`` stays
                now.rest_x, now.rest_y = p_x / r, p_y / r
                most = now.hold_x * p_x / r
                rows.lower[x], rows.upper[x] = -most, most
                most = now.hold_y * p_y / r
                rows.lower[y], rows.upper[y] = -most, most
    if done:
        for i in range(n):
            rows.z[i] = min(max(z[i], rows.lower[i]), rows.upper[i])
    return done
