"""The solution held against the ground law, and where to linearise next. One wheel at a time."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import layout as at
from .lugre import bristle_force
from .rows import ellipse_share, law_at, linearise_at, longitudinal_grip
from .slip import slip_state


@kernel
def next_slip(i, slip, v_t, stalls, stiff, wheels):
    """The slip to linearise at next, from what came out of the last linearisation.

    Newton's step is that slip itself. Where the row is stiff (slow wheel, long step) it is the slip
    that the linear row saw: there the resistance moves v_max a lot from pass to pass, and with it
    the slip of the velocities, but hardly the force.
    Where the passes stall, a bracket: the slip that comes out falls with the slip linearised at, so
    coming out above it means that the root is above. Load, resistance and the other wheels move the
    root meanwhile, and a bracket of an earlier root would be halved down to its end: what comes out
    beyond the same end three times in a row opens that end.
    """
    now = wheels.now
    point = now[i, at.SLIP]
    target = slip
    if stiff:
        target = point - now[i, at.SLOPE_SHARE] * (v_t - now[i, at.V_T]) / now[i, at.V_MAX]
        target = min(1.0, max(-1.0, target))
    low, high = now[i, at.SLIP_LOW], now[i, at.SLIP_HIGH]
    if target > point:
        low = max(low, point)
    elif target < point:
        high = min(high, point)
    if high - low < 1e-13:
        low, high = -1.0, 1.0
    side = 1.0 if target > high else (-1.0 if target < low else 0.0)
    beyond = side if now[i, at.BEYOND] * side <= 0.0 else now[i, at.BEYOND] + side
    if abs(beyond) >= 3.0:
        if side > 0.0:
            high = 1.0
        else:
            low = -1.0
        side, beyond, stalls = 0.0, 0.0, False
        now[i, at.PASS] = 0.0
    now[i, at.SLIP_LOW], now[i, at.SLIP_HIGH], now[i, at.BEYOND] = low, high, beyond
    if stalls:  # passes that close in are left alone: with several wheels they do so linearly
        now[i, at.PASS] += 1.0
    # A law with a kink can send Newton round in a circle.
    outside = side != 0.0
    if (now[i, at.PASS] > 4.0 and (stalls or outside)) or (stalls and outside):
        return 0.5 * (low + high)
    return target


@kernel
def linearise_between(i, v_t, v_x, wheels):
    """Move the linearisation point of wheel i towards the velocities v_t, v_x [m/s]."""
    share = wheels.now[i, at.STEP_SHARE]
    if share != 1.0:
        now = wheels.now
        v_t = now[i, at.V_T] + share * (v_t - now[i, at.V_T])
        v_x = now[i, at.V_X] + share * (v_x - now[i, at.V_X])
    linearise_at(i, v_t, v_x, wheels)


@kernel
def judge_bristle(i, h, tol, wheels, rows):
    """Hold LuGre's row against the bristle at the end-of-step velocities; linearise there."""
    now = wheels.now
    channel = wheels.ints[i, at.FIRST_CHANNEL]
    v_t = rows.u[channel + at.SLIDING]
    # Only |v| moves: envelope, resistance and rolling moment are those of the step's first slip.
    share = now[i, at.STEP_SHARE]
    now[i, at.V_T] += share * (v_t - now[i, at.V_T])
    if share != 1.0:  # else ``judge_lateral`` does
        now[i, at.V_X] += share * (rows.u[channel + at.CENTRE] - now[i, at.V_X])
    grip = longitudinal_grip(i, wheels)
    force = bristle_force(
        wheels.bristle[i, at.BRISTLE_X], v_t, grip, wheels.floats[i, at.SIGMA_0],
        now[i, at.DAMPING_X], wheels.floats[i, at.SIGMA_2], h,
    )  # fmt: skip
    traction = wheels.ints[i, at.FIRST_ROW] + at.ROW_TRACTION
    mismatch = abs(rows.z[traction] / h - force) / max(now[i, at.LOAD], 1.0)
    now[i, at.MISMATCH] = mismatch
    return mismatch <= max(tol, 1e-7)  # the secant closes in linearly


@kernel
def judge_wheel(i, h, tol, wheels, rows):
    """Hold the solution against the law, and move the linearisation point for the next pass.

    Reads the end-of-step velocities ``rows.u``. Returns True when the load (and, for ``implicit``,
    traction and resistance) agree with the law to ``tol``.
    """
    now = wheels.now
    first = wheels.ints[i, at.FIRST_ROW]
    channel = wheels.ints[i, at.FIRST_CHANNEL]
    load = rows.z[first + at.ROW_NORMAL] / h
    last_load = now[i, at.LOAD]
    done = abs(load - last_load) <= tol * max(abs(load), 1.0)
    now[i, at.LOAD] = last_load + min(1.0, now[i, at.STEP_SHARE]) * (load - last_load)
    last_mismatch = now[i, at.MISMATCH]
    now[i, at.MISMATCH] = 0.0
    if wheels.ints[i, at.SCHEME] == at.LUGRE:
        return judge_bristle(i, h, tol, wheels, rows) and done
    if wheels.ints[i, at.SCHEME] != at.IMPLICIT:
        return done

    v_0 = wheels.floats[i, at.V_0]
    v_t, v_x = rows.u[channel + at.SLIDING], rows.u[channel + at.CENTRE]
    slip, direction, v_max = slip_state(v_t, v_x, v_0)
    # The hold at rest and gamma(0) are left at most once a step, so the passes cannot cycle.
    if now[i, at.STANDING] == 1.0 and abs(v_x) >= v_0:
        now[i, at.STANDING] = 0.0
        done = False
    if now[i, at.AT_REST] == 1.0:
        if v_max <= v_0:
            return done
        now[i, at.AT_REST] = 0.0
        now[i, at.MISMATCH] = math.inf
        linearise_at(i, v_t, v_x, wheels)
        return False

    ratio, _, jump, gamma, rho, peak = law_at(i, slip, direction, v_max, load, wheels)
    v_y = rows.u[channel + at.LATERAL]
    share_left = ellipse_share(i, ratio, jump, peak, load, v_x, v_y, wheels)
    ratio, jump = ratio * share_left, jump * share_left
    traction, stick = first + at.ROW_TRACTION, first + at.ROW_STICK
    # The smooth thrust of the rows: all but what the law itself has as set-valued.
    beyond = max(0.0, abs(rows.z[stick]) - h * load * jump)
    smooth = rows.z[traction] + math.copysign(beyond, rows.z[stick])
    scale = h * max(load, 1.0) * max(peak, 1e-6)
    mismatch = abs(smooth - h * load * ratio) / scale
    if now[i, at.STANDING] == 0.0:
        mismatch = max(mismatch, h * load * abs(gamma - now[i, at.GAMMA]) / scale)
    mismatch = max(mismatch, h * load * abs(rho - now[i, at.RHO]) / scale)
    now[i, at.MISMATCH] = mismatch
    if wheels.now[i, at.STEP_SHARE] != 1.0:
        linearise_between(i, v_t, v_x, wheels)
        return mismatch <= tol and done
    if mismatch <= tol:
        return done

    inside = rows.lower[traction] < rows.z[traction] < rows.upper[traction]
    slides = not rows.lower[stick] < rows.z[stick] < rows.upper[stick]
    stiff = inside and slides and rows.A[traction, traction] > 2.0 * rows.e[traction]
    target = next_slip(i, slip, v_t, mismatch > 0.9 * last_mismatch, stiff, wheels)
    linearise_at(i, v_t, v_x, wheels)
    if target != slip:
        now[i, at.SLIP], now[i, at.V_T] = target, -target * v_max
    return False
