"""Scalar kernels of lateral force over slip angle: exponentials, the magic formula, and tables."""

import math

from mlcp.compiled.branches import where
from mlcp.compiled.lazy import FLOAT, FLOATS, INT, lazy, several
from mlcp.jit import kernel
from mlcp.kernels.elementary import expm1

from .pacejka import side as magic_side
from .sampled import law as sampled
from .sand import relative_deflection

NONE, CROLLA, BRIXIUS_LATERAL, SAMPLED, PACEJKA = 0, 1, 2, 3, 4
PLOUGHING = -1  # lateral force from the stresses of the ground law, see ``slip_sinkage``
LATERAL_FLOATS = 8

# Columns of the parameter array. B_1: mobility number of Brixius, sqrt(delta/h) STRENGTH / F_n; c_i:
# cone index; b, d, h, delta: width, diameter, section height and deflection of the tyre.
FRICTION = 0  # largest force over load; Brixius: mu_max, or 0 for 0.61 + 0.69 / B_1 (bias-ply tyres)
RATE = 1  # Crolla: 1 over the crossover angle [1/rad]; Brixius: constant of the initial slope
RATE_STRENGTH = 2  # Brixius: factor of B_1 in the initial slope
STRENGTH = 3  # c_i b d / (1 + 0.5 b/d) [N]
SECTION_HEIGHT = 4
TYRE_STIFFNESS = 5
FIRST_DEFLECTION = 6
LOAD_FLOOR = 7

RIGHT = 2.0 / math.pi  # [1/rad]; in tables the slip angle over 90 degrees takes the place of the slip


@kernel
def lateral_numbers(kind, p, load):
    """Ratio and rate [1/rad] of the law ``F_y / F_n = ratio (1 - exp(-rate |alpha|))`` at a load [N]."""
    if kind == CROLLA:
        return p[FRICTION], p[RATE]
    load = max(load, p[LOAD_FLOOR])
    ratio = relative_deflection(p, load, SECTION_HEIGHT, TYRE_STIFFNESS, FIRST_DEFLECTION)
    number = max(1.0, p[STRENGTH] / load * math.sqrt(ratio))  # B_1
    largest = where(p[FRICTION] > 0.0, p[FRICTION], 0.61 + 0.69 / number)
    return largest, (p[RATE] + p[RATE_STRENGTH] * number) / largest


@lazy(several(FLOAT, 3)(INT, FLOATS, FLOAT, FLOAT), "mlcp", "contact")
def other_side(kind, p, angle, load):
    """Result of ``lateral_law`` for tables and the magic formula; compiled only in runs with these."""
    if kind == SAMPLED:
        ratio, slope, _, _, _, peak, _ = sampled(p, angle * RIGHT, load)
        return ratio, slope * RIGHT, peak
    return magic_side(p, angle, load)


@kernel
def lateral_law(kind, p, angle, load):
    """Lateral force over load at a slip angle [rad], with the angle's sign; its slope; its maximum."""
    if kind >= SAMPLED:
        return other_side(kind, p, angle, load)
    largest, rate = lateral_numbers(kind, p, load)
    risen = -expm1(-rate * abs(angle))  # 1 - exp, exact for small angles
    return math.copysign(largest * risen, angle), largest * rate * (1.0 - risen), largest
