"""Agreement of the solution with the ground law, and the next linearisation point, wheel by wheel.

A pass is a linearisation of all laws and a solve. Kinds of schemes: ``IMPLICIT`` linearises in every
pass, ``LUGRE`` has bristles; the others linearise once, at the start of the step.
"""

import math

from mlcp.compiled.branches import every, no, where
from mlcp.jit import kernel

from ..wheel import layout as at
from ..wheel.combined import ContactMotion, thrust_at
from ..wheel.slip import STUCK_SPEED, slip_state
from ..wheel.wheel_law import linearise_at
from .other_wheels import CHECK_THRUST, other_wheel


@kernel
def check_wheel(i, h, tol, wheels, rows):
    """Compare the forces of wheel i with its law, and move the linearisation point for the next pass.

    The law is evaluated at the end-of-step velocities ``rows.u``. Returns whether to ``tol`` the load is
    that of the linearisation, and thrust (LuGre, ``implicit``), resistance and rolling moment
    (``implicit``) are those of the law. With LuGre ``tol`` is at least 1e-7: a bristle's row is a
    secant, so passes converge only linearly.
    """
    wheel, now, first = wheels.each[i], wheels.now[i], wheels.each[i].row
    u, channel = rows.u, wheel.channel
    load, rested = rows.z[first + at.ROW_NORMAL] / h, now.at_rest == 1.0
    if wheel.scheme == at.LUGRE:
        tol = max(tol, 1e-7)
    done = abs(load - now.load) <= tol * max(abs(load), 1.0)
    now.row_load, now.load, now.mismatch = now.load, load, 0.0
    if wheel.scheme == at.LUGRE:
        return (other_wheel(CHECK_THRUST, i, h, tol, wheels, rows)[0] == 1.0) & done
    if wheel.scheme != at.IMPLICIT:
        return done

    v_t, v_x = u[channel + at.SLIDING], u[channel + at.CENTRE]
    v_y = u[channel + at.LATERAL]
    slip, direction, v_max = slip_state(v_t, v_x, wheel.v_0)
    # within a step ``at_rest`` and ``standing`` change from 1 to 0 only, so the passes cannot cycle
    slow = v_max <= wheel.v_0
    rests = rested & slow
    done = done & (slow | (now.standing == 0.0)) & (rests | no(rested))
    now.standing, now.at_rest = where(slow, now.standing, 0.0), where(rests, 1.0, 0.0)
    if every(rests):
        return done

    motion = ContactMotion(slip, direction, v_max, v_t, v_x, v_y)
    ratio, _, coulomb, gamma, rho, peak, share_left = thrust_at(i, motion, load, wheels)
    ratio, coulomb = ratio * share_left, coulomb * share_left
    stick = rows.z[first + at.ROW_STICK]
    # smooth thrust impulse: includes the part of the set-valued row beyond the law's Coulomb part
    beyond = max(0.0, abs(stick) - h * load * coulomb)
    smooth = rows.z[first + at.ROW_TRACTION] + math.copysign(beyond, stick)
    scale = h * max(load, 1.0) * max(peak, 1e-6)
    mismatch = abs(smooth - h * load * ratio) / scale
    # if v_t is round-off, so is the sign of the law's thrust: from the fourth check on the size of the
    # thrust only has to be at most that of the law's
    stuck = (abs(v_t) <= STUCK_SPEED) & (wheels.passes.count >= 3.0)
    mismatch = where(stuck, max(0.0, abs(smooth) - h * load * abs(ratio)) / scale, mismatch)
    moved = max(mismatch, h * load * abs(gamma - now.gamma) / scale)
    mismatch = where(now.standing == 0.0, moved, mismatch)
    mismatch = max(mismatch, h * load * abs(rho - now.rho) / scale)
    now.mismatch = where(rests, 0.0, where(rested, math.inf, mismatch))
    linearise_at(i, where(rests, now.v_t, v_t), where(rests, now.v_x, v_x), wheels)
    return done & (rests | (mismatch <= tol))
