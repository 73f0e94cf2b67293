"""Agreement of the lateral force with its law, and of combined forces with their friction ellipse.

A pass is a linearisation of all laws and a solve. Kinds of schemes: ``KEPT`` linearises once, at the
start of the step, ``IMPLICIT`` in every pass, ``LUGRE`` has bristles.
"""

import math

from mlcp.compiled.branches import as_many, every, no, some, where
from mlcp.jit import either, kernel

from ..wheel import layout as at
from ..wheel.bristles import bent_aside, force_of, lateral_grip
from ..wheel.combined import largest_side, lateral_force, motion_at, motion_of, thrust_at
from ..wheel.slip import STUCK_SPEED
from ..wheel.wheel_law import law_at
from .lateral_rows import lateral_use
from .rest import REST_TOLERANCE, check_rest


@kernel
def share_bristles(i, h, lateral, wheels, rows):
    """Whether the bristles' forces near standstill lie in the friction ellipse; if not, set the factor
    ``now.rest_x`` that reduces both envelopes in the next pass. lateral: lateral force [N].
    """
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
def _check_scheme(i, h, tol, wheels, rows):
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


@kernel
def _no_other_scheme(i, h, tol, wheels, rows):
    """Stand-in for ``_check_scheme`` in lanes, where only ``implicit`` runs: true in every lane."""
    return wheels.now[i].load == wheels.now[i].load


check_other_scheme = either(_check_scheme, _no_other_scheme)


@kernel
def check_sticking(i, h, sticks, v_x, v_y, wheels, rows):
    """Whether the centre of wheel i, held sideways by a set-valued row (``sticks``), still stands, and
    the lateral force is the fraction ``side_use`` of its capacity for which the thrust was set.

    Sticking ends at most once a step.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    stands, last = max(abs(v_x), abs(v_y)) <= wheel.v_0, now.side_use
    use = lateral_use(i, h, wheels, rows)
    now.side_use = where(sticks & stands, use, last)
    now.stuck_y = where(stands, now.stuck_y, 0.0)
    if wheel.ellipse == 0:
        return stands
    # require the fraction of the last pass: a solve may change the fraction, since only the sum of the
    # lateral forces of two wheels on an axle is determined
    return stands & (abs(now.side_use - last) <= 1e-8)


@kernel
def check_lateral(i, h, tol, wheels, rows):
    """Compare the lateral force of wheel i with its law at the end-of-step velocities, and linearise
    there.

    Returns whether force and law agree to ``tol``, relative to the largest force.
    """
    wheel, now = wheels.each[i], wheels.now[i]
    channel, smooth, load = wheel.channel, wheel.lateral_row, now.load
    rests = now.at_rest == 1.0
    done = rests | no(rests)
    if wheel.relaxes == 1:  # a wheel with a relaxing carcass has no set-valued lateral row at rest
        rests = no(done)
    if some(rests):
        done = check_rest(i, wheels, rows)
        if every(rests):
            return done
    if wheel.scheme == at.KEPT or wheel.scheme == at.LUGRE:
        return check_other_scheme(i, h, tol, wheels, rows)
    v_x, v_y, sticks = rows.u[channel + at.CENTRE], rows.u[channel + at.LATERAL], now.stuck_y == 1.0
    now.v_x, now.v_y = where(rests, now.v_x, v_x), where(rests, now.v_y, v_y)
    if some(sticks):
        done = done & (check_sticking(i, h, sticks, v_x, v_y, wheels, rows) | no(sticks))
        if every(sticks):
            return done
    known = rests | sticks
    total = (rows.z[smooth] + rows.z[smooth + 1]) / h
    motion = motion_at(i, rows.u[channel + at.SLIDING], v_x, v_y, wheels)
    force, _, largest = lateral_force(i, load, motion, wheels)
    scale, share = max(largest, 1e-6 * max(load, 1.0)), as_many(1.0, load)
    if wheel.ellipse == 1 and wheel.sliding == 0 and some(now.at_rest == 0.0):
        share = where(now.at_rest == 0.0, thrust_at(i, motion, load, wheels).share, 1.0)
    mismatch = abs(total + share * force) / scale
    if wheel.relaxes == 0:  # at v_y = 0 any force within the capacity agrees
        mismatch = where(abs(v_y) <= STUCK_SPEED, 0.0, mismatch)
    now.mismatch = where(known, now.mismatch, max(now.mismatch, mismatch))
    return done & (known | (mismatch <= tol))
