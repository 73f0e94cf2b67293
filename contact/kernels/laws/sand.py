"""Scalar kernel of the coarse-grained soil law of the MAVS vehicle-terrain interface."""

import math

from mlcp.compiled.branches import where
from mlcp.jit import kernel

# Columns of the parameter array. G, CI: cone-index gradient and cone index; b, d: width and diameter.
STRENGTH = 0  # G (b d)^1.5 [N]
RESISTING = 1  # CI (b d)^1.5 in psi and inches [lbf in], for ``sand_resistance``
SECTION_HEIGHT = 2  # section height of the tyre [m]
TYRE_STIFFNESS = 3  # load over deflection of the tyre [N/m]; inf: fixed deflection
FIRST_DEFLECTION = 4  # deflection of the tyre at zero load [m]
LOAD_FLOOR = 5  # lower limit of the load as a divisor [N]


@kernel
def relative_deflection(p, load, height, stiffness, first):
    """delta / h of the tyre under ``load`` [N], at most 1; height, stiffness, first: columns of p."""
    return min((p[first] + load / p[stiffness]) / p[height], 1.0)


@kernel
def sand_resistance(strength, load, deflection):
    """Motion resistance ratio on sand.

    Arguments: strength: column RESISTING [lbf in]; load [N]; deflection: delta / h of the tyre [-].
    """
    numeric = strength / (load / 4.4482216152605)  # the load in pounds-force
    x_m = 0.44 - 0.002287 * numeric
    rest = 0.0000457 * numeric + 0.08
    root = math.sqrt(x_m * x_m + rest)
    # For x_m < 0 the sum loses digits by cancellation; its conjugate form does not.
    rises = x_m >= 0.0
    plain = where(rises, x_m + root, rest / where(rises, 1.0, root - x_m))
    return plain + 0.05 * deflection


@kernel
def law(p, slip, load):
    """Ratios of the law (``law.ground_law``): ``mu = X a s / ((a + 4.71) s + 1.72)``, X = 0.66,
    a = N_s + 10, N_s the sand numeric. The published form X - X Y / (a + Y), Y = 4.71 + 1.72 / s, has a
    pole at s = 0."""
    load = max(load, p[LOAD_FLOOR])
    ratio = relative_deflection(p, load, SECTION_HEIGHT, TYRE_STIFFNESS, FIRST_DEFLECTION)
    a = p[STRENGTH] * ratio / load + 10.0
    s = abs(slip)
    below = (a + 4.71) * s + 1.72
    mu = 0.66 * a * s / below
    slope = 0.66 * a * 1.72 / (below * below)
    peak = 0.66 * a / (a + 6.43)
    gamma = sand_resistance(p[RESISTING], load, ratio)
    return math.copysign(mu, slip), slope, 0.0, gamma, 0.0, peak, 0.0
