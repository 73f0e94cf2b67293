"""Projection P of a wheel's impulses z onto its laws; z solves the laws if z = P(z) (``balance``).

z: impulses [N s], w: velocities [m/s] of the wheel's forces in the order of ``row_of_force``; a_ii:
diagonal of the rows' matrix A.
"""

import math

from mlcp.compiled.branches import as_many, every, some, where
from mlcp.jit import either, kernel

from ..rows.lateral_rows import side_share
from ..rows.other_wheels import BRISTLE_FORCES, other_wheel
from ..rows.rest import shares_ellipse, unprojected_on_disc
from ..rows.standing import gamma_at_rest, gamma_of_standing
from ..wheel import layout as at
from ..wheel.combined import lateral_force, motion_at, thrust_at, thrust_share
from ..wheel.slip import STUCK_SPEED
from ..wheel.wheel_law import capacity_ratio, law_at_rest, without_round_off

# r of ``unprojected_on_disc``: wheels at rest creep at some 1e-5 of the velocities that their capacities
# cause, so with a smaller r their direction of sliding would follow from the impulses, not from u
DISC_FACTOR = 3e4
FORCES = 5  # number of a wheel's forces, in the order of ``row_of_force``


@kernel
def row_of_force(i, k, wheels):
    """Row of force k of wheel i: 0 normal, 1 thrust, 2 resistance, 3 lateral, 4 spin; -1: none."""
    wheel = wheels.each[i]
    if k < 3:
        return wheel.row + (at.ROW_NORMAL, at.ROW_STICK, at.ROW_RESISTANCE)[k]
    if k == 4:
        return wheel.spin_row
    return wheel.lateral_row + 1 if wheel.lateral_row >= 0 else -1


@kernel
def place_of_force(i, k, wheels):
    """Number of force k among the forces that wheel i has; -1: none."""
    if row_of_force(i, k, wheels) < 0:
        return -1
    return 3 if k == 4 and wheels.each[i].lateral_row < 0 else k


@kernel
def forces(i, wheels):
    """Number of forces that wheel i has."""
    return 3 + int(wheels.each[i].lateral_row >= 0) + int(wheels.each[i].spin_row >= 0)


@kernel
def clip(x, most):
    """Return x limited to [-most, most]."""
    return min(max(x, -most), most)


@kernel
def unprojected(i, k, z, w, wheels, rows):
    """``z - w / a_ii`` of force k of wheel i, to be limited to the bounds of the force."""
    row = row_of_force(i, k, wheels)
    return z[k] - w[k] / rows.A[row, row]


@kernel
def rolling_forces(i, h, z, w, wheels, rows):
    """Projected thrust and lateral impulse [N s] of a rolling wheel at impulses z and velocities w.

    The lateral force of a wheel spinning on the spot (``stuck_y``) is set-valued. Returns ``(thrust,
    lateral, gamma, rho, direction)``; gamma, rho: ratios of resistance and rolling moment to the load;
    direction of rolling: d of ``slip_state``."""
    wheel, now, sticks = wheels.each[i], wheels.now[i], wheels.now[i].stuck_y == 1.0
    load, motion = z[0] / h, motion_at(i, w[1], w[2], w[3], wheels)
    lateral, largest = as_many(0.0, load), as_many(0.0, load)
    if wheel.lateral_row >= 0:
        lateral, _, largest = lateral_force(i, load, motion, wheels)
        use = min(1.0, abs(z[3]) / max(h * largest, 1e-300))
        now.side_use = where(sticks, use, now.side_use)
    ratio, _, coulomb, gamma, rho, peak, share = thrust_at(i, motion, load, wheels)
    side = -h * share * lateral
    if some(sticks):
        most = h * largest * side_share(i, ratio, coulomb, peak, wheels)
        side = where(sticks, clip(unprojected(i, 3, z, w, wheels, rows), most), side)
    gamma = gamma_of_standing(i, motion.slip, motion.direction, motion.v_max, load, gamma, wheels)
    force = where(abs(w[1]) > STUCK_SPEED, z[0] * share * ratio, 0.0)
    thrust = force + clip(unprojected(i, 1, z, w, wheels, rows) - force, z[0] * share * coulomb)
    return thrust, side, gamma, rho, motion.direction


@kernel
def forces_at_rest(i, h, z, w, wheels, rows):
    """Projected thrust and lateral impulse [N s] of a wheel at rest: within the capacities, or, if it
    has a friction ellipse, within the ellipse (``unprojected_on_disc``).

    With a relaxing carcass the lateral force is known, and the ellipse bounds the thrust by it.
    """
    wheel, now, load = wheels.each[i], wheels.now[i], z[0] / h
    motion = motion_at(i, w[1], w[2], w[3], wheels)
    thrust = unprojected(i, 1, z, w, wheels, rows)
    if wheel.lateral_row < 0:
        return clip(thrust, now.capacity_x), as_many(0.0, load)
    force, _, largest = lateral_force(i, load, motion, wheels)
    if wheel.relaxes == 1:
        now.rest_x = thrust_share(i, load, motion, wheels)
        return clip(thrust, now.rest_x * now.capacity_x), -h * force
    now.capacity_y = where(now.at_rest == 1.0, h * largest, now.capacity_y)
    side, shares = unprojected(i, 3, z, w, wheels, rows), shares_ellipse(i, wheels)
    thrust, side = clip(thrust, now.capacity_x), clip(side, now.capacity_y)
    if not some(shares):
        return thrust, side
    p, u = (z[1], z[3]), (w[1], w[3])
    d_x, d_y, most_x, most_y = unprojected_on_disc(i, p, u, DISC_FACTOR, shares, wheels, rows)
    over = max(1.0, math.sqrt(d_x * d_x + d_y * d_y))
    return where(shares, most_x * d_x / over, thrust), where(shares, most_y * d_y / over, side)


@kernel
def resting_forces(i, h, z, w, wheels, rows):
    """Result of ``rolling_forces`` for a wheel at rest."""
    now, load, rests = wheels.now[i], z[0] / h, wheels.now[i].at_rest == 1.0
    slip, direction, v_max = without_round_off(now.slip), now.direction, now.v_max
    _, _, coulomb, gamma, rho, _ = law_at_rest(i, slip, direction, v_max, load, wheels)
    gamma = gamma_of_standing(i, slip, direction, v_max, load, gamma, wheels)
    gamma = gamma_at_rest(i, h, gamma, load, rests, wheels, rows)
    capacity_x = z[0] * (coulomb + capacity_ratio(i, load, wheels))
    now.capacity_x = where(rests, capacity_x, now.capacity_x)
    thrust, side = forces_at_rest(i, h, z, w, wheels, rows)
    return thrust, side, gamma, rho, direction


@kernel
def on_line(k, smooth, share, z, w, wheels, rows):
    """Projected impulse of force k, whose linearised law is given by row ``smooth`` and the next row, a
    set-valued one.

    share: factor on the forces of both rows, the present load over the load at which they were set.
    """
    force = -(w[k] + rows.bias[smooth]) / rows.e[smooth]
    force = share * min(max(force, rows.lower[smooth]), rows.upper[smooth])
    a = rows.A[smooth + 1, smooth + 1]
    return force + clip(z[k] - force - w[k] / a, share * rows.upper[smooth + 1])


@kernel
def kept_forces(i, h, z, w, wheels, rows):
    """Result of ``rolling_forces`` for a ``KEPT`` wheel: its forces, linearised at the start of the
    step, are scaled with the load."""
    wheel, now = wheels.each[i], wheels.now[i]
    share, side = z[0] / (h * max(now.row_load, 1e-300)), 0.0
    thrust = on_line(1, wheel.row + at.ROW_TRACTION, share, z, w, wheels, rows)
    if wheel.lateral_row >= 0:
        side = on_line(3, wheel.lateral_row, share, z, w, wheels, rows)
    return thrust, side, now.gamma, now.rho, now.direction


@kernel
def forces_of_bristles(i, h, z, w, wheels, rows):
    """Result of ``rolling_forces`` for LuGre's bristles; gamma, rho and the ratios ``now.grip`` of the
    envelopes to the load are kept in a step."""
    now = wheels.now[i]
    now.load, now.v_t, now.v_x, now.v_y = z[0] / h, w[1], w[2], w[3]
    thrust, side = other_wheel(BRISTLE_FORCES, i, h, 0.0, wheels, rows)
    return thrust, side, now.gamma, now.rho, now.direction


@kernel
def implicit_forces(i, h, z, w, wheels, rows):
    """Result of ``rolling_forces`` for an ``IMPLICIT`` wheel, rolling or at rest, and for a ``KEPT`` one
    at rest."""
    rests = wheels.now[i].at_rest == 1.0
    if every(rests):
        return resting_forces(i, h, z, w, wheels, rows)
    rolling = rolling_forces(i, h, z, w, wheels, rows)
    if not some(rests):
        return rolling
    resting = resting_forces(i, h, z, w, wheels, rows)
    return (
        where(rests, resting[0], rolling[0]),
        where(rests, resting[1], rolling[1]),
        where(rests, resting[2], rolling[2]),
        where(rests, resting[3], rolling[3]),
        where(rests, resting[4], rolling[4]),
    )


@kernel
def _tangential_forces(i, h, z, w, wheels, rows):
    """Result of ``rolling_forces`` for a wheel of any scheme."""
    scheme, now = wheels.each[i].scheme, wheels.now[i]
    if scheme == at.KEPT and now.at_rest == 0.0:
        return kept_forces(i, h, z, w, wheels, rows)
    if scheme == at.LUGRE:
        return forces_of_bristles(i, h, z, w, wheels, rows)
    return implicit_forces(i, h, z, w, wheels, rows)


tangential_forces = either(_tangential_forces, implicit_forces)


@kernel
def forces_of(i, first, h, W, wheels, rows):
    """Projected impulses [N s] of wheel i at the point ``W.z``, ``W.w``; order: ``row_of_force``, 0 for
    a force that it lacks; first: number of the wheel's first unknown."""
    y, r = first + place_of_force(i, 3, wheels), first + place_of_force(i, 4, wheels)
    nothing = as_many(0.0, W.z[first])
    z_y, w_y = (W.z[y], W.w[y]) if y >= first else (nothing, nothing)
    z_r, w_r = (W.z[r], W.w[r]) if r >= first else (nothing, nothing)
    z = W.z[first], W.z[first + 1], W.z[first + 2], z_y, z_r
    w = W.w[first], W.w[first + 1], W.w[first + 2], w_y, w_r
    normal = min(max(0.0, unprojected(i, 0, z, w, wheels, rows)), rows.upper[row_of_force(i, 0, wheels)])
    presses = z[0] > 0.0
    if not some(presses):
        return normal, nothing, nothing, nothing, nothing
    z = where(presses, z[0], 1.0), z[1], z[2], z[3], z[4]
    thrust, side, gamma, rho, direction = tangential_forces(i, h, z, w, wheels, rows)
    resistance, moment = clip(unprojected(i, 2, z, w, wheels, rows), z[0] * gamma), nothing
    if wheels.each[i].spin_row >= 0:
        dragged = -z[0] * rho * direction  # rho < 0 (braked wheel): known moment, along the rolling
        moment = where(rho >= 0.0, clip(unprojected(i, 4, z, w, wheels, rows), z[0] * rho), dragged)
    thrust, side = where(presses, thrust, 0.0), where(presses, side, 0.0)
    return normal, thrust, where(presses, resistance, 0.0), side, where(presses, moment, 0.0)
