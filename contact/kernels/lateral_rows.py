"""The lateral force as rows: a smooth one and a set-valued one, on the lateral channel.

The same shape as the thrust: F(v_y) = -F_n mu(alpha), alpha = atan(v_y / max(|v_x|, v_0)), as a
secant (global), a tangent whose part against the motion at v_y = 0 is friction (local, implicit),
bounds only (set-valued), or a bristle (LuGre).
"""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import layout as at
from .lugre import bristle_force, bristle_line, passive_damping
from .rows import ellipse_share, lateral_at, law_at, within
from .slip import slip_state

REST_TOLERANCE = 1e-6  # on the forces at rest against their ellipse, in shares of the capacities


@kernel
def begin_lateral(i, load, v_y, wheels):
    """Start of the step: linearise at the current lateral velocity [m/s]."""
    wheels.now[i, at.V_Y] = v_y


@kernel
def lateral_force(i, load, v_x, v_y, wheels):
    """``(F, dF/dv_y, largest)`` at v_y: size of the force with the sign of v_y [N, N s/m, N]."""
    floor = max(abs(v_x), wheels.floats[i, at.V_0])
    ratio, slope, largest = lateral_at(i, v_x, v_y, load, wheels)
    turn = floor / (floor * floor + v_y * v_y)  # dalpha / dv_y
    return load * ratio, load * slope * turn, load * largest


@kernel
def lateral_grip(i, wheels):
    """LuGre's lateral envelope g [N] at the linearisation point."""
    now = wheels.now
    v_x, v_y = now[i, at.V_X], now[i, at.V_Y]
    force, _, largest = lateral_force(i, now[i, at.LOAD], v_x, v_y, wheels)
    speed = math.hypot(v_x, v_y) / wheels.floats[i, at.V_HOLD]
    near = math.exp(-speed * speed)
    held = wheels.floats[i, at.ANGLE_HOLD]
    if held > 0.0:
        turn = math.atan2(v_y, max(abs(v_x), wheels.floats[i, at.V_0])) / held
        near = max(near, math.exp(-turn * turn))
    return now[i, at.SHARE] * max(abs(force), near * largest)


@kernel
def beside_thrust(i, wheels):
    """Share of the lateral capacity that the ellipse leaves beside the thrust, in [0, 1]."""
    now = wheels.now
    if wheels.ints[i, at.ELLIPSE] == 0:
        return 1.0
    ratio, _, jump, _, _, peak = law_at(
        i, now[i, at.SLIP], now[i, at.DIRECTION], now[i, at.V_MAX], now[i, at.LOAD], wheels
    )
    thrust = (abs(ratio) + jump) / max(peak + jump, 1e-300)
    return math.sqrt(max(0.0, 1.0 - thrust * thrust))


@kernel
def lateral_rows(i, h, wheels, rows):
    """Lay the two lateral rows of wheel i at its linearisation point (after ``traction_rows``)."""
    now, scheme = wheels.now, wheels.ints[i, at.SCHEME]
    smooth = wheels.ints[i, at.LATERAL_ROW]
    stick = smooth + 1
    v_x, v_y, load = now[i, at.V_X], now[i, at.V_Y], now[i, at.LOAD]
    rows.e[smooth], rows.bias[smooth], rows.e[stick], rows.bias[stick] = 1.0, 0.0, 0.0, 0.0
    rows.lower[smooth], rows.upper[smooth] = 0.0, 0.0
    share = now[i, at.SHARE]
    if scheme == at.LUGRE:
        grip = lateral_grip(i, wheels)
        sigma_1 = passive_damping(wheels.floats[i, at.SIGMA_1], v_y, grip)
        now[i, at.DAMPING_Y] = sigma_1
        at_zero, damping = bristle_line(
            wheels.bristle[i, at.BRISTLE_Y], v_y, grip, wheels.floats[i, at.SIGMA_0], sigma_1,
            wheels.floats[i, at.SIGMA_2], h,
        )  # fmt: skip
        if damping > 0.0:
            rows.e[smooth], rows.bias[smooth] = 1.0 / (h * damping), -at_zero / damping
            rows.lower[smooth], rows.upper[smooth] = -math.inf, math.inf
        rows.lower[stick], rows.upper[stick] = 0.0, 0.0
        return
    force, slope, largest = lateral_force(i, load, v_x, v_y, wheels)
    force, slope, bound = force * share, slope * share, h * largest * share
    held = 0.0
    standing = now[i, at.AT_REST] == 1.0
    if standing:
        now[i, at.HOLD_Y] = bound
        held = now[i, at.REST_Y] * bound
    elif scheme == at.SET_VALUED and max(abs(v_x), abs(v_y)) < wheels.floats[i, at.V_0]:
        held = bound * beside_thrust(i, wheels)  # a wheel that spins in place is held sideways
    elif scheme == at.SET_VALUED or scheme == at.LOCAL_CURRENT:
        held = h * abs(force)
    else:
        damping = slope
        if scheme == at.GLOBAL and abs(v_y) > 1e-300:
            damping = force / v_y
        # force + slope (v_y+ - v_y): what is left at v_y+ = 0 is friction against v_y
        held = min(bound, h * max(0.0, abs(force) - damping * abs(v_y)))
        bound -= held
        if damping > 1e-12 * load and bound > 0.0:
            rows.e[smooth] = 1.0 / (h * damping)
            rows.lower[smooth], rows.upper[smooth] = -bound, bound
    if now[i, at.REST_Y] < 1.0 and (scheme == at.GLOBAL or scheme == at.LOCAL):
        most = h * largest * now[i, at.REST_Y]
        held = min(held, most)
        within(smooth, most - held, rows)
    rows.lower[stick], rows.upper[stick] = -held, held


@kernel
def judge_rest(i, wheels, rows):
    """Keep the forces of a wheel at rest inside their ellipse; False while its bounds still move.

    With P the two capacities, p/P has to be the projection of ``d = p/P - r P u`` onto the unit disc:
    stuck inside it, or on its rim against the sliding. The bounds of the next pass touch the rim
    along d.
    """
    now = wheels.now
    hold_x, hold_y = now[i, at.HOLD_X], now[i, at.HOLD_Y]
    if wheels.ints[i, at.ELLIPSE] == 0 or hold_x <= 0.0 or hold_y <= 0.0:
        return True
    x, y = wheels.ints[i, at.FIRST_ROW] + at.ROW_STICK, wheels.ints[i, at.LATERAL_ROW] + 1
    channel = wheels.ints[i, at.FIRST_CHANNEL]
    p_x, p_y = rows.z[x] / hold_x, rows.z[y] / hold_y
    stiff = max(rows.A[x, x] * hold_x * hold_x, rows.A[y, y] * hold_y * hold_y)
    d_x = p_x - rows.u[channel + at.SLIDING] * hold_x / stiff
    d_y = p_y - rows.u[channel + at.LATERAL] * hold_y / stiff
    size = math.hypot(d_x, d_y)
    over = max(1.0, size)
    if math.hypot(p_x - d_x / over, p_y - d_y / over) <= REST_TOLERANCE:
        return True
    now[i, at.REST_X], now[i, at.REST_Y] = abs(d_x) / size, abs(d_y) / size
    return False


@kernel
def share_bristles(i, h, lateral, wheels, rows):
    """The same for bristles near standstill: both envelopes shrink until the forces fit."""
    now = wheels.now
    if wheels.ints[i, at.ELLIPSE] == 0 or now[i, at.V_MAX] >= wheels.floats[i, at.V_HOLD]:
        return True
    share = max(now[i, at.SHARE], 1e-12)
    most_x = now[i, at.LOAD] * now[i, at.GRIP_RATIO]
    most_y = lateral_grip(i, wheels) / share
    if most_x <= 0.0 or most_y <= 0.0:
        return True
    traction = rows.z[wheels.ints[i, at.FIRST_ROW] + at.ROW_TRACTION] / h
    # a viscous part may exceed the envelope: the bristles share what bristles can hold
    size = math.hypot(min(abs(traction) / most_x, share), min(abs(lateral) / most_y, share))
    if size <= 1.0 + REST_TOLERANCE:
        return True
    now[i, at.REST_X] = share / size
    return False


@kernel
def keep_in_ellipse(i, h, wheels, rows):
    """The forces of a scheme that keeps its slip, held inside the ellipse; False: lay them again.

    Lines laid at the step's start may end it beyond: then their bounds become the box whose corner
    lies on the ellipse where the forces pointed. Smaller bounds make no row less passive.
    """
    now = wheels.now
    if wheels.ints[i, at.ELLIPSE] == 0:
        return True
    first, smooth, load = wheels.ints[i, at.FIRST_ROW], wheels.ints[i, at.LATERAL_ROW], now[i, at.LOAD]
    _, _, jump, _, _, peak = law_at(
        i, now[i, at.SLIP], now[i, at.DIRECTION], now[i, at.V_MAX], load, wheels
    )
    _, _, largest = lateral_force(i, load, now[i, at.V_X], now[i, at.V_Y], wheels)
    most_x, most_y = h * load * (peak + jump), h * largest
    if most_x <= 0.0 or most_y <= 0.0:
        return True
    x = abs(rows.z[first + at.ROW_TRACTION] + rows.z[first + at.ROW_STICK]) / most_x
    y = abs(rows.z[smooth] + rows.z[smooth + 1]) / most_y
    size = math.hypot(x, y)
    if size <= 1.0 + REST_TOLERANCE:
        return True
    now[i, at.REST_X], now[i, at.REST_Y] = x / size, y / size
    return False


@kernel
def judge_lateral(i, h, tol, wheels, rows):
    """Hold the lateral force against its law at the end-of-step velocities; linearise there."""
    now, scheme = wheels.now, wheels.ints[i, at.SCHEME]
    channel, smooth = wheels.ints[i, at.FIRST_CHANNEL], wheels.ints[i, at.LATERAL_ROW]
    if now[i, at.AT_REST] == 1.0:
        return judge_rest(i, wheels, rows)
    if scheme == at.GLOBAL or scheme == at.LOCAL:
        return keep_in_ellipse(i, h, wheels, rows)
    if scheme != at.IMPLICIT and scheme != at.LUGRE:
        return True
    v_x, v_y = rows.u[channel + at.CENTRE], rows.u[channel + at.LATERAL]
    load = now[i, at.LOAD]
    now[i, at.V_X], now[i, at.V_Y] = v_x, v_y
    total = (rows.z[smooth] + rows.z[smooth + 1]) / h
    force, _, largest = lateral_force(i, load, v_x, v_y, wheels)
    scale = max(largest, 1e-6 * max(load, 1.0))
    if scheme == at.LUGRE:
        wanted = bristle_force(
            wheels.bristle[i, at.BRISTLE_Y], v_y, lateral_grip(i, wheels),
            wheels.floats[i, at.SIGMA_0], now[i, at.DAMPING_Y], wheels.floats[i, at.SIGMA_2], h,
        )  # fmt: skip
        mismatch = abs(total - wanted) / scale
        tol = max(tol, 1e-7)
        if not share_bristles(i, h, total, wheels, rows):
            return False
    else:
        v_t = rows.u[channel + at.SLIDING]
        slip, direction, v_max = slip_state(v_t, v_x, wheels.floats[i, at.V_0])
        share = 1.0
        if wheels.ints[i, at.ELLIPSE] == 1:
            ratio, _, jump, _, _, peak = law_at(i, slip, direction, v_max, load, wheels)
            share = ellipse_share(i, ratio, jump, peak, load, v_x, v_y, wheels)
        mismatch = abs(total + share * force) / scale
        if abs(v_y) <= 1e-12:  # stuck: within what the law can hold
            mismatch = 0.0
    now[i, at.MISMATCH] = max(now[i, at.MISMATCH], mismatch)
    return mismatch <= tol
