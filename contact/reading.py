"""Forces, velocities, slip and sinkage of a wheel from a step's results, for records and pictures.

Compiled steps compute the same quantities with ``kernels.wheel.slip`` and ``kernels.ground.reading``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .kernels.wheel import layout as at
from .slip import V_0, slip_ratio
from .wheel import WheelContact

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """Forces of the ground on a wheel, means over a step, and its velocities at the end; arrays (n,).

    Attributes:
        load: F_n [N]. traction: F_t at the contact point, forward positive [N]. lateral: at the
            contact point, left positive [N]. resistance: at the wheel centre, forward positive [N].
        rolling: the ground's torque about the axle in excess of r F_t, over r [N].
        v_t, v_y: velocity of the contact point, forward and left [m/s]. v_x: velocity of the centre,
            forward [m/s].
        slip: slip ratio, eqs 5 and 6 of Peiret et al. [-].
        sinkage: compression less the tyre's deflection [m]; zero in the air and on hard ground.
    """

    load: Numbers
    traction: Numbers
    lateral: Numbers
    resistance: Numbers
    rolling: Numbers
    v_t: Numbers
    v_x: Numbers
    v_y: Numbers
    slip: Numbers
    sinkage: Numbers


def read(
    wheel: WheelContact | None,
    force: Numbers,
    velocity: Numbers,
    rolling: Numbers,
    gap: Numbers,
    lean: Numbers | float = 1.0,
) -> Reading:
    """Readings of a wheel from the results of the contact solve.

    Arguments:
        wheel: description of a wheel on soil; None: a wheel on hard ground.
        force, velocity: of the wheel's channels (``kernels.wheel.layout``), (n, 4) [N], [m/s]; velocity
            at the end of the step.
        rolling: torque of the ground about the axle in excess of r F_t, over the radius r: -T_rr / r in
            forward rolling, (n,) [N].
        gap: gap between the undeformed wheel and its ground at the end of the step, (n,) [m].
        lean: length of the normal vector, see ``kernels.ground.wheel_frame``.
    """
    normal, v_t, v_x = force[:, at.NORMAL], velocity[:, at.SLIDING], velocity[:, at.CENTRE]
    sinkage, v_0 = np.zeros_like(normal), V_0 if wheel is None else wheel.v_0
    if wheel is not None:
        depth = np.maximum(np.maximum(-gap, 0.0) - normal / wheel.tyre.stiffness, 0.0)
        sinkage = np.where(normal > 0.0, depth, 0.0)
    return Reading(
        load=normal * lean,
        traction=force[:, at.SLIDING] + rolling,
        lateral=force[:, at.LATERAL],
        resistance=force[:, at.CENTRE] - rolling,
        rolling=rolling,
        v_t=v_t,
        v_x=v_x,
        v_y=velocity[:, at.LATERAL],
        slip=np.asarray(slip_ratio(v_x, v_x - v_t, 1.0, v_0)),
        sinkage=sinkage,
    )
