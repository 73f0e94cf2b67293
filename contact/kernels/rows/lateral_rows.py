"""The lateral force as rows: a smooth one and a set-valued one, on the lateral channel.

The same shape as the thrust, so the same schemes: F(v_y) = -F_n mu(alpha), with
alpha = atan(v_y / max(|v_x|, v_0)).
"""

from __future__ import annotations

import math

from mlcp.compiled.branches import as_many
from mlcp.jit import kernel

from ...schemes.kernels.line import Line, Sliding
from ...schemes.kernels.table import scheme_line
from ..wheel import layout as at
from ..wheel.bristles import bent_aside, bristle_side, force_of, lateral_grip
from ..wheel.combined import lateral_alone, lateral_force, motion_at, motion_of, thrust_at
from ..wheel.relaxation import begin_relaxing
from ..wheel.slip import STUCK
from ..wheel.wheel_law import law_at
from .lines import keep_within, set_line, sloped
from .rest import flow_of

# On the fraction of its capacity in a wheel's lateral force at rest: of two wheels on one axle only the
# sum is determined.
SIDE_USE_TOLERANCE = 1e-8
REST_TOLERANCE = 1e-6  # on the forces at rest against their ellipse, in fractions of the capacities
NEAR_SHARE = 3e-3  # excess of bristles' forces over their ellipse, from which the share is extrapolated
# The same after PATIENCE passes: opposed wheels of one axle coming to rest may change the directions of
# their forces without end; at this tolerance the vehicle creeps by some 1e-7 m/s.
REST_AT_LENGTH, PATIENCE = 1e-5, 15.0


@kernel
def begin_lateral(i, h, v_y, wheels, rows):
    """Start of the step: linearise at the current lateral velocity [m/s].

    Where the centre stands the slip angle jumps from -90 to 90 degrees with v_y: a wheel that spins
    there is held sideways, set-valued, as it is along its heading by its resistance.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    now.v_y = v_y
    if wheel.relaxes == 1:
        now.stuck_y = 0.0
        begin_relaxing(i, h, wheels)
        return
    regular = wheel.scheme == at.LUGRE or wheel.smooth_slip == 1 or wheel.sliding == 1
    stands = max(abs(now.v_x), abs(v_y)) <= wheel.v_0
    spins = now.v_max > wheel.v_0
    now.stuck_y = 1.0 if stands and spins and not regular else 0.0
    if now.stuck_y == 1.0:
        now.side_use = min(lateral_use(i, h, wheels, rows), stuck_share(i, wheels))


@kernel
def side_share(i, ratio, coulomb, peak, wheels):
    """Share of the lateral capacity at a slip angle of 90 degrees beside a thrust ratio."""
    if wheels.each[i].ellipse == 0:
        return as_many(1.0, ratio)
    use = (abs(ratio) + coulomb) / max(peak + coulomb, 1e-300)
    return 1.0 / math.sqrt(1.0 + use * use)


@kernel
def stuck_share(i, wheels):
    """Share of the lateral capacity that holds a wheel whose centre stands: that at 90 degrees."""
    now = wheels.now[i]
    ratio, _, coulomb, _, _, peak = law_at(i, now.slip, now.direction, now.v_max, now.load, wheels)
    return side_share(i, ratio, coulomb, peak, wheels)


@kernel
def lateral_use(i, h, wheels, rows):
    """Lateral force of wheel i over its capacity, both of the last solution."""
    wheel, now = wheels.each[i], wheels.now[i]
    smooth = wheel.lateral_row
    _, _, largest = lateral_force(i, now.load, motion_of(now), wheels)
    return min(1.0, abs(rows.z[smooth] + rows.z[smooth + 1]) / max(h * largest, 1e-300))


@kernel
def sliding_aside(i, force, slope, largest, wheels):
    """Lateral force of ``lateral_force`` as ``Sliding`` for a scheme, scaled by the ellipse."""
    share = wheels.now[i].share
    force, slope, largest = force * share, slope * share, largest * share
    return Sliding(wheels.now[i].v_y, -force, slope, slope, largest)


@kernel
def bent_side(i, wheels):
    """Lateral force of wheel i's carcass as a line: elastic, with its part that drives the sliding."""
    now = wheels.now[i]
    force, slope, largest = lateral_alone(i, now.load, now.v_x, now.v_y, wheels)
    side = sliding_aside(i, force, slope, largest, wheels)
    damping = max(side.tangent, 0.0)  # where the law falls with the slip: its present force
    line = Line(side.force + damping * now.v_y, damping, side.peak, 0.0)
    return sloped(line, 1.0, now.load)


@kernel
def lateral_rows(i, h, wheels, rows):
    """Lay the two lateral rows of wheel i at its linearisation point (after ``traction_rows``)."""
    wheel, now = wheels.each[i], wheels.now[i]
    smooth, nothing = wheel.lateral_row, Line(0.0, 0.0, 0.0, 0.0)
    if wheel.scheme == at.LUGRE:
        set_line(smooth, h, bristle_side(i, h, wheels), 0.0, rows)
        return
    if wheel.relaxes == 1:
        set_line(smooth, h, bent_side(i, wheels), 0.0, rows)
        return
    if now.at_rest == 1.0:
        _, _, largest = lateral_alone(i, now.load, now.v_x, now.v_y, wheels)
        now.capacity_y = h * largest * now.share
        set_line(smooth, h, nothing, now.rest_y * now.capacity_y, rows)
        return
    force, slope, largest = lateral_force(i, now.load, motion_of(now), wheels)
    if now.stuck_y == 1.0:
        set_line(smooth, h, nothing, h * largest * stuck_share(i, wheels), rows)
    else:
        line = scheme_line(wheel.line, sliding_aside(i, force, slope, largest, wheels))
        set_line(smooth, h, sloped(line, 1.0, now.load), 0.0, rows)
    if now.rest_y < 1.0 and wheel.scheme == at.KEPT:
        keep_within(smooth, h * largest * now.rest_y, rows)


@kernel
def off_ellipse(p_x, p_y, d_x, d_y):
    """The size of ``d``, and how far ``p`` is from its projection onto the unit disc."""
    size = math.sqrt(d_x * d_x + d_y * d_y)
    over = max(1.0, size)
    r_x, r_y = p_x - d_x / over, p_y - d_y / over
    return size, math.sqrt(r_x * r_x + r_y * r_y)


@kernel
def check_rest(i, wheels, rows):
    """Keep the forces of a wheel at rest inside their ellipse; False while its bounds still move.

    With P the two capacities and Q the weights of ``flow_of``, p/P has to be the projection of
    ``d = p/P - r Q u`` onto the unit disc: stuck inside it, or on its rim against the sliding. The
    bounds of the next pass touch the rim along d.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    capacity_x, capacity_y = now.capacity_x, now.capacity_y
    if wheel.ellipse == 0 or capacity_x <= 0.0 or capacity_y <= 0.0:
        return True
    x, y = wheel.row + at.ROW_STICK, wheel.lateral_row + 1
    channel = wheel.channel
    p_x, p_y = rows.z[x] / capacity_x, rows.z[y] / capacity_y
    flow_x, flow_y = flow_of(i, wheels)
    stiff = max(rows.A[x, x] * capacity_x * flow_x, rows.A[y, y] * capacity_y * flow_y)
    d_x = p_x - rows.u[channel + at.SLIDING] * flow_x / stiff
    d_y = p_y - rows.u[channel + at.LATERAL] * flow_y / stiff
    size, off = off_ellipse(p_x, p_y, d_x, d_y)
    if off <= (REST_TOLERANCE if wheels.passes.count < PATIENCE else REST_AT_LENGTH):
        return True
    now.mismatch = off
    now.rest_x, now.rest_y = abs(d_x) / size, abs(d_y) / size
    return False


@kernel
def share_bristles(i, h, lateral, wheels, rows):
    """The same for bristles near standstill: both envelopes shrink until the forces fit."""
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.ellipse == 0 or wheel.sliding == 1 or now.v_max >= wheel.v_hold:
        return True
    share = max(now.share, 1e-12)
    most_x = now.load * now.grip.x
    most_y = lateral_grip(i, wheels) / share
    if most_x <= 0.0 or most_y <= 0.0:
        return True
    traction = rows.z[wheel.row + at.ROW_TRACTION] / h
    # a viscous part may exceed the envelope: only the bristles' own capacity is shared
    size = math.hypot(min(abs(traction) / most_x, share), min(abs(lateral) / most_y, share))
    if size <= 1.0 + REST_TOLERANCE:
        return True
    # passes approach the share linearly: near it on by the sum of what would follow
    rate = min((size - 1.0) / now.excess, 0.8) if size - 1.0 < min(now.excess, NEAR_SHARE) else 0.0
    now.excess = size - 1.0
    now.rest_x = share * math.pow(size, -1.0 / (1.0 - rate))
    return False


@kernel
def keep_in_ellipse(i, h, wheels, rows):
    """The forces of a scheme that keeps its slip, held inside the ellipse; False: set them again.

    Lines laid at the step's start may end it beyond: then their bounds become the box whose corner
    lies on the ellipse where the forces pointed. Smaller bounds make no row less passive.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.ellipse == 0:
        return True
    first, smooth, load = wheel.row, wheel.lateral_row, now.load
    _, _, coulomb, _, _, peak = law_at(i, now.slip, now.direction, now.v_max, load, wheels)
    _, _, largest = lateral_force(i, load, motion_of(now), wheels)
    most_x, most_y = h * load * (peak + coulomb), h * largest
    if most_x <= 0.0 or most_y <= 0.0:
        return True
    x = abs(rows.z[first + at.ROW_TRACTION] + rows.z[first + at.ROW_STICK]) / most_x
    y = abs(rows.z[smooth] + rows.z[smooth + 1]) / most_y
    size = math.hypot(x, y)
    if size <= 1.0 + REST_TOLERANCE:
        return True
    now.rest_x, now.rest_y = x / size, y / size
    return False


@kernel
def check_lateral(i, h, tol, wheels, rows):
    """Hold the lateral force against its law at the end-of-step velocities; linearise there."""
    wheel, now = wheels.each[i], wheels.now[i]
    scheme = wheel.scheme
    channel, smooth = wheel.channel, wheel.lateral_row
    relaxes = wheel.relaxes == 1
    if now.at_rest == 1.0 and not relaxes:
        return check_rest(i, wheels, rows)
    if scheme == at.KEPT:
        return keep_in_ellipse(i, h, wheels, rows)
    v_x, v_y = rows.u[channel + at.CENTRE], rows.u[channel + at.LATERAL]
    load = now.load
    now.v_x, now.v_y = v_x, v_y
    if now.stuck_y == 1.0:  # left at most once a step
        if max(abs(v_x), abs(v_y)) <= wheel.v_0:
            last = now.side_use
            now.side_use = lateral_use(i, h, wheels, rows)
            return wheel.ellipse == 0 or abs(now.side_use - last) <= SIDE_USE_TOLERANCE
        now.stuck_y = 0.0
        return False
    total = (rows.z[smooth] + rows.z[smooth + 1]) / h
    motion = motion_at(i, rows.u[channel + at.SLIDING], v_x, v_y, wheels)
    force, _, largest = lateral_force(i, load, motion, wheels)
    scale = max(largest, 1e-6 * max(load, 1.0))
    if scheme == at.LUGRE:
        bent = bent_aside(i, motion.v_t, v_y, wheels)
        wanted = force_of(bent, v_y, now.damping_y, h, wheel)
        mismatch = abs(total - wanted) / scale
        tol = max(tol, 1e-7)
        if not share_bristles(i, h, total, wheels, rows):
            return False
    else:
        share = 1.0
        if wheel.ellipse == 1 and wheel.sliding == 0 and now.at_rest == 0.0:
            share = thrust_at(i, motion, load, wheels).share
        mismatch = abs(total + share * force) / scale
        if abs(v_y) <= STUCK and not relaxes:  # stuck: within the law's capacity
            mismatch = 0.0
    now.mismatch = max(now.mismatch, mismatch)
    return mismatch <= tol
