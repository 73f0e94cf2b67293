"""LuGre's bristles of one wheel: their envelopes (largest forces) in a step, their forces as ``Line``.

Thrust and lateral force are combined in one of two ways (``combined``). By the demands: each law is
taken at its own slip, each direction has its own bristle, and both envelopes are reduced if the forces
would leave their ellipse. By the sliding: both laws are taken at the total sliding velocity, and the two
deflections are one vector ``(z_x, z_y)`` that decays with the total sliding,

    z_x' = v_t - sigma_0 |v_s| z_x / G_x,   z_y' = v_y - sigma_0 |v_s| z_y / G_y

with the sliding velocity ``v_s = (v_t, v_y)``, the stiffness sigma_0 and the envelopes G, so a wheel
comes to rest under any force inside the ellipse, in whatever direction it slid before. ``G_x cos b`` and
``G_y sin b`` are the forces of ``combined.both_at``, b: angle of the sliding; near standstill they are
those of full slip with the capacities at rest, so that both G are the ellipse's radius along the
sliding. The bristles are passive (the work of their forces on the wheel plus their stored energy never
grows) if ``sigma_1 |v_s| <= G``, sigma_1: damping, for any G: the rate of this sum is then a negative
quadratic form in v and z.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel

from ...schemes.kernels.line import Line
from . import layout as at
from .combined import (
    lateral_force,
    laws_at_total_slip,
    motion_at,
    motion_of,
    on_ellipse,
    thrust_at,
    thrust_in_rows,
)
from .lugre import advance_bristle, bristle_force, bristle_line, limited_deflection, passive_damping
from .wheel_law import capacity_ratio


class Bent(NamedTuple):
    """A bristle in one direction: its deflection at the start of a step, and its decay in the step."""

    z: Any  # deflection, limited so that the bristle's force is at most the envelope [m]
    speed: Any  # sliding speed in the decay of the deflection [m/s]
    grip: Any  # envelope, largest force of the bristle [N]


@kernel
def grip_ratio(i, load, wheels):
    """Longitudinal envelope (largest bristle force) over the load at the linearisation point, for forces
    combined by the demands."""
    wheel, now = wheels.each[i], wheels.now[i]
    motion = motion_at(i, now.v_t, now.v_x, now.v_y, wheels)
    thrust = thrust_at(i, motion, load, wheels)
    near = math.exp(-((now.v_max / wheel.stribeck_velocity) ** 2))
    grip = abs(thrust.ratio)
    if near > 1e-12:
        grip = max(grip, near * capacity_ratio(i, load, wheels))
    return grip + thrust.coulomb


@kernel
def nearness(i, speed, wheels):
    """Weights in [0, 1] of the forces at standstill in the longitudinal and the lateral envelope at a
    speed of the wheel [m/s]."""
    wheel, now = wheels.each[i], wheels.now[i]
    speed = speed / wheel.stribeck_velocity
    near = math.exp(-speed * speed)
    floor, angle = near, wheel.stribeck_angle
    if angle > 0.0:
        turn = math.atan2(now.v_y, max(abs(now.v_x), wheel.v_0)) / angle
        floor = max(near, math.exp(-turn * turn))
    return near, floor


@kernel
def grip_of_sliding(i, load, wheels):
    """Set the envelopes (largest bristle forces) along and across the heading, as ratios to the load,
    for forces combined by the sliding."""
    now = wheels.now[i]
    motion = motion_at(i, now.v_t, now.v_x, now.v_y, wheels)
    laws = laws_at_total_slip(i, motion, load, wheels)
    near, floor = nearness(i, math.hypot(motion.v_max, now.v_y), wheels)
    locked, coulomb, grip = capacity_ratio(i, load, wheels), laws.coulomb, now.grip
    smooth, side = max(abs(laws.ratio), near * locked), max(laws.side, floor * laws.largest)
    s = max(laws.s, near)
    g, root = on_ellipse(smooth + coulomb, side, s, laws.along, laws.across)
    grip.y = g * root * side
    use = grip.y * math.sqrt(laws.across) / max(laws.largest, 1e-300)
    left = (1.0 - s) * coulomb * max(0.0, 1.0 - use * use)
    grip.x = g * (smooth + s * coulomb) + left / max(laws.along, 1e-6)
    grip.most_x, grip.most_y = smooth + coulomb, side
    grip.whole_x, grip.whole_y = max(locked, smooth) + coulomb, laws.largest


@kernel
def begin_bristles(i, load, wheels):
    """Begin the step of wheel i: set the envelopes of its bristles over the load, at the present
    slip."""
    if wheels.each[i].sliding == 1:
        grip_of_sliding(i, load, wheels)
    else:
        wheels.now[i].grip.x = grip_ratio(i, load, wheels)


@kernel
def lateral_grip(i, wheels):
    """Lateral envelope [N] at the linearisation point, for forces combined by the demands."""
    now = wheels.now[i]
    motion = motion_at(i, now.v_t, now.v_x, now.v_y, wheels)
    force, _, largest = lateral_force(i, now.load, motion, wheels)
    _, floor = nearness(i, math.hypot(now.v_x, now.v_y), wheels)
    return now.share * max(abs(force), floor * largest)


@kernel
def kept_deflection(i, wheels):
    """Deflections ``(z_x, z_y)`` [m] at the start of the step, limited to envelopes and ellipse, for
    forces combined by the sliding."""
    now, bristle, sigma_0 = wheels.now[i], wheels.bristle[i], wheels.each[i].sigma_0
    load, grip = now.load, now.grip
    x = limited_deflection(bristle.x, load * grip.most_x, sigma_0)
    y = limited_deflection(bristle.y, load * grip.most_y, sigma_0)
    full = max(load, 1e-300) / sigma_0
    along, aside = x / (full * max(grip.whole_x, 1e-12)), y / (full * max(grip.whole_y, 1e-12))
    size = max(math.sqrt(along * along + aside * aside), 1.0)
    return x / size, y / size


@kernel
def bent_along(i, v_t, v_y, wheels):
    """``Bent`` of wheel i along its heading, for velocities v_t, v_y [m/s] at the end of the step."""
    now = wheels.now[i]
    grip = now.load * now.grip.x * now.share
    if wheels.each[i].sliding == 1:
        return Bent(kept_deflection(i, wheels)[0], math.sqrt(v_t * v_t + v_y * v_y), grip)
    return Bent(limited_deflection(wheels.bristle[i].x, grip, wheels.each[i].sigma_0), abs(v_t), grip)


@kernel
def bent_aside(i, v_t, v_y, wheels):
    """``Bent`` of wheel i to its left, for velocities v_t, v_y [m/s] at the end of the step."""
    if wheels.each[i].sliding == 1:
        grip = wheels.now[i].load * wheels.now[i].grip.y
        return Bent(kept_deflection(i, wheels)[1], math.sqrt(v_t * v_t + v_y * v_y), grip)
    grip = lateral_grip(i, wheels)
    return Bent(limited_deflection(wheels.bristle[i].y, grip, wheels.each[i].sigma_0), abs(v_y), grip)


@kernel
def line_of(bent, sigma_1, h, wheel):
    """Force of a bristle as a ``Line`` over the sliding velocity at the end of the step; sigma_1:
    damping [N s/m]."""
    at_zero, damping = bristle_line(
        bent.z, bent.speed, bent.grip, wheel.sigma_0, sigma_1, wheel.sigma_2, h
    )
    return Line(at_zero, damping, math.inf, 0.0)


@kernel
def bristle_thrust(i, h, wheels):
    """Thrust of LuGre's bristle of wheel i as a ``Line``."""
    wheel, now = wheels.each[i], wheels.now[i]
    bent = bent_along(i, now.v_t, now.v_y, wheels)
    now.damping_x = passive_damping(wheel.sigma_1, bent.speed, bent.grip)
    return line_of(bent, now.damping_x, h, wheel)


@kernel
def bristle_side(i, h, wheels):
    """Lateral force of LuGre's bristle of wheel i as a ``Line``."""
    wheel, now = wheels.each[i], wheels.now[i]
    bent = bent_aside(i, now.v_t, now.v_y, wheels)
    now.damping_y = passive_damping(wheel.sigma_1, bent.speed, bent.grip)
    return line_of(bent, now.damping_y, h, wheel)


@kernel
def force_of(bent, v, sigma_1, h, wheel):
    """Force [N] of a bristle at the sliding velocity v [m/s] at the end of the step."""
    return bristle_force(bent.z, v, bent.speed, bent.grip, wheel.sigma_0, sigma_1, wheel.sigma_2, h)


@kernel
def bristle_forces(i, h, wheels):
    """Impulses [N s] of thrust and lateral force of wheel i's bristles at the linearisation point, whose
    velocities are those of the end of the step."""
    wheel, now, side = wheels.each[i], wheels.now[i], 0.0
    share = thrust_in_rows(i, motion_of(now), now.load, wheels).share
    now.share = now.rest_x if now.v_max < wheel.stribeck_velocity else share
    bent = bent_along(i, now.v_t, now.v_y, wheels)
    damping = passive_damping(wheel.sigma_1, bent.speed, bent.grip)
    thrust = h * force_of(bent, now.v_t, damping, h, wheel)
    if wheel.lateral_row >= 0:
        bent = bent_aside(i, now.v_t, now.v_y, wheels)
        damping = passive_damping(wheel.sigma_1, bent.speed, bent.grip)
        side = h * force_of(bent, now.v_y, damping, h, wheel)
    return thrust, side


@kernel
def move_bristles(i, h, wheels, rows):
    """Move the bristles of wheel i to the end of the step."""
    wheel, bristle = wheels.each[i], wheels.bristle[i]
    v_t, v_y = rows.u[wheel.channel + at.SLIDING], 0.0
    if wheel.lateral_row >= 0:
        v_y = rows.u[wheel.channel + at.LATERAL]
    along, sigma_0 = bent_along(i, v_t, v_y, wheels), wheel.sigma_0
    if wheel.lateral_row >= 0:
        aside = bent_aside(i, v_t, v_y, wheels)
        bristle.y = advance_bristle(aside.z, v_y, aside.speed, aside.grip, sigma_0, h)
    bristle.x = advance_bristle(along.z, v_t, along.speed, along.grip, sigma_0, h)
