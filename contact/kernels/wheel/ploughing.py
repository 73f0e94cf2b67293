"""Lateral force of one ploughing wheel, averaged over the soils below it: shear and passive pressure.

Lanes are several vehicles side by side in one SIMD register.
"""

import math

from mlcp.compiled.branches import as_many
from mlcp.compiled.lazy import FLOAT, INT, bundle, lazy, several
from mlcp.jit import either, kernel

from ..laws.slip_sinkage import lateral_shear, passive_pressure
from .data import Wheels


@lazy(several(FLOAT, 3)(INT, FLOAT, FLOAT, bundle(Wheels)), "mlcp", "contact")
def ploughing_shear(i, angle, load, wheels):
    """Lateral shear below wheel i over its load at a slip angle [rad], its slope, its largest value."""
    ratio, slope, largest = 0.0, 0.0, 0.0
    for k in range(wheels.weight.shape[1]):
        weight = wheels.weight[i, k]
        if weight == 0.0:
            break
        row = wheels.variant[i, k]
        values = lateral_shear(wheels.law[row], wheels.lateral[row], angle, load)
        ratio, slope = ratio + weight * values[0], slope + weight * values[1]
        largest += weight * values[2]
    return ratio, slope, largest


@lazy(FLOAT(INT, FLOAT, FLOAT, FLOAT, bundle(Wheels)), "mlcp", "contact")
def ploughing_pressure(i, slip, direction, load, wheels):
    """Force of the passive earth pressure on the side of wheel i over its load, at slip i_s: mean of the
    driving and the braking wheel with weights (1 +- direction) / 2."""
    total = 0.0
    for k in range(wheels.weight.shape[1]):
        weight = wheels.weight[i, k]
        if weight == 0.0:
            break
        row = wheels.variant[i, k]
        for sign in (1.0, -1.0):
            share = 0.5 * (1.0 + sign * direction)
            if share > 0.0:
                pressure = passive_pressure(wheels.law[row], wheels.lateral[row], sign * slip, load)
                total += weight * share * pressure
    return total


@kernel
def _ploughed_one(i, slip, direction, load, v_x, v_y, wheels):
    """Passive earth force on wheel i's side over its load, with the sign of v_y; its slope over v_y; its
    maximum."""
    wheel, now = wheels.each[i], wheels.now[i]
    if now.at_rest == 1.0:
        slip, direction = 0.0, 1.0
    most = ploughing_pressure(i, slip, direction, load, wheels)
    along = v_x * v_x + wheel.v_0 * wheel.v_0
    speed = math.sqrt(along + v_y * v_y)
    return most * v_y / speed, most * along / (speed * speed * speed), most


@kernel
def _ploughed_lanes(i, slip, direction, load, v_x, v_y, wheels):
    """Stand-in for ``_ploughed_one`` in lanes, where no wheel ploughs: zeros."""
    nothing = as_many(0.0, load)
    return nothing, nothing, nothing


@kernel
def _sheared_lanes(i, angle, load, wheels):
    """Stand-in for ``ploughing_shear`` in lanes, where no wheel ploughs: zeros."""
    nothing = as_many(0.0, load)
    return nothing, nothing, nothing


pressure_on = either(_ploughed_one, _ploughed_lanes)
shear_below = either(ploughing_shear, _sheared_lanes)
