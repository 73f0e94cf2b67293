"""Normal force of one wheel on the soils below it, with sinkage by slip and slip angle."""

from mlcp.compiled.branches import every
from mlcp.compiled.lazy import FLOAT, INT, bundle, lazy
from mlcp.jit import kernel

from ..laws.slip_sinkage import digging_force, soften_by_angle
from .data import Wheels
from .normal import compression_force
from .slip import slip_state


@kernel
def load_at(i, compression, wheels):
    """Normal force [N] of wheel i on its soils at a compression of tyre and soil [m]."""
    force = 0.0
    for k in range(wheels.weight.shape[1]):
        weight = wheels.weight[i, k]
        if every(weight == 0.0):
            break
        row = wheels.variant[i, k]
        force += weight * compression_force(wheels.normal[row], wheels.deepest[row], compression)
    return force


@lazy(FLOAT(INT, FLOAT, FLOAT, FLOAT, bundle(Wheels)), "mlcp", "contact")
def digging_load(i, compression, v_t, v_x, wheels):
    """Normal force [N] of a wheel with slip sinkage, at a compression [m] and velocities [m/s]; compiled
    only in runs of such wheels.

    If rim and centre move in opposite directions, it is the weighted mean of the forces on the wheel
    driving in one direction and braking in the other, as in ``law_at``."""
    wheel, now = wheels.each[i], wheels.now[i]
    slip, direction, _ = slip_state(v_t, v_x, wheel.v_0)
    total = 0.0
    for k in range(wheels.weight.shape[1]):
        weight = wheels.weight[i, k]
        if weight == 0.0:
            break
        p = wheels.law[wheels.variant[i, k]]
        for sign in (1.0, -1.0):
            share = 0.5 * (1.0 + sign * direction)
            if share > 0.0:
                force, now.entry = digging_force(
                    p, wheel.tyre_stiffness, sign * slip, compression, now.entry
                )
                total += weight * share * force
    return total


@kernel
def soften_wheel(i, v_x, v_y, wheels):
    """Soften the soils of wheel i by its slip angle; velocities at the start of the step [m/s]."""
    for k in range(wheels.weight.shape[1]):
        if wheels.weight[i, k] == 0.0:
            break
        soften_by_angle(wheels.law[wheels.variant[i, k]], v_x, v_y, wheels.each[i].v_0)
