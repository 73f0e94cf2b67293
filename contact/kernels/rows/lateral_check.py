"""Agreement of the lateral force with its law, and of combined forces with their friction ellipse.

A pass is a linearisation of all laws and a solve. Kinds of schemes: ``KEPT`` linearises once, at the
start of the step, ``IMPLICIT`` in every pass, ``LUGRE`` has bristles.
"""

from mlcp.compiled.branches import as_many, every, no, some, where
from mlcp.jit import kernel

from ..wheel import layout as at
from ..wheel.combined import lateral_force, motion_at, thrust_at
from ..wheel.slip import STUCK_SPEED
from .lateral_rows import lateral_use
from .other_wheels import CHECK_SIDE, other_wheel
from .rest import check_rest


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
        return other_wheel(CHECK_SIDE, i, h, tol, wheels, rows)[0] == 1.0
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
