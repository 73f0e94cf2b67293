"""Flow through an orifice over its pressure drop, with a finite slope at zero drop."""

import math

from mlcp.jit import kernel


@kernel
def orifice(drop, fluid):
    """Factor ``g = dP/(dP^2 + p_t^2)^(1/4)`` [Pa^0.5] of the flow, and its derivative by the drop dP.

    p_t: drop of the transition to laminar flow, ``fluid.transition``. With ``fluid.linear``: g linear
    below p_t, ``sqrt(dP)`` above.
    """
    t = fluid.transition
    if fluid.linear == 0:
        square = drop * drop + t * t
        root = math.sqrt(square)
        g = drop / math.sqrt(root)
        return g, (1.0 - 0.5 * drop * drop / square) / math.sqrt(root)
    if abs(drop) < t:
        return drop / math.sqrt(t), 1.0 / math.sqrt(t)
    root = math.sqrt(abs(drop))
    return math.copysign(root, drop), 0.5 / root
