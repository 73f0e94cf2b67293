"""Parts of a step for three kinds of wheels: with LuGre's bristles, with forces linearised once a step
(``KEPT``), and with a relaxing carcass.

They are one kernel, ``for_other_wheel``, compiled by itself, only in runs with such a wheel; its code is
a fifth of the contact solve's. It does not run in lanes (several vehicles side by side in one SIMD
register), so the contacts of vehicles with such wheels are not solved in lanes.
"""

import math

from mlcp.compiled.branches import as_many, where
from mlcp.compiled.lazy import FLOAT, INT, bundle, lazy, several
from mlcp.jit import either, kernel

from ..wheel import layout as at
from ..wheel.bristles import (
    begin_bristles,
    bent_along,
    bent_aside,
    bristle_forces,
    bristle_side,
    bristle_thrust,
    force_of,
    lateral_grip,
    move_bristles,
)
from ..wheel.combined import largest_side, lateral_force, motion_at, motion_of
from ..wheel.data import Rows, Wheels
from ..wheel.relaxation import begin_relaxing, relax
from ..wheel.wheel_law import law_at
from .lines import set_line
from .rest import REST_TOLERANCE

# Parts of a step, see ``for_other_wheel``
BEGIN = 0
BEGIN_CARCASS = 1
THRUST = 2
SIDE = 3
CHECK_THRUST = 4
CHECK_SIDE = 5
BRISTLE_FORCES = 6
MOVE = 7


@kernel
def check_bristle(i, h, tol, wheels, rows):
    """Compare the thrust of wheel i with its LuGre bristle at the end-of-step velocities; linearise
    there.

    Returns whether both forces agree to ``tol``, relative to the load.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    channel = wheel.channel
    v_t = rows.u[channel + at.SLIDING]
    v_y = rows.u[channel + at.LATERAL] if wheel.lateral_row >= 0 else 0.0
    # within a step only the velocities change: envelopes, resistance, rolling moment are kept
    now.v_t = v_t
    force = force_of(bent_along(i, v_t, v_y, wheels), v_t, now.damping_x, h, wheel)
    traction = wheel.row + at.ROW_TRACTION
    mismatch = abs(rows.z[traction] / h - force) / max(now.load, 1.0)
    now.mismatch = mismatch
    return mismatch <= tol


@kernel
def share_bristles(i, h, lateral, wheels, rows):
    """Whether the bristles' forces near standstill lie in the friction ellipse; if not, set the factor
    ``now.rest_x`` that reduces both envelopes in the next pass. lateral: lateral force [N]."""
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.ellipse == 0 or wheel.sliding == 1 or now.v_max >= wheel.stribeck_velocity:
        return True
    share = max(now.share, 1e-12)
    most_x = now.load * now.grip.x
    most_y = lateral_grip(i, wheels) / share
    if most_x <= 0.0 or most_y <= 0.0:
        return True
    traction = rows.z[wheel.row + at.ROW_TRACTION] / h
    # with its viscous part a force may exceed its envelope, so its ratio is limited to the envelope's,
    # ``share``
    size = math.hypot(min(abs(traction) / most_x, share), min(abs(lateral) / most_y, share))
    if size <= 1.0 + REST_TOLERANCE:
        return True
    # the passes converge linearly: near the ellipse, add the sum of the changes expected in later passes
    rate = min((size - 1.0) / now.excess, 0.8) if size - 1.0 < min(now.excess, 3e-3) else 0.0
    now.excess = size - 1.0
    now.rest_x = share * math.pow(size, -1.0 / (1.0 - rate))
    return False


@kernel
def keep_in_ellipse(i, h, wheels, rows):
    """Whether the forces of a ``KEPT`` wheel lie in the friction ellipse; if not, reduce their bounds.

    The impulses of rows linearised at the start of the step may leave the ellipse. In the next pass the
    bounds are then a box with a corner on the ellipse in the direction of the forces. Rows with smaller
    bounds are passive too.
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
def check_side(i, h, tol, wheels, rows):
    """Result of ``check_lateral`` for wheels with LuGre's bristles and for ``KEPT`` wheels."""
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.scheme == at.KEPT:
        return keep_in_ellipse(i, h, wheels, rows)
    v_t, v_y = rows.u[wheel.channel + at.SLIDING], rows.u[wheel.channel + at.LATERAL]
    now.v_x, now.v_y = rows.u[wheel.channel + at.CENTRE], v_y
    total = (rows.z[wheel.lateral_row] + rows.z[wheel.lateral_row + 1]) / h
    largest = largest_side(i, now.load, motion_at(i, v_t, now.v_x, v_y, wheels), wheels)
    bent = bent_aside(i, v_t, v_y, wheels)
    wanted = force_of(bent, v_y, now.damping_y, h, wheel)
    mismatch = abs(total - wanted) / max(largest, 1e-6 * max(now.load, 1.0))
    if not share_bristles(i, h, total, wheels, rows):
        return False
    now.mismatch = max(now.mismatch, mismatch)
    return mismatch <= max(tol, 1e-7)


@lazy(several(FLOAT, 2)(INT, INT, FLOAT, FLOAT, bundle(Wheels), bundle(Rows)), "mlcp", "contact")
def for_other_wheel(task, i, h, tol, wheels, rows):
    """Do one part of a step for wheel i: BEGIN the step of its bristles, or BEGIN_CARCASS; set the rows
    of the bristles' THRUST or SIDE force; compare these forces with the rows to ``tol`` (CHECK_THRUST,
    CHECK_SIDE, the latter for a ``KEPT`` wheel, too); compute BRISTLE_FORCES at the linearisation point;
    MOVE bristles or carcass to the end of the step.

    Returns: BRISTLE_FORCES: thrust and lateral impulse [N s]; checks: 1 for agreement; else zeros.
    """
    wheel, now, u = wheels.each[i], wheels.now[i], rows.u
    if task == BEGIN:
        begin_bristles(i, now.load, wheels)
    elif task == BEGIN_CARCASS:
        begin_relaxing(i, h, wheels)
    elif task == THRUST:
        set_line(wheel.row + at.ROW_TRACTION, h, bristle_thrust(i, h, wheels), 0.0, rows)
    elif task == SIDE:
        set_line(wheel.lateral_row, h, bristle_side(i, h, wheels), 0.0, rows)
    elif task == CHECK_THRUST:
        return where(check_bristle(i, h, tol, wheels, rows), 1.0, 0.0), 0.0
    elif task == CHECK_SIDE:
        return where(check_side(i, h, tol, wheels, rows), 1.0, 0.0), 0.0
    elif task == BRISTLE_FORCES:
        return bristle_forces(i, h, wheels)
    elif wheel.scheme == at.LUGRE:
        move_bristles(i, h, wheels, rows)
    else:
        relax(i, h, u[wheel.channel + at.CENTRE], u[wheel.channel + at.LATERAL], now.share, wheels)
    return 0.0, 0.0


@kernel
def _not_in_lanes(task, i, h, tol, wheels, rows):
    """Stand-in for ``for_other_wheel`` in lanes: does nothing."""
    return as_many(1.0, wheels.now[i].load), as_many(0.0, wheels.now[i].load)


other_wheel = either(for_other_wheel, _not_in_lanes)
