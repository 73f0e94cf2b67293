"""Rows of a wheel in lanes, as ``reduced.set_wheel_rows`` for one vehicle."""

from __future__ import annotations

from mlcp.compiled.branches import some, where
from mlcp.jit import kernel

from ...schemes.kernels.implicit import line
from ...schemes.kernels.line import Line, Sliding
from ..rows.lateral_rows import side_share
from ..rows.lines import set_line, sloped
from ..rows.rows import resistance_rows, thrust_sliding
from ..rows.standing import gamma_at_rest
from ..wheel import layout as at
from ..wheel.combined import Motion, lateral_force, thrust_at
from ..wheel.wheel_law import capacity_ratio, law_at, without_round_off


@kernel
def unless(rest, line):
    """The line where a wheel does not rest; nothing where it does."""
    return Line(
        where(rest, 0.0, line.at_zero),
        where(rest, 0.0, line.damping),
        where(rest, 0.0, line.bound),
        where(rest, 0.0, line.friction),
    )


@kernel
def set_rolling_rows(i, h, B, wheels, rows):
    """``reduced.set_wheel_rows``."""
    wheel, now = wheels.each[i], wheels.now[i]
    sliding, centre = wheel.channel + at.SLIDING, wheel.channel + at.CENTRE
    own, load, rest = B[sliding, sliding], now.load, now.at_rest == 1.0
    heavy = own > 0.0
    share = where(heavy, min(1.0, max(0.0, B[centre, sliding] / where(heavy, own, 1.0))), 0.0)
    slip, direction, v_max = where(rest, without_round_off(now.slip), now.slip), now.direction, now.v_max
    motion = Motion(slip, direction, v_max, now.v_t, now.v_x, now.v_y)
    ratio, slope, coulomb, gamma, rho, peak, left = thrust_at(i, motion, load, wheels)
    left = where(rest, 1.0, left)
    coulomb = where(rest, law_at(i, slip, direction, v_max, load, wheels)[2], coulomb)
    now.share, now.shift = left, now.law.shifted
    still = (now.standing == 1.0) & (slip != 0.0)
    if some(still):
        values = law_at(i, where(still, 0.0, slip), direction, v_max, load, wheels)
        gamma = where(still, values[3], gamma)
    friction = h * load * (coulomb * left)
    if some(rest):
        now.capacity_x = friction + h * load * capacity_ratio(i, load, wheels)
        gamma = gamma_at_rest(i, h, gamma, rest, wheels, rows)
    resistance_rows(i, h, gamma, rho, wheels, rows)
    share_left = side_share(i, ratio, coulomb, peak, wheels)
    ratio, slope, coulomb, peak = ratio * left, slope * left, coulomb * left, peak * left
    thrust = thrust_sliding(i, ratio, slope, peak, share, wheels)
    along = sloped(line(thrust), v_max, thrust.peak)
    if some(rest):
        along, friction = unless(rest, along), where(rest, now.rest_x * now.capacity_x, friction)
    set_line(wheel.row + at.ROW_TRACTION, h, along, friction, rows)
    if wheel.lateral_row >= 0:
        force, slope, largest = lateral_force(i, load, motion, wheels)
        aside, most = now.stuck_y == 1.0, h * largest * share_left
        force, slope, largest = force * left, slope * left, largest * left
        now.capacity_y = h * largest
        side = sloped(line(Sliding(now.v_y, -force, slope, slope, largest)), 1.0, load)
        friction = where(rest, now.rest_y * now.capacity_y, where(aside, most, 0.0))
        set_line(wheel.lateral_row, h, unless(rest | aside, side), friction, rows)
