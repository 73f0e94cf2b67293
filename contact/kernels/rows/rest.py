"""Wheels at rest whose thrust and lateral force share an ellipse: check, and bounds that touch it.

With P the two capacities (largest friction impulses) of a wheel [N s], the impulses p on its sliding and
lateral channel lie in the ellipse ``|p / P| <= 1``; if the velocity u is not 0, they lie on its rim,
against u:

    p/P = proj(p/P - r Q u),   proj: onto the unit disc, r > 0

with weights Q, see ``unprojected_on_disc``. The rows' bounds are a box with a corner on the rim, in the
direction of the last impulses; ``check_rest`` changes this direction from one solve of the step to the
next (passes).
"""

import math

from mlcp.compiled.branches import no, some, where
from mlcp.jit import kernel

from ..wheel import layout as at

REST_TOLERANCE = 1e-6  # tolerance of the forces at rest on their ellipse, in fractions of the capacities
AT_THE_RIM = 0.999  # impulses p of the last step with a larger |p / P| are taken to lie on the ellipse


@kernel
def shares_ellipse(i, wheels):
    """Whether wheel i is at rest with both capacities above zero and a common ellipse."""
    wheel, now = wheels.each[i], wheels.now[i]
    shares = (now.at_rest == 1.0) & (now.capacity_x > 0.0) & (now.capacity_y > 0.0)
    if wheel.lateral_row < 0 or wheel.relaxes == 1 or wheel.ellipse == 0:
        return shares & no(shares)
    return shares


@kernel
def unprojected_on_disc(i, p, u, r, shares, wheels, rows):
    """Vector ``p/P - r Q u`` of wheel i, to be projected onto the unit disc, and P, in the vehicles
    ``shares``.

    p, u: pairs of impulses and velocities along the heading and to the left; r: in units of
    ``1 / max(a_x P_x Q_x, a_y P_y Q_y)`` with the diagonal a of A. Q = P, or (P_y, P_x) if forces are
    combined by the direction of sliding, so that p opposes u.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    x, y = wheel.row + at.ROW_STICK, wheel.lateral_row + 1
    most_x, most_y = where(shares, now.capacity_x, 1.0), where(shares, now.capacity_y, 1.0)
    q_x, q_y = (most_y, most_x) if wheel.sliding == 1 else (most_x, most_y)
    stiff = max(rows.A[x, x] * most_x * q_x, rows.A[y, y] * most_y * q_y)
    d_x, d_y = p[0] / most_x - r * (u[0] * q_x / stiff), p[1] / most_y - r * (u[1] * q_y / stiff)
    return d_x, d_y, most_x, most_y


@kernel
def bound_by_ellipse(least, which, wheels, rows):
    """In the vehicles ``which``, set the bounds of wheels at rest to a box with a corner on their
    ellipse in the direction of their impulses p, if ``|p / P| > least``."""
    for i in range(len(wheels.each)):
        shares = which & shares_ellipse(i, wheels)
        if not some(shares):
            continue
        wheel, now, z = wheels.each[i], wheels.now[i], rows.z
        x, y = wheel.row + at.ROW_STICK, wheel.lateral_row + 1
        p_x = abs(z[x]) / where(shares, now.capacity_x, 1.0)
        p_y = abs(z[y]) / where(shares, now.capacity_y, 1.0)
        r = math.hypot(p_x, p_y)
        touches = shares & (r > least)
        r = where(touches, r, 1.0)
        now.rest_x = where(touches, p_x / r, now.rest_x)
        now.rest_y = where(touches, p_y / r, now.rest_y)
        most_x, most_y = now.capacity_x * now.rest_x, now.capacity_y * now.rest_y
        rows.lower[x] = where(touches, -most_x, rows.lower[x])
        rows.upper[x] = where(touches, most_x, rows.upper[x])
        rows.lower[y] = where(touches, -most_y, rows.lower[y])
        rows.upper[y] = where(touches, most_y, rows.upper[y])


@kernel
def check_rest(i, wheels, rows):
    """Whether the forces of wheel i at rest obey the law of the ellipse; if not, change their bounds.

    With the symbols of the module p/P has to be the projection of ``d = p/P - r Q u``: the wheel sticks
    inside the disc, or slides with p/P on its rim. The bounds of the next pass touch the rim along d.
    """
    wheel, now, shares = wheels.each[i], wheels.now[i], shares_ellipse(i, wheels)
    if not some(shares):
        return shares | no(shares)
    p = rows.z[wheel.row + at.ROW_STICK], rows.z[wheel.lateral_row + 1]
    u = rows.u[wheel.channel + at.SLIDING], rows.u[wheel.channel + at.LATERAL]
    d_x, d_y, most_x, most_y = unprojected_on_disc(i, p, u, 1.0, shares, wheels, rows)
    size = math.sqrt(d_x * d_x + d_y * d_y)
    over = max(1.0, size)
    off_x, off_y = p[0] / most_x - d_x / over, p[1] / most_y - d_y / over
    off = math.sqrt(off_x * off_x + off_y * off_y)
    turns = shares & no(off <= REST_TOLERANCE)
    if some(turns):
        now.mismatch, size = where(turns, off, now.mismatch), where(turns, size, 1.0)
        now.rest_x = where(turns, abs(d_x) / size, now.rest_x)
        now.rest_y = where(turns, abs(d_y) / size, now.rest_y)
    return no(turns)
