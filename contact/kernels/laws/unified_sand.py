"""Scalar kernel of the unified sand law: one logistic curve over braked, towed and powered wheels."""

import math

from mlcp.jit import kernel
from mlcp.kernels.elementary import exp, power

from .sand import relative_deflection, sand_resistance

# Columns of the parameter array. CI: cone index; b, d, h: width, diameter, section height of the tyre.
RESISTING = 0  # CI (b d)^1.5 in psi and inches [lbf in], for ``sand.sand_resistance``
CONE_INDEX = 1  # cone index [Pa]
WIDTH = 2  # 2 b (b/h)^0.52, width of the contact area in the contact pressure [m]
DIAMETER = 3  # diameter of the tyre [m]
SECTION_HEIGHT = 4  # section height of the tyre [m]
TYRE_STIFFNESS = 5  # load over deflection of the tyre [N/m]
FIRST_DEFLECTION = 6  # deflection of the tyre at zero load [m]
LOAD_FLOOR = 7  # lower limit of the load as a divisor [N]

LEAST = -0.5  # asymptote of the thrust ratio at braking
RATE = 7.0  # factor on the slip in the logistic curve's exponential
SMALLEST = 0.05  # lower limit of the contact pressure over the cone index, as used in the curve


@kernel
def pressure_ratio(p, load):
    """Contact pressure over cone index under ``load`` [N], without the limit SMALLEST."""
    ratio = relative_deflection(p, load, SECTION_HEIGHT, TYRE_STIFFNESS, FIRST_DEFLECTION)
    sunk = ratio * p[SECTION_HEIGHT] + 0.026 * p[DIAMETER]
    return load / (p[WIDTH] * math.sqrt(sunk * (p[DIAMETER] - sunk)) * p[CONE_INDEX])


@kernel
def logistic(slip, above, a, per_c):
    """Logistic curve ``above / (1 + a exp(-RATE s))^per_c`` over the slip s, and its slope."""
    fall = a * exp(-RATE * slip)
    value = above * power(1.0 + fall, -per_c)
    return value, value * per_c * RATE * fall / (1.0 + fall)


@kernel
def law(p, slip, load):
    """Ratios of the law (``law.ground_law``)."""
    load = max(load, p[LOAD_FLOOR])
    per_ratio = 1.0 / max(pressure_ratio(p, load), SMALLEST)
    above = 0.42 + 0.009 * per_ratio - LEAST
    a, per_c = 0.76 + 0.014 * per_ratio, 1.0 / (1.56 - 0.022 * per_ratio)
    value, slope = logistic(slip, above, a, per_c)
    middle, _ = logistic(0.0, above, a, per_c)
    most, _ = logistic(1.0, above, a, per_c)
    least, _ = logistic(-1.0, above, a, per_c)
    deflection = relative_deflection(p, load, SECTION_HEIGHT, TYRE_STIFFNESS, FIRST_DEFLECTION)
    gamma = sand_resistance(p[RESISTING], load, deflection)
    peak = max(most - middle, middle - least)
    return value - middle, slope, 0.0, gamma, 0.0, peak, LEAST + middle
