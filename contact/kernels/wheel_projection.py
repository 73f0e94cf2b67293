"""The projection ``P`` of a wheel's impulses (``balance``), with all of its laws at one point."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from .combined import lateral_force, left_beside, motion_at, thrust_at
from .lateral_rows import share_beside
from .points import row_of_coordinate
from .slip import STUCK
from .standing import thrust_in_use
from .wheel_law import ellipse_share, hold_ratio, law_at, locked_law, still_law, without_round_off

FORCES = 5  # of a wheel, in the order of ``row_of_force``


@kernel
def row_of_force(i, k, wheels):
    """Row that stands for a force of wheel i: normal, thrust, resistance, lateral, spin; -1: none."""
    wheel = wheels.each[i]
    if k == 4:
        return wheel.spin_row
    return row_of_coordinate(i, 3 if k == 0 else k - 1 if k < 3 else 2, wheels)


@kernel
def forces(i, wheels):
    """How many forces wheel i has."""
    count = 3
    for k in range(3, FORCES):
        if row_of_force(i, k, wheels) >= 0:
            count += 1
    return count


@kernel
def clip(x, most):
    """x within -+ most."""
    return min(max(x, -most), most)


@kernel
def thrust_and_side(i, h, z, w, wheels, rows):
    """P of thrust and lateral force of a wheel that rolls, or is held sideways only."""
    now = wheels.now[i]
    load, motion = z[0] / h, motion_at(i, w[1], w[2], w[3], wheels)
    ratio, _, jump, _, _, peak, share = thrust_at(i, motion, load, wheels)
    x, y = row_of_force(i, 1, wheels), row_of_force(i, 3, wheels)
    side, most = 0.0, 0.0
    if y >= 0:
        side, _, largest = lateral_force(i, load, motion, wheels)
        most = h * largest
    if now.held_y == 1.0:
        now.beside = min(1.0, abs(z[3]) / max(most, 1e-300))
        most *= share_beside(i, ratio, jump, peak, wheels)
        share = ellipse_share(i, ratio, jump, peak, load, w[2], w[3], wheels)
    force = z[0] * share * ratio if abs(w[1]) > STUCK else 0.0
    thrust = force + clip(z[1] - force - w[1] / rows.A[x, x], z[0] * share * jump)
    if now.held_y == 1.0:
        return thrust, clip(z[3] - w[3] / rows.A[y, y], most)
    return thrust, -h * share * side


@kernel
def hold_at_rest(i, h, z, w, wheels, rows):
    """The same of a wheel at rest, within its capacities or on their ellipse; and its thrust's use."""
    wheel, now, load = wheels.each[i], wheels.now[i], z[0] / h
    slip = without_round_off(now.slip)
    _, _, jump, _, _, _ = still_law(i, slip, now.direction, now.v_max, load, wheels)
    x, y = row_of_force(i, 1, wheels), row_of_force(i, 3, wheels)
    most_x = z[0] * (jump + hold_ratio(i, load, wheels))
    a_x = rows.A[x, x]
    if y < 0:
        thrust = clip(z[1] - w[1] / a_x, most_x)
        return thrust, 0.0, thrust_in_use(i, thrust, 0.0, most_x, 0.0, wheels)
    motion = motion_at(i, w[1], w[2], w[3], wheels)
    side, _, largest = lateral_force(i, load, motion, wheels)
    if wheel.relaxes == 1:
        now.rest_x = left_beside(i, load, motion, wheels)
        thrust = clip(z[1] - w[1] / a_x, now.rest_x * most_x)
        return thrust, -h * side, thrust_in_use(i, thrust, side, most_x, 0.0, wheels)
    most_y, a_y = h * largest, rows.A[y, y]
    if wheel.ellipse == 0 or most_x <= 0.0 or most_y <= 0.0:
        thrust, side = clip(z[1] - w[1] / a_x, most_x), clip(z[3] - w[3] / a_y, most_y)
        return thrust, side, thrust_in_use(i, thrust, side, most_x, most_y, wheels)
    flow_x, flow_y = (most_y, most_x) if wheel.sliding == 1 else (most_x, most_y)  # as ``flow_of``
    stiff = max(a_x * most_x * flow_x, a_y * most_y * flow_y)
    d_x = z[1] / most_x - w[1] * flow_x / stiff
    d_y = z[3] / most_y - w[3] * flow_y / stiff
    over = max(1.0, math.hypot(d_x, d_y))
    thrust, side = most_x * d_x / over, most_y * d_y / over
    return thrust, side, thrust_in_use(i, thrust, side, most_x, most_y, wheels)


@kernel
def forces_of(i, h, z, w, wheels, rows):
    """P of wheel i's forces [N s] at its impulses z and velocities w, all in the order of FORCES."""
    now = wheels.now[i]
    row = row_of_force(i, 0, wheels)
    normal = min(max(0.0, z[0] - w[0] / rows.A[row, row]), rows.upper[row])
    if z[0] <= 0.0:
        return normal, 0.0, 0.0, 0.0, 0.0
    slip, direction, v_max, _, _, _ = motion_at(i, w[1], w[2], w[3], wheels)
    use = 0.0
    if now.at_rest == 1.0:
        slip = without_round_off(slip)
        _, _, _, gamma, rho, _ = still_law(i, slip, direction, v_max, z[0] / h, wheels)
        thrust, side, use = hold_at_rest(i, h, z, w, wheels, rows)
    else:
        _, _, _, gamma, rho, _ = law_at(i, slip, direction, v_max, z[0] / h, wheels)
        thrust, side = thrust_and_side(i, h, z, w, wheels, rows)
    if now.standing == 1.0 and slip != 0.0:
        _, _, _, gamma, _, _ = law_at(i, 0.0, direction, v_max, z[0] / h, wheels)
    if now.at_rest == 1.0:
        now.used = use
        gamma += use * (locked_law(i, z[0] / h, wheels)[3] - gamma)
    row = row_of_force(i, 2, wheels)
    resistance = clip(z[2] - w[2] / rows.A[row, row], z[0] * gamma)
    row = row_of_force(i, 4, wheels)
    if row < 0:
        return normal, thrust, resistance, side, 0.0
    moment = -z[0] * rho * direction
    if rho >= 0.0:
        moment = clip(z[4] - w[4] / rows.A[row, row], z[0] * rho)
    return normal, thrust, resistance, side, moment
