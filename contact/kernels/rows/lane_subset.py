"""Parts of a wheel's rows that are not computed in lanes: stress laws.

Lanes are several vehicles side by side in one SIMD register. Each part is a kernel for a single vehicle
with a stand-in for lanes; the contacts of vehicles that need such a part are not solved in lanes.
"""

from mlcp.jit import either, kernel

from ..wheel import layout as at
from ..wheel.soil_load import digging_load, load_at, soften_wheel


@kernel
def _soften_one(i, start, wheels):
    """Soften the soil under wheel i by its slip angle at the start of the step."""
    if wheels.each[i].softens == 1:
        v_x, v_y = start[wheels.each[i].channel + at.CENTRE], start[wheels.each[i].channel + at.LATERAL]
        soften_wheel(i, v_x, v_y, wheels)


@kernel
def _pressed_one(i, compression, start, wheels):
    """Normal force [N] on wheel i at a compression [m]; ``start``: channel velocities at step start."""
    wheel = wheels.each[i]
    if wheel.digs == 1:
        v_t, v_x = start[wheel.channel + at.SLIDING], start[wheel.channel + at.CENTRE]
        return digging_load(i, compression, v_t, v_x, wheels)
    return load_at(i, compression, wheels)


@kernel
def _unsoftened(i, start, wheels):
    """Stand-in for ``_soften_one`` in lanes, where no stress law runs: does nothing."""


@kernel
def _pressed_in_lanes(i, compression, start, wheels):
    """Stand-in for ``_pressed_one`` in lanes, where no normal force depends on the slip."""
    return load_at(i, compression, wheels)


soften_soil = either(_soften_one, _unsoftened)
pressed = either(_pressed_one, _pressed_in_lanes)
