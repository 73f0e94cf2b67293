"""Parts of a wheel's rows that are not computed in lanes: stress laws, LuGre's bristles, relaxing
carcasses.

Lanes are several vehicles side by side in one SIMD register. Each part is a kernel for a single vehicle
with a stand-in for lanes; the contacts of vehicles that need such a part are not solved in lanes.
"""

from mlcp.compiled.branches import as_many
from mlcp.jit import either, kernel

from ...schemes.kernels.line import Line
from ..wheel import layout as at
from ..wheel.bristles import begin_bristles, bristle_side, bristle_thrust
from ..wheel.relaxation import begin_relaxing
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


@kernel
def _begin_bristles_one(i, load, wheels):
    """Begin a step for the LuGre bristles of wheel i, if the wheel has any."""
    if wheels.each[i].scheme == at.LUGRE:
        begin_bristles(i, load, wheels)


@kernel
def _no_bristles(i, load, wheels):
    """Stand-in for ``begin_bristles`` in lanes, where LuGre does not run: does nothing."""


@kernel
def _no_bristle_line(i, h, wheels):
    """Stand-in for ``bristle_thrust`` and ``bristle_side`` in lanes: a line without force."""
    nothing = as_many(0.0, wheels.now[i].load)
    return Line(nothing, nothing, nothing, nothing)


@kernel
def _no_relaxation(i, h, wheels):
    """Stand-in for ``begin_relaxing`` in lanes, where no carcass relaxes: does nothing."""


soften_soil = either(_soften_one, _unsoftened)
pressed = either(_pressed_one, _pressed_in_lanes)
begin_own_bristles = either(_begin_bristles_one, _no_bristles)
thrust_of_bristles = either(bristle_thrust, _no_bristle_line)
begin_carcass = either(begin_relaxing, _no_relaxation)
side_of_bristles = either(bristle_side, _no_bristle_line)
