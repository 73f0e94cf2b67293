"""Thrust and lateral force of a wheel that slides both ways: what one leaves of the other.

Two ways. By the demands: each law as if it were alone, both scaled onto their friction ellipse. By the
sliding: both laws are asked at the whole sliding of the contact point, ``v_s = (v_t, v_y)`` over v_max,

    F_x = -X cos b g_x,   F_y = -Y sin b g_y,   cos b = v_t / |v_s|,   sin b = v_y / |v_s|
    g_x = 1 / sqrt(cos^2 b + m sin^2 b),   g_y = 1 / sqrt(sin^2 b + cos^2 b / m),   m = (X / Y)^(2 s)

with X, Y the laws' forces at the whole slip ``s = |v_s| / v_max`` (at most 1). The force lies on the
ellipse with half axes X and Y; small slips add up as their laws' slopes say, and at full slip (s = 1) it
opposes the sliding. Both forces always oppose their velocities, so together they only take energy.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel

from .relaxation import slip_sides
from .slip import slip_state
from .wheel_law import ellipse_share, lateral_at, law_at, law_kept

STILL = 1e-9  # of v_max: sliding that is round-off
LEAST = 0.05  # ratio of the half axes below which it is not followed


class Motion(NamedTuple):
    """Of a wheel's contact."""

    slip: Any  # i_s [-]
    direction: Any  # d [-]
    v_max: Any  # [m/s]
    v_t: Any  # of the contact point along the heading [m/s]
    v_x: Any  # of the centre [m/s]
    v_y: Any  # lateral [m/s]


class Thrust(NamedTuple):
    """Ratios to the load, as ``law_at`` gives them; share: what the ellipse leaves of them."""

    ratio: Any
    slope: Any  # over i_s
    jump: Any
    gamma: Any
    rho: Any
    peak: Any
    share: Any


class Whole(NamedTuple):
    """The whole sliding of a contact, and the laws there."""

    v: Any  # |v_s| [m/s]
    cosine: Any  # of its direction
    sine: Any
    x: Any  # thrust ratio X, the set-valued part in it
    y: Any  # lateral ratio Y
    g_x: Any
    g_y: Any


@kernel
def motion_at(i, v_t, v_x, v_y, wheels):
    """The motion of wheel i with these velocities."""
    slip, direction, v_max = slip_state(v_t, v_x, wheels.each[i].v_0)
    return Motion(slip, direction, v_max, v_t, v_x, v_y)


@kernel
def motion_of(now):
    """The motion that a wheel is linearised at."""
    return Motion(now.slip, now.direction, now.v_max, now.v_t, now.v_x, now.v_y)


@kernel
def by_sliding(i, motion, wheels):
    """Whether wheel i combines its forces by the direction of sliding, and slides at all."""
    wheel = wheels.each[i]
    if wheel.sliding == 0 or wheel.ellipse == 0 or wheel.lateral_row < 0:
        return False
    return math.hypot(motion.v_t, motion.v_y) > STILL * motion.v_max


@kernel
def law_of_whole(i, motion, load, wheels):
    """The ground law at the whole slip, on the side of the longitudinal one."""
    slip = min(1.0, math.hypot(motion.v_t, motion.v_y) / motion.v_max)
    slip = slip if motion.v_t <= 0.0 else -slip
    return law_kept(i, slip, motion.direction, motion.v_max, load, wheels.now[i].whole, wheels)


@kernel
def whole_sliding(i, motion, load, wheels):
    """The whole sliding of wheel i and how its forces share it."""
    v = math.hypot(motion.v_t, motion.v_y)
    cosine, sine = motion.v_t / v, motion.v_y / v
    ratio, _, jump, _, _, _ = law_of_whole(i, motion, load, wheels)
    y, _, _ = lateral_at(i, motion.v_max, v, load, wheels)
    x = abs(ratio) + jump
    m = max(x / max(y, 1e-300), LEAST) ** (2.0 * min(1.0, v / motion.v_max))
    g_x = 1.0 / math.sqrt(cosine * cosine + m * sine * sine)
    g_y = 1.0 / math.sqrt(sine * sine + cosine * cosine / m)
    return Whole(v, cosine, sine, x, y, g_x, g_y)


@kernel
def thrust_at(i, motion, load, wheels):
    """``Thrust`` of wheel i beside its lateral force.

    Of the law's set-valued part J, beside a lateral velocity ``J |cos b|^3`` is left set-valued; the
    rest of ``J cos b`` is smooth.
    """
    slip, direction, v_max = motion.slip, motion.direction, motion.v_max
    ratio, slope, jump, gamma, rho, peak = law_at(i, slip, direction, v_max, load, wheels)
    if wheels.each[i].sliding == 0:
        share = ellipse_share(i, ratio, jump, peak, load, motion.v_x, motion.v_y, wheels)
        return Thrust(ratio, slope, jump, gamma, rho, peak, share)
    if motion.v_y == 0.0 or not by_sliding(i, motion, wheels):
        return Thrust(ratio, slope, jump, gamma, rho, peak, 1.0)
    whole = whole_sliding(i, motion, load, wheels)
    ratio, slope, jump, _, _, peak = law_of_whole(i, motion, load, wheels)
    along, across = abs(whole.cosine), whole.sine * whole.sine
    smooth = ratio * along - math.copysign(jump * along * across, motion.v_t)
    slope = slope * along * along + whole.x * across * v_max / whole.v
    peak, jump = peak + jump, whole.g_x * jump * along * along * along
    return Thrust(whole.g_x * smooth, whole.g_x * slope, jump, gamma, rho, peak - jump, 1.0)


@kernel
def lateral_alone(i, load, v_x, v_y, wheels):
    """``lateral_force`` by its slip angle, whatever the thrust."""
    ahead, aside, stiff = slip_sides(i, v_x, v_y, wheels)
    ratio, slope, largest = lateral_at(i, v_x, v_y, load, wheels)
    turn = stiff * ahead / (ahead * ahead + aside * aside)  # dalpha / dv_y
    return load * ratio, load * slope * turn, load * largest


@kernel
def lateral_force(i, load, motion, wheels):
    """``(F, dF/dv_y, largest)``: size of the lateral force with the sign of v_y [N, N s/m, N]."""
    if not by_sliding(i, motion, wheels):
        return lateral_alone(i, load, motion.v_x, motion.v_y, wheels)
    whole = whole_sliding(i, motion, load, wheels)
    v, v_max, sine = whole.v, motion.v_max, whole.sine
    ratio, slope, largest = lateral_at(i, v_max, v, load, wheels)
    turn = v_max / (v_max * v_max + v * v)
    slope = slope * turn * sine * sine + ratio * whole.cosine * whole.cosine / v
    return load * whole.g_y * ratio * sine, load * whole.g_y * slope, load * largest


@kernel
def left_beside(i, load, motion, wheels):
    """Share of its capacity that a wheel at rest can hold along its heading beside a lateral force."""
    if wheels.each[i].ellipse == 0 or wheels.each[i].lateral_row < 0:
        return 1.0
    force, _, largest = lateral_force(i, load, motion, wheels)
    use = min(1.0, abs(force) / max(largest, 1e-300))
    return math.sqrt(1.0 - use * use)
