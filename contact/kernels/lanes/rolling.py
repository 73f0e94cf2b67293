"""Contact problem of several vehicles side by side, in lanes, in its common case.

Common case: wheels that roll or rest under the implicit scheme, agreement of law and rows before a
path is followed, rows solved on their channels. Every lane has the bytes of ``reduced``; the lanes
outside the common case are reported, and their results are void: ``reduced`` solves them.
"""

from __future__ import annotations

import math

from mlcp.compiled.branches import as_many, every, no, some, where
from mlcp.jit import kernel
from mlcp.kernels.channel_rows import own_inertia

from ..rows.dense_rows import assemble, own_row
from ..rows.lateral_rows import REST_TOLERANCE, SIDE_USE_TOLERANCE, off_ellipse, side_share
from ..rows.law_check import PATIENT
from ..rows.rest import flow_of, start_rest
from ..rows.rows import normal_row_at, rolling_impulse
from ..rows.standing import UNKNOWN, resistance_agrees
from ..solve.agreement import PLAIN, ROUNDED, linearise_there, split_rows
from ..solve.balance import Unknowns, begin, take_impulses, value_at
from ..solve.newton import EXACT, STEPS, iterate
from ..wheel import layout as at
from ..wheel.combined import Motion, lateral_alone, lateral_force, thrust_at
from ..wheel.slip import STUCK, slip_state
from ..wheel.wheel_law import forget_laws, law_at, linearise_at, load_at
from .lane_pivoting import (
    LaneWork,
    couple_lanes,
    residual_of_lanes,
    respond_lanes,
    solve_lanes,
    start_lanes,
)
from .lane_rows import set_rolling_rows

MANY = 9  # passes of lanes: those that need more are the single solver's


@kernel
def lateral_use(i, h, wheels, rows):
    """``lateral_rows.lateral_use``."""
    now, smooth = wheels.now[i], wheels.each[i].lateral_row
    _, _, largest = lateral_alone(i, now.load, now.v_x, now.v_y, wheels)
    return min(1.0, abs(rows.z[smooth] + rows.z[smooth + 1]) / max(h * largest, 1e-300))


@kernel
def begin_rolling(h, contact, B, u_free):
    """``reduced.begin``."""
    wheels, rows, gap, u = contact.wheels, contact.rows, contact.gap, contact.start
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        channel, normal = wheel.channel, wheel.row + at.ROW_NORMAL
        next_gap = gap[i] + h * u_free[channel + at.NORMAL]
        compression = where(gap[i] < 0.0, -gap[i], -next_gap)
        force = where(next_gap <= 0.0, load_at(i, compression, wheels), 0.0)
        normal_row_at(i, h, gap[i], compression, force, wheels, rows)
        forget_laws(i, wheels)
        v_x, v_y = u[channel + at.CENTRE], u[channel + at.LATERAL]
        linearise_at(i, u[channel + at.SLIDING], v_x, wheels)
        now.load = where(rows.upper[normal] > 0.0, rows.z[normal] / h, 0.0)
        now.v_y, now.stuck_y = v_y, 0.0
        now.rest_x, now.rest_y, now.used = 1.0, 1.0, UNKNOWN
        now.standing = where(now.v_max <= wheel.v_0, 1.0, 0.0)
        now.at_rest = now.standing if wheel.static_friction == 1 and wheel.smooth_slip == 0 else 0.0
        if wheel.lateral_row >= 0 and wheel.smooth_slip == 0 and wheel.sliding == 0:
            sticks = (now.standing == 0.0) & (max(abs(v_x), abs(v_y)) <= wheel.v_0)
            now.stuck_y = where(sticks, 1.0, 0.0)
            if some(sticks):
                law = law_at(i, now.slip, now.direction, now.v_max, now.load, wheels)
                most = side_share(i, law[0], law[2], law[5], wheels)
                now.side_use = min(lateral_use(i, h, wheels, rows), most)
    predict_rolling(h, B, u_free, wheels, rows)


@kernel
def predict_rolling(h, B, u_free, wheels, rows):
    """``reduced.predict_loads``."""
    respond_lanes(B, u_free, rows)
    count = len(wheels.each)
    for i in range(count):
        channel, normal = wheels.each[i].channel + at.NORMAL, wheels.each[i].row + at.ROW_NORMAL
        total = rows.u[channel] + rows.bias[normal]
        for j in range(count):
            other = wheels.each[j].channel + at.NORMAL
            total -= B[channel, other] * rows.q[other]
        rows.b[normal] = total
    for _sweep in range(3):
        for i in range(count):
            channel, normal = wheels.each[i].channel + at.NORMAL, wheels.each[i].row + at.ROW_NORMAL
            total = rows.b[normal]
            for j in range(count):
                other = wheels.each[j].channel + at.NORMAL
                if j != i:
                    total += B[channel, other] * rows.q[other]
            impulse = max(0.0, -total / (B[channel, channel] + rows.e[normal]))
            rows.q[channel] = where(rows.upper[normal] > 0.0, impulse, rows.q[channel])
    for i in range(count):
        wheel, now = wheels.each[i], wheels.now[i]
        normal = wheel.row + at.ROW_NORMAL
        known = (rows.upper[normal] > 0.0) & (rows.z[normal] > 0.0)
        now.load = where(known, rows.q[wheel.channel + at.NORMAL] / h, now.load)
        if wheel.sliding == 1:  # ``reduced.starts_at_prediction``
            c, u, predicts = wheel.channel, rows.u, known & (now.at_rest == 0.0)
            v_t = where(predicts, u[c + at.SLIDING], now.v_t)
            linearise_at(i, v_t, where(predicts, u[c + at.CENTRE], now.v_x), wheels)
            now.v_y = where(predicts, u[c + at.LATERAL], now.v_y)


@kernel
def check_resting(i, B, wheels, rows):
    """``lateral_rows.check_rest`` where wheel i rests; elsewhere nothing is to be said."""
    wheel, now = wheels.each[i], wheels.now[i]
    capacity_x, capacity_y = now.capacity_x, now.capacity_y
    shared = (now.at_rest == 1.0) & (capacity_x > 0.0) & (capacity_y > 0.0)
    if wheel.lateral_row < 0 or wheel.ellipse == 0 or not some(shared):
        return shared | no(shared)
    x, y, channel = wheel.row + at.ROW_STICK, wheel.lateral_row + 1, wheel.channel
    capacity_x, capacity_y = where(shared, capacity_x, 1.0), where(shared, capacity_y, 1.0)
    p_x, p_y = rows.z[x] / capacity_x, rows.z[y] / capacity_y
    a_x = own_inertia(B, rows.channel[x], rows.minus[x]) + rows.e[x]
    a_y = own_inertia(B, rows.channel[y], rows.minus[y]) + rows.e[y]
    flow_x, flow_y = flow_of(i, wheels)
    flow_x, flow_y = where(shared, flow_x, 1.0), where(shared, flow_y, 1.0)
    stiff = max(a_x * capacity_x * flow_x, a_y * capacity_y * flow_y)
    d_x = p_x - rows.u[channel + at.SLIDING] * flow_x / stiff
    d_y = p_y - rows.u[channel + at.LATERAL] * flow_y / stiff
    size, off = off_ellipse(p_x, p_y, d_x, d_y)
    turns = shared & no(off <= REST_TOLERANCE)
    now.mismatch = where(turns, 1.0, 0.0)
    now.rest_x = where(turns, abs(d_x) / where(turns, size, 1.0), now.rest_x)
    now.rest_y = where(turns, abs(d_y) / where(turns, size, 1.0), now.rest_y)
    return no(turns)


@kernel
def check_stuck_sideways(i, h, v_x, v_y, wheels, rows):
    """``lateral_rows.check_lateral`` where wheel i is held sideways."""
    wheel, now = wheels.each[i], wheels.now[i]
    stands, last = max(abs(v_x), abs(v_y)) <= wheel.v_0, now.side_use
    now.side_use = where((now.stuck_y == 1.0) & stands, lateral_use(i, h, wheels, rows), last)
    now.stuck_y = where(stands, now.stuck_y, 0.0)
    if wheel.ellipse == 0:
        return stands
    return stands & (abs(now.side_use - last) <= SIDE_USE_TOLERANCE)


@kernel
def check_rolling(i, h, tol, B, wheels, rows):
    """``law_check.check_wheel`` and ``check_lateral``."""
    wheel, now, first = wheels.each[i], wheels.now[i], wheels.each[i].row
    u, channel = rows.u, wheel.channel
    load = rows.z[first + at.ROW_NORMAL] / h
    done = abs(load - now.load) <= tol * max(abs(load), 1.0)
    now.load, now.mismatch = load, as_many(0.0, load)
    v_t, v_x, v_y = u[channel + at.SLIDING], u[channel + at.CENTRE], u[channel + at.LATERAL]
    slip, direction, v_max = slip_state(v_t, v_x, wheel.v_0)
    slow, rested = v_max <= wheel.v_0, now.at_rest == 1.0
    rests = rested & slow
    done = done & (slow | (now.standing == 0.0)) & (rests | no(rested))  # left at most once a step
    now.standing, now.at_rest = where(slow, now.standing, 0.0), where(rests, 1.0, 0.0)
    if some(rests):
        row = first + at.ROW_RESISTANCE
        inertia = own_inertia(B, rows.channel[row], rows.minus[row]) + rows.e[row]
        done = done & (resistance_agrees(i, h, inertia, wheels, rows) | no(rests))
    done = done & check_resting(i, B, wheels, rows)
    if every(rests):
        return done
    motion = Motion(slip, direction, v_max, v_t, v_x, v_y)
    ratio, _, coulomb, gamma, rho, peak, share = thrust_at(i, motion, load, wheels)
    ratio, coulomb = ratio * share, coulomb * share
    stuck = rows.z[first + at.ROW_STICK]
    beyond = max(0.0, abs(stuck) - h * load * coulomb)
    smooth = rows.z[first + at.ROW_TRACTION] + math.copysign(beyond, stuck)
    scale = h * max(load, 1.0) * max(peak, 1e-6)
    mismatch = abs(smooth - h * load * ratio) / scale
    loose = (abs(v_t) <= STUCK) & (wheels.passes.count >= PATIENT)
    mismatch = where(loose, max(0.0, abs(smooth) - h * load * abs(ratio)) / scale, mismatch)
    moves = now.standing == 0.0
    mismatch = where(moves, max(mismatch, h * load * abs(gamma - now.gamma) / scale), mismatch)
    mismatch = max(mismatch, h * load * abs(rho - now.rho) / scale)
    linearise_at(i, where(rests, now.v_t, v_t), where(rests, now.v_x, v_x), wheels)
    done = done & (rests | (mismatch <= tol))
    if wheel.lateral_row >= 0:
        now.v_y = where(rests, now.v_y, v_y)
        total = (rows.z[wheel.lateral_row] + rows.z[wheel.lateral_row + 1]) / h
        force, _, largest = lateral_force(i, load, motion, wheels)
        side = abs(total + share * force) / max(largest, 1e-6 * max(load, 1.0))
        sticks = now.stuck_y == 1.0
        done = done & (rests | sticks | (where(abs(v_y) <= STUCK, 0.0, side) <= tol))
        if some(sticks):
            done = done & (check_stuck_sideways(i, h, v_x, v_y, wheels, rows) | no(sticks))
    return done


@kernel
def check_lanes(h, tol, B, which, wheels, rows):
    """``reduced.check_wheels``: those of the lanes ``which`` that agree, their rolling moments noted."""
    agreed = which
    for i in range(len(wheels.each)):
        agreed = agreed & check_rolling(i, h, tol, B, wheels, rows)
    for i in range(len(wheels.each)):
        now = wheels.now[i]
        now.rolling = where(agreed, rolling_impulse(i, wheels, rows), now.rolling)
    wheels.passes.count += 1.0
    return agreed


@kernel
def residual_there(B, u_free, which, wheels, rows, W):
    """``reduced.residual_there`` in the lanes ``which``."""
    split_rows(which, wheels, rows)
    respond_lanes(B, u_free, rows)
    sound = start_lanes(B, u_free, rows, which, W)
    return where(sound, residual_of_lanes(B, rows, W, at.REST), math.inf)


@kernel
def follow_rolling(h, B, u_free, going, wheels, rows):
    """``agreement.follow_law``, by Newton alone, in the lanes that go on; those where it arrives."""
    n = rows.z.shape[0]
    for i in range(n):
        own_row(i, B, rows)
        rows.b[i] = u_free[rows.channel[i]] + rows.bias[i]
        if rows.minus[i] >= 0:
            rows.b[i] -= u_free[rows.minus[i]]
    W = Unknowns(rows.work[3 * n :], n)  # over the factorisation of ``LaneWork``
    n, weighs = begin(W, wheels, rows, None)
    going, _ = iterate(STEPS, EXACT, going & weighs, h, n, W, wheels, rows)
    # uses and capacities that wheels at rest keep: of each lane's own point, also of the first to arrive
    value_at(W.point, h, n, W, wheels, rows)
    take_impulses(going, n, W, wheels, rows)
    return going


@kernel
def solve_rolling(h, contact, B, u_free):
    """``reduced.solve_reduced`` where it is the usual one.

    Returns: the lanes that are solved; of these the passes and the residual. In the others the rows'
    impulses and states are as they were.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    n = rows.z.shape[0]
    W = LaneWork(rows.work, n)
    for i in range(n):
        W.before[i], W.was[i] = rows.z[i], W.active[i]
    begin_rolling(h, contact, B, u_free)
    couple_lanes(B, rows, W)
    going = h == h
    solved, factored = going & no(going), going & no(going)
    passes, residual = as_many(0.0, h), as_many(math.inf, h)
    nothing, many = as_many(0.0, h), wheels.passes
    many.count, many.smoothing, many.uses_kept = nothing, nothing, nothing
    for k in range(MANY):
        if not some(going):
            break
        going = going & (passes < settings.max_passes)
        for i in range(len(wheels.each)):
            set_rolling_rows(i, h, B, wheels, rows)
        if k == 0:
            start_rest(wheels, rows)
        found, factored = solve_lanes(B, u_free, rows, going, factored, W)
        going = going & (found <= settings.solver_tolerance)
        residual, passes = where(going, found, residual), where(going, k + 1.0, passes)
        agreed = check_lanes(h, settings.law_tolerance, B, going, wheels, rows)
        solved, going = solved | agreed, going & no(agreed)
        if k + 1 > PLAIN and some(going):
            if k == PLAIN:
                assemble(B, rows)
            going = follow_rolling(h, B, u_free, going, wheels, rows)
            respond_lanes(B, u_free, rows)
            linearise_there(h, going, wheels, rows)
            for i in range(len(wheels.each)):
                set_rolling_rows(i, h, B, wheels, rows)
            couple_lanes(B, rows, W)
            found = residual_there(B, u_free, going, wheels, rows, W)
            factored = going & no(going)  # its work is the factorisation's
            agreed = check_lanes(h, settings.law_tolerance, B, going, wheels, rows)
            agreed = agreed & (found <= ROUNDED * settings.solver_tolerance)
            residual = where(going, found, residual)
            solved, going = solved | agreed, going & no(agreed)
    for i in range(n):
        rows.z[i] = where(solved, rows.z[i], W.before[i])
        W.active[i] = where(solved, W.active[i], W.was[i])
    return solved, passes, residual
