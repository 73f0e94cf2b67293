"""Agreement of the solution with the ground law, and the next linearisation point, wheel by wheel."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from ..wheel import layout as at
from ..wheel.bristles import bent_along, force_of
from ..wheel.combined import Motion, thrust_at
from ..wheel.slip import STUCK, slip_state
from ..wheel.wheel_law import linearise_at
from .standing import resistance_agrees

PATIENT = 3.0  # passes before a stuck wheel's thrust at round-off is looked at twice


@kernel
def check_bristle(i, h, tol, wheels, rows):
    """Hold LuGre's row against the bristle at the end-of-step velocities; linearise there."""
    wheel, now = wheels.each[i], wheels.now[i]
    channel = wheel.channel
    v_t = rows.u[channel + at.SLIDING]
    v_y = rows.u[channel + at.LATERAL] if wheel.lateral_row >= 0 else 0.0
    # Only speeds move: envelope, resistance and rolling moment are those of the step's first slip.
    now.v_t = v_t
    force = force_of(bent_along(i, v_t, v_y, wheels), v_t, now.damping_x, h, wheel)
    traction = wheel.row + at.ROW_TRACTION
    mismatch = abs(rows.z[traction] / h - force) / max(now.load, 1.0)
    now.mismatch = mismatch
    return mismatch <= max(tol, 1e-7)  # the secant closes in linearly


@kernel
def check_wheel(i, h, tol, wheels, rows):
    """Hold the solution against the law, and move the linearisation point for the next pass.

    Reads the end-of-step velocities ``rows.u``. Returns True when the load (and, for ``implicit``,
    traction and resistance) agree with the law to ``tol``.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    first = wheel.row
    channel = wheel.channel
    load = rows.z[first + at.ROW_NORMAL] / h
    done = abs(load - now.load) <= tol * max(abs(load), 1.0)
    now.row_load, now.load = now.load, load
    now.mismatch = 0.0
    if wheel.scheme == at.LUGRE:
        return check_bristle(i, h, tol, wheels, rows) and done
    row = first + at.ROW_RESISTANCE
    if wheel.scheme != at.IMPLICIT:
        if now.at_rest == 0.0:
            return done
        return resistance_agrees(i, h, rows.A[row, row], wheels, rows) and done

    v_0 = wheel.v_0
    v_t, v_x = rows.u[channel + at.SLIDING], rows.u[channel + at.CENTRE]
    slip, direction, v_max = slip_state(v_t, v_x, v_0)
    # The hold at rest and its capacities are left at most once a step, so the passes cannot cycle.
    if now.standing == 1.0 and v_max > v_0:
        now.standing = 0.0
        done = False
    if now.at_rest == 1.0:
        if v_max <= v_0:
            return resistance_agrees(i, h, rows.A[row, row], wheels, rows) and done
        now.at_rest = 0.0
        now.mismatch = math.inf
        linearise_at(i, v_t, v_x, wheels)
        return False

    motion = Motion(slip, direction, v_max, v_t, v_x, rows.u[channel + at.LATERAL])
    ratio, _, coulomb, gamma, rho, peak, share_left = thrust_at(i, motion, load, wheels)
    ratio, coulomb = ratio * share_left, coulomb * share_left
    traction, stick = first + at.ROW_TRACTION, first + at.ROW_STICK
    # The smooth thrust of the rows: all but the law's own set-valued part.
    beyond = max(0.0, abs(rows.z[stick]) - h * load * coulomb)
    smooth = rows.z[traction] + math.copysign(beyond, rows.z[stick])
    scale = h * max(load, 1.0) * max(peak, 1e-6)
    mismatch = abs(smooth - h * load * ratio) / scale
    if abs(v_t) <= STUCK and wheels.passes.count >= PATIENT:  # round-off: its sign is arbitrary
        mismatch = max(0.0, abs(smooth) - h * load * abs(ratio)) / scale
    if now.standing == 0.0:
        mismatch = max(mismatch, h * load * abs(gamma - now.gamma) / scale)
    mismatch = max(mismatch, h * load * abs(rho - now.rho) / scale)
    now.mismatch = mismatch
    linearise_at(i, v_t, v_x, wheels)
    return mismatch <= tol and done
