"""Wheels at rest: the forces of all of them inside their ellipses at once, by semismooth Newton.

With P the two capacities of a wheel [N s], its impulses p on the sliding and the lateral channel lie
in the ellipse ``|p / P| <= 1`` and on its rim against the velocity where that is not zero:

    p/P = proj(p/P - r P u),   proj: onto the unit disc, r > 0

(or with other weights than P at u, see ``flow_of``).

All other rows keep the bounds they were laid with, ``z = clip(z - w/A_ii)``. Wheels that stand
share a stiff chassis: their ellipses decide together who holds and who slides, so turning the
bounds of one after the other (``judge_rest``) may take for ever; Newton takes all at once. First in
a few whole steps with a large r, whose map may rise on the way. Where these go round, as of a vehicle
that brakes to a stop, with a small r and steps that are halved until the map falls; and where even
that does not get on, a proximal point step, ``A + near diag(A)`` around the last z, takes it closer.
"""

from __future__ import annotations

import math

from mlcp.compiled.branches import no, some, where
from mlcp.compiled.late import BOOL, bundle, late
from mlcp.jit import kernel
from mlcp.kernels.newton import solve_general

from . import layout as at
from .data import Rows, Wheels

RIM = 0.999  # share of the ellipse's size from which the last impulses are taken to lie on it
SOON = 2  # passes of a step before the forces of all wheels at rest are sought, where some are off
PATIENCE = 5  # and where the scheme says of none that it is
WHOLE, STEPS = 6, 20  # steps of Newton: whole ones, those of a round that are searched
ROUNDS = 30  # of these, with and without a proximal weight
HALVINGS, FALLS = 4, 1e-4  # of a step; the share of it by which the map falls at least
FIRM = 100.0  # of r: wheels that press against each other give way far less than each alone
GENTLE = 3.0  # the same of searched steps
NEAREST, FARTHEST = 1e-3, 1.0  # first and last proximal weight, in shares of the diagonal
APART = 1e-8  # of the diagonal in the slopes, that rows which hold each other can be told apart
TINY, CLOSE = 1e-24, 1e-9  # solved: squared impulses over masses [J]; or in shares of the start's


@kernel
def shares_ellipse(i, wheels):
    """Whether wheel i stands with both capacities above zero and one ellipse."""
    wheel, now = wheels.each[i], wheels.now[i]
    shares = (now.at_rest == 1.0) & (now.hold_x > 0.0) & (now.hold_y > 0.0)
    if wheel.lateral_row < 0 or wheel.relaxes == 1 or wheel.ellipse == 0:
        return shares & no(shares)
    return shares


@kernel
def needs_settling(passes, wheels):
    """True if standing wheels' forces do not converge when turned one wheel after the other."""
    if passes < SOON:
        return False
    for i in range(len(wheels.each)):
        # under implicit only wheels with a mismatch: converged ones would change a little each time
        late = passes >= PATIENCE and wheels.each[i].scheme != at.IMPLICIT
        if (wheels.now[i].mismatch > 0.0 or late) and shares_ellipse(i, wheels):
            return True
    return False


@kernel
def rest_rows(i, wheels):
    """The two rows of the force of a wheel at rest."""
    wheel = wheels.each[i]
    x = wheel.row + at.ROW_STICK
    return x, wheel.lateral_row + 1


@kernel
def flow_of(i, wheels):
    """Weights Q of the velocity in ``p/P - r Q u``: P, or weights that make the force oppose u."""
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.sliding == 1:
        return now.hold_y, now.hold_x
    return now.hold_x, now.hold_y


@kernel
def pushed_back(k, z, firm, wheels, rows, o_w):
    """Rows x, y of wheel k, capacities P, weights r Q, and ``d = p/P - r Q w`` to be projected."""
    now = wheels.now[k]
    A, work = rows.A, rows.work
    x, y = rest_rows(k, wheels)
    p_x, p_y = now.hold_x, now.hold_y
    q_x, q_y = flow_of(k, wheels)
    r = firm / max(A[x, x] * p_x * q_x, A[y, y] * p_y * q_y)
    q_x, q_y = r * q_x, r * q_y
    d_x = z[x] / p_x - q_x * work[o_w + x]
    d_y = z[y] / p_y - q_y * work[o_w + y]
    return x, y, p_x, p_y, q_x, q_y, d_x, d_y


@kernel
def map_of_rest(z, wheels, rows, near, firm):
    """The natural map at z [N s], into rows.work, w behind it; half its square [J]."""
    A, b, work, n = rows.A, rows.b, rows.work, z.shape[0]
    o_value = n * n + n
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
        x, y, p_x, p_y, _, _, d_x, d_y = pushed_back(k, z, firm, wheels, rows, o_value + n)
        over = math.hypot(d_x, d_y)
        if over > 1.0:
            work[o_value + x] = z[x] - p_x * d_x / over
            work[o_value + y] = z[y] - p_y * d_y / over
        else:  # it sticks: the velocity has to vanish
            work[o_value + x] = (z[x] - p_x * d_x) / firm
            work[o_value + y] = (z[y] - p_y * d_y) / firm
    size = 0.0
    for i in range(n):
        size += 0.5 * A[i, i] * work[o_value + i] * work[o_value + i]
    return size


@kernel
def slopes_on_ellipse(k, z, wheels, rows, o_w, near, firm):
    """The two rows of that matrix that belong to wheel k at rest."""
    A, work, n = rows.A, rows.work, z.shape[0]
    x, y, p_x, p_y, q_x, q_y, d_x, d_y = pushed_back(k, z, firm, wheels, rows, o_w)
    size = math.hypot(d_x, d_y)
    a, b, c, share = 1.0, 0.0, 1.0, 1.0 / firm  # slope of the projection: (I - n n') / |d| outside
    if size > 1.0:
        share = 1.0
        n_x, n_y = d_x / size, d_y / size
        a, b, c = n_y * n_y / size, -n_x * n_y / size, n_x * n_x / size
    for j in range(n):
        t_x, t_y = -q_x * A[x, j], -q_y * A[y, j]
        t_x = 1.0 / p_x + (1.0 + near) * t_x if j == x else t_x
        t_y = 1.0 / p_y + (1.0 + near) * t_y if j == y else t_y
        work[x * n + j] = share * ((1.0 if j == x else 0.0) - p_x * (a * t_x + b * t_y))
        work[y * n + j] = share * ((1.0 if j == y else 0.0) - p_y * (b * t_x + c * t_y))


@kernel
def slopes_of_rest(z, wheels, rows, near, firm):
    """The map's matrix into rows.work[: n * n], minus its value into rows.work[n * n :]."""
    A, work, n = rows.A, rows.work, z.shape[0]
    o_value = n * n + n
    for i in range(n):
        work[o_value - n + i] = -work[o_value + i]
        back = z[i] - work[o_value + n + i] / A[i, i]
        free = rows.lower[i] < back < rows.upper[i]
        for j in range(n):
            work[i * n + j] = A[i, j] / A[i, i] if free else 0.0
        work[i * n + i] = 1.0 + near + APART if free else 1.0
    for k in range(len(wheels.each)):
        if shares_ellipse(k, wheels):
            slopes_on_ellipse(k, z, wheels, rows, o_value + n, near, firm)


@kernel
def newton_of_rest(z, near, searched, wheels, rows):
    """Newton steps from z, in place, on the map with weight ``near``, whole or searched; False, and z
    back: not solved."""
    work, n = rows.work, z.shape[0]
    step, centre = work[n * n : n * n + n], work[n * n + 3 * n : n * n + 4 * n]
    for i in range(n):
        centre[i] = z[i]
    firm, steps = (GENTLE / (1.0 + near), STEPS) if searched else (FIRM, WHOLE)
    size = map_of_rest(z, wheels, rows, near, firm)
    start, done = size, size < TINY
    while steps > 0 and not done:
        slopes_of_rest(z, wheels, rows, near, firm)
        if not solve_general(work, step, n):
            break
        for i in range(n):
            z[i] += step[i]
        last, share = size, 1.0
        size = map_of_rest(z, wheels, rows, near, firm)
        for _half in range(HALVINGS if searched else 0):
            if size <= (1.0 - FALLS * share) * last:
                break
            share *= 0.5
            for i in range(n):
                z[i] -= share * step[i]
            size = map_of_rest(z, wheels, rows, near, firm)
        done = size < TINY or size <= CLOSE * start
        steps -= 1
    if not done:
        for i in range(n):
            z[i] = centre[i]
    return done


@kernel
def lay_on_rim(i, z, which, wheels, rows):
    """Let the bounds of a wheel at rest touch its ellipse where the impulses z point, of the vehicles
    ``which``."""
    now = wheels.now[i]
    x, y = rest_rows(i, wheels)
    hold_x, hold_y = where(which, now.hold_x, 1.0), where(which, now.hold_y, 1.0)
    p_x, p_y = abs(z[x]) / hold_x, abs(z[y]) / hold_y
    r = math.hypot(p_x, p_y)
    which = which & (r > 0.0)
    r = where(which, r, 1.0)
    now.rest_x, now.rest_y = where(which, p_x / r, now.rest_x), where(which, p_y / r, now.rest_y)
    most = now.hold_x * now.rest_x
    rows.lower[x], rows.upper[x] = where(which, -most, rows.lower[x]), where(which, most, rows.upper[x])
    most = now.hold_y * now.rest_y
    rows.lower[y], rows.upper[y] = where(which, -most, rows.lower[y]), where(which, most, rows.upper[y])


@kernel
def on_rim(p_x, p_y):
    """Whether shares of the capacities count as on their ellipse."""
    return p_x * p_x + p_y * p_y >= RIM * RIM


@kernel
def start_rest(wheels, rows):
    """First pass: where the last impulses lie on a wheel's ellipse, its bounds touch it there."""
    z = rows.z
    for i in range(len(wheels.each)):
        shares = shares_ellipse(i, wheels)
        if some(shares):
            now = wheels.now[i]
            x, y = rest_rows(i, wheels)
            p_x, p_y = z[x] / where(shares, now.hold_x, 1.0), z[y] / where(shares, now.hold_y, 1.0)
            starts = shares & on_rim(p_x, p_y)
            if some(starts):
                lay_on_rim(i, z, starts, wheels, rows)


@kernel
def seek_rest(wheels, rows):
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
    near, done = 0.0, newton_of_rest(z, 0.0, False, wheels, rows)
    for _round in range(ROUNDS):
        if done or near > FARTHEST:
            break
        solved = newton_of_rest(z, near, True, wheels, rows)
        done = solved and near == 0.0
        near = 0.1 * near if solved else max(10.0 * near, NEAREST)
        if near < 1e-4 * NEAREST:
            near = 0.0
    for k in range(len(wheels.each)):
        now = wheels.now[k]
        if shares_ellipse(k, wheels):
            x, y = rest_rows(k, wheels)
            way = abs(z[x] - rows.z[x]) / now.hold_x
            way += abs(z[y] - rows.z[y]) / now.hold_y
            if way > 1e-9:  # else no way was found, and the turn of ``judge_rest`` stays
                lay_on_rim(k, z, True, wheels, rows)
    if done:
        for i in range(n):
            rows.z[i] = min(max(z[i], rows.lower[i]), rows.upper[i])
    return done


@late(BOOL(bundle(Wheels), bundle(Rows)), "mlcp", "contact")
def settle_rest(source_hash):
    def settle_rest(wheels, rows):
        """``seek_rest`` apart: wheels that stand seldom need it."""
        source_hash
        return seek_rest(wheels, rows)

    return settle_rest
