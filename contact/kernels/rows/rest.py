"""Wheels at rest whose thrust and lateral force share an ellipse: check, and bounds that touch it.

With P the two capacities (largest friction impulses) of a wheel [N s], the impulses p on its sliding and
lateral channel lie in the ellipse ``|p / P| <= 1``; if the velocity u is not 0, they lie on its rim,
against u:

    p/P = proj(p/P - r Q u),   proj: onto the unit disc, r > 0

with weights Q, see ``flow_of``. The rows' bounds are a box with a corner on the rim, in the direction of
the last impulses; ``check_rest`` changes this direction from one solve of the step to the next (passes).
"""

import math

from mlcp.compiled.branches import no, some, where
from mlcp.jit import kernel

from ..wheel import layout as at

REST_TOLERANCE = 1e-6  # tolerance of the forces at rest on their ellipse, in fractions of the capacities
# The tolerance after REPEATED_REST_PASSES checks of the laws: when wheels of one axle that act against
# each other come to rest, the directions of their forces may change without end. At this tolerance the
# vehicle creeps by some 1e-7 m/s.
REPEATED_REST_TOLERANCE, REPEATED_REST_PASSES = 1e-5, 15.0


@kernel
def shares_ellipse(i, wheels):
    """Whether wheel i is at rest with both capacities above zero and a common ellipse."""
    wheel, now = wheels.each[i], wheels.now[i]
    shares = (now.at_rest == 1.0) & (now.capacity_x > 0.0) & (now.capacity_y > 0.0)
    if wheel.lateral_row < 0 or wheel.relaxes == 1 or wheel.ellipse == 0:
        return shares & no(shares)
    return shares


@kernel
def flow_of(i, wheels):
    """Weights Q of the velocities u of wheel i in ``p/P - r Q u``, with impulses p and capacities P: Q =
    P, or (P_y, P_x) if forces are combined by the direction of sliding, so that p opposes u.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.sliding == 1:
        return now.capacity_y, now.capacity_x
    return now.capacity_x, now.capacity_y


@kernel
def bound_by_ellipse(i, least, which, wheels, rows):
    """Set the bounds of wheel i at rest to a box with a corner on its ellipse in the direction of its
    impulses p, in those of the vehicles ``which`` for which ``|p / P| > least`` (P: capacities).
    """
    wheel, now, z = wheels.each[i], wheels.now[i], rows.z
    x, y = wheel.row + at.ROW_STICK, wheel.lateral_row + 1
    capacity_x, capacity_y = where(which, now.capacity_x, 1.0), where(which, now.capacity_y, 1.0)
    p_x, p_y = abs(z[x]) / capacity_x, abs(z[y]) / capacity_y
    r = math.hypot(p_x, p_y)
    which = which & (r > least)
    r = where(which, r, 1.0)
    now.rest_x, now.rest_y = where(which, p_x / r, now.rest_x), where(which, p_y / r, now.rest_y)
    most_x, most_y = now.capacity_x * now.rest_x, now.capacity_y * now.rest_y
    rows.lower[x], rows.upper[x] = (
        where(which, -most_x, rows.lower[x]),
        where(which, most_x, rows.upper[x]),
    )
    rows.lower[y], rows.upper[y] = (
        where(which, -most_y, rows.lower[y]),
        where(which, most_y, rows.upper[y]),
    )


@kernel
def start_rest(wheels, rows):
    """For the first solve of a step, set the bounds of wheels whose last impulses lie on their ellipse
    to a box with a corner on the ellipse in the direction of these impulses.
    """
    for i in range(len(wheels.each)):
        shares = shares_ellipse(i, wheels)
        if some(shares):
            # impulses p with |p / P| > 0.999 are taken to lie on the ellipse
            bound_by_ellipse(i, 0.999, shares, wheels, rows)


@kernel
def off_ellipse(p_x, p_y, d_x, d_y):
    """Length of the vector d = (d_x, d_y), and distance of p = (p_x, p_y) from the projection of d onto
    the unit disc."""
    size = math.sqrt(d_x * d_x + d_y * d_y)
    over = max(1.0, size)
    r_x, r_y = p_x - d_x / over, p_y - d_y / over
    return size, math.sqrt(r_x * r_x + r_y * r_y)


@kernel
def check_rest(i, wheels, rows):
    """Whether the forces of wheel i at rest obey the law of the ellipse; if not, change their bounds.

    With the impulses p, velocities u, capacities P and weights Q of the module and some r > 0, p/P has
    to be the projection of ``d = p/P - r Q u`` onto the unit disc: the wheel sticks inside the disc, or
    slides with p/P on its rim against the sliding. The bounds of the next pass touch the rim along d.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    capacity_x, capacity_y = now.capacity_x, now.capacity_y
    shared = (now.at_rest == 1.0) & (capacity_x > 0.0) & (capacity_y > 0.0)
    if wheel.ellipse == 0 or not some(shared):
        return shared | no(shared)
    x, y = wheel.row + at.ROW_STICK, wheel.lateral_row + 1
    channel = wheel.channel
    capacity_x, capacity_y = where(shared, capacity_x, 1.0), where(shared, capacity_y, 1.0)
    p_x, p_y = rows.z[x] / capacity_x, rows.z[y] / capacity_y
    flow_x, flow_y = flow_of(i, wheels)
    flow_x, flow_y = where(shared, flow_x, 1.0), where(shared, flow_y, 1.0)
    stiff = max(rows.A[x, x] * capacity_x * flow_x, rows.A[y, y] * capacity_y * flow_y)
    d_x = p_x - rows.u[channel + at.SLIDING] * flow_x / stiff
    d_y = p_y - rows.u[channel + at.LATERAL] * flow_y / stiff
    size, off = off_ellipse(p_x, p_y, d_x, d_y)
    tolerance = where(
        wheels.passes.count < REPEATED_REST_PASSES, REST_TOLERANCE, REPEATED_REST_TOLERANCE
    )
    turns = shared & no(off <= tolerance)
    if some(turns):
        now.mismatch, size = where(turns, off, now.mismatch), where(turns, size, 1.0)
        now.rest_x = where(turns, abs(d_x) / size, now.rest_x)
        now.rest_y = where(turns, abs(d_y) / size, now.rest_y)
    return no(turns)
