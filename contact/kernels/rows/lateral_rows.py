"""The lateral force as rows: a smooth one and a set-valued one, on the lateral channel.

The law F(v_y) = -F_n mu(alpha), alpha = atan(v_y / max(|v_x|, v_0)), has the shape of the law of the
thrust over the sliding velocity, so the same schemes linearise both laws. F_n: load; mu: lateral ratio;
alpha: slip angle; v_y: lateral velocity; v_x: velocity of the centre along the heading; v_0: lower
limit of |v_x| in alpha.
"""

import math

from mlcp.compiled.branches import as_many, every, some, where
from mlcp.jit import kernel

from ...schemes.kernels.line import Line, Sliding
from ...schemes.kernels.table import scheme_line
from ..wheel import layout as at
from ..wheel.combined import lateral_alone, lateral_force, motion_of
from ..wheel.wheel_law import law_at
from .lines import keep_within, set_line, sloped, unless
from .other_wheels import BEGIN_CARCASS, SIDE, other_wheel


@kernel
def begin_lateral(i, h, v_y, wheels, rows):
    """Begin the step of wheel i: set the linearisation point to the current lateral velocity v_y [m/s].

    If the wheel's centre stands, the slip angle jumps from -90 to 90 degrees with the sign of v_y. A
    set-valued row then keeps a wheel that spins on the spot from moving sideways, just as the resistance
    keeps it from moving along its heading (not with bristles, smooth slip, or forces combined by the
    sliding).
    """
    wheel, now = wheels.each[i], wheels.now[i]
    now.v_y, now.stuck_y = v_y, 0.0
    if wheel.relaxes == 1:
        other_wheel(BEGIN_CARCASS, i, h, 0.0, wheels, rows)
        return
    if wheel.scheme == at.LUGRE or wheel.smooth_slip == 1 or wheel.sliding == 1:
        return
    sticks = (max(abs(now.v_x), abs(v_y)) <= wheel.v_0) & (now.v_max > wheel.v_0)
    if some(sticks):
        now.stuck_y = where(sticks, 1.0, 0.0)
        use = min(lateral_use(i, h, wheels, rows), stuck_share(i, wheels))
        now.side_use = where(sticks, use, now.side_use)


@kernel
def side_share(i, ratio, coulomb, peak, wheels):
    """Fraction of the lateral capacity that the friction ellipse leaves at a slip angle of 90 degrees.

    ratio, coulomb, peak: smooth thrust, set-valued thrust and largest smooth thrust over the load.
    """
    if wheels.each[i].ellipse == 0:
        return as_many(1.0, ratio)
    use = (abs(ratio) + coulomb) / max(peak + coulomb, 1e-300)
    return 1.0 / math.sqrt(1.0 + use * use)


@kernel
def stuck_share(i, wheels):
    """Fraction of the lateral capacity left by the thrust (``side_share``) for a wheel that stands."""
    now = wheels.now[i]
    ratio, _, coulomb, _, _, peak = law_at(i, now.slip, now.direction, now.v_max, now.load, wheels)
    return side_share(i, ratio, coulomb, peak, wheels)


@kernel
def lateral_use(i, h, wheels, rows):
    """Ratio of lateral force to lateral capacity of wheel i in the last solution, at most 1."""
    wheel, now = wheels.each[i], wheels.now[i]
    smooth = wheel.lateral_row
    _, _, largest = lateral_force(i, now.load, motion_of(now), wheels)
    return min(1.0, abs(rows.z[smooth] + rows.z[smooth + 1]) / max(h * largest, 1e-300))


@kernel
def sliding_aside(i, force, slope, largest, wheels):
    """Result of ``lateral_force`` as ``Sliding``, the input of the linearisation schemes.

    Force, slope and largest value are scaled by the wheel's factor ``share`` of the friction ellipse.
    """
    share = wheels.now[i].share
    force, slope, largest = force * share, slope * share, largest * share
    return Sliding(wheels.now[i].v_y, -force, slope, slope, largest)


@kernel
def bent_side(i, wheels):
    """Lateral force of wheel i with a relaxing carcass as a line through its linearisation point."""
    now = wheels.now[i]
    force, slope, largest = lateral_alone(i, now.load, now.v_x, now.v_y, wheels)
    side = sliding_aside(i, force, slope, largest, wheels)
    damping = max(side.tangent, 0.0)  # a law that falls with the slip is linearised as a constant force
    line = Line(side.force + damping * now.v_y, damping, side.peak, 0.0)
    return sloped(line, 1.0, now.load)


@kernel
def lateral_rows(i, h, wheels, rows):
    """Set the two lateral rows of wheel i at its linearisation point; ``traction_rows`` has to be called
    before, since it sets the factor ``share`` of the friction ellipse."""
    wheel, now = wheels.each[i], wheels.now[i]
    smooth, rests, sticks = wheel.lateral_row, now.at_rest == 1.0, now.stuck_y == 1.0
    if wheel.scheme == at.LUGRE:
        other_wheel(SIDE, i, h, 0.0, wheels, rows)
        return
    if wheel.relaxes == 1:
        set_line(smooth, h, bent_side(i, wheels), 0.0, rows)
        return
    if every(rests):
        _, _, largest = lateral_alone(i, now.load, now.v_x, now.v_y, wheels)
        now.capacity_y = h * largest * now.share
        set_line(smooth, h, Line(0.0, 0.0, 0.0, 0.0), now.rest_y * now.capacity_y, rows)
        return
    force, slope, largest = lateral_force(i, now.load, motion_of(now), wheels)
    line = scheme_line(wheel.line, sliding_aside(i, force, slope, largest, wheels))
    line, friction = sloped(line, 1.0, now.load), as_many(0.0, largest)
    if some(sticks):
        line, friction = unless(sticks, line), h * largest * stuck_share(i, wheels)
        friction = where(sticks, friction, 0.0)
    if some(rests):
        now.capacity_y = where(rests, h * largest * now.share, now.capacity_y)
        line, friction = unless(rests, line), where(rests, now.rest_y * now.capacity_y, friction)
    set_line(smooth, h, line, friction, rows)
    if wheel.scheme == at.KEPT:
        keep_within(smooth, where(now.rest_y < 1.0, h * largest * now.rest_y, math.inf), rows)
