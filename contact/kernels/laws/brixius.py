"""Scalar kernel of the cone-index law of Brixius (equation numbers of Peiret et al., 18-20)."""

import math

from mlcp.compiled.branches import where
from mlcp.jit import kernel
from mlcp.kernels.elementary import expm1

# Columns of the parameter array. c_i: cone index; D, b: diameter and width of the tyre.
AMPLITUDE = 0  # coefficient A of eq 19
RATE = 1  # coefficient B of eq 19
SLIP_RATE = 2  # coefficient S of eq 19
COMPACTION = 3  # coefficient M of eq 20
ROLLING_LOSS = 4  # coefficient R_0 of eqs 19 and 20
STRENGTH = 5  # c_i D b / (1 + 3 b / D) [N]
SECTION_HEIGHT = 6  # section height H of the tyre [m]
TYRE_STIFFNESS = 7  # load over deflection of the tyre [N/m]
FIRST_DEFLECTION = 8  # deflection of the tyre at zero load [m]
LOAD_FLOOR = 9  # lower limit of F_n as a divisor [N]
FULL_SLIP = 10  # 1 - exp(-S), factor 1 - exp(-S s) of eq 19 at slip s = 1


@kernel
def mobility_number(p, load):
    """Mobility number b_m, eq 18, under ``load`` [N]."""
    load = max(load, p[LOAD_FLOOR])
    height = p[SECTION_HEIGHT]
    deflection = min(p[FIRST_DEFLECTION] + load / p[TYRE_STIFFNESS], height)
    return p[STRENGTH] / load * (1.0 + 5.0 * deflection / height)


@kernel
def law(p, slip, load):
    """Ratios of the law (``law.ground_law``); mu: smooth part of eq 19; coulomb: constant R_0 of eq 19;
    gamma: eq 20; peak: mu at s = 1."""
    b_m = mobility_number(p, load)
    size = -p[AMPLITUDE] * expm1(-p[RATE] * b_m)
    risen = -expm1(-p[SLIP_RATE] * abs(slip))  # 1 - exp, exact for small slip
    mu = size * risen
    mu = where(slip < 0.0, -mu, mu)
    slope = size * p[SLIP_RATE] * (1.0 - risen)
    gamma = p[COMPACTION] / b_m + 0.5 * abs(slip) / math.sqrt(b_m) + p[ROLLING_LOSS]
    peak = size * p[FULL_SLIP]
    return mu, slope, p[ROLLING_LOSS], gamma, 0.0, peak, 0.0
