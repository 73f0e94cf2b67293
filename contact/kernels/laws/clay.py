"""Scalar kernel of the fine-grained soil law of the MAVS vehicle-terrain interface."""

import math

from mlcp.compiled.branches import where
from mlcp.jit import kernel
from mlcp.kernels.elementary import log, power

from .sand import relative_deflection

# Columns of the parameter array. CI: cone index; b, d, h, delta: width, diameter, section height and
# deflection of the tyre; s: driving slip; N_c, S_sp, R: see ``clay_numbers``; run-time variant: results
# of MAVS in a run, see ``contact.laws.clay``.
STRENGTH = 0  # CI b d / (1 + b/d)^0.75 [N]
SHAPE = 1  # (1 + b/d)^0.25
OFFSET = 2  # constant in the slip of the self-powered point: 0.005, or 0 in the run-time variant
RUN_TIME = 3  # 0: the gross thrust ratio is 0.5 log10(s/S_sp) SHAPE + R; 1 (run-time variant): without R
SECTION_HEIGHT = 4  # section height of the tyre [m]
TYRE_STIFFNESS = 5  # load over deflection of the tyre [N/m]
FIRST_DEFLECTION = 6  # deflection of the tyre at zero load [m]
LOAD_FLOOR = 7  # lower limit of the load as a divisor [N]
R_SCALE, R_POWER, R_LEAST = 8, 9, 10  # R = R_SCALE / N_c^R_POWER + R_LEAST

_LN10 = math.log(10.0)
_ROUND = 5e-3  # gross thrust ratio below which the corner of max(gross, 0) is rounded; less than any R
LEAST_HEIGHT = 0.5  # lower limit of 1 - delta/h, since N_c grows without limit towards delta = h
LARGEST_NUMBER = 300.0  # upper limit of N_c, above which the thrust would be largest at slips below 1e-3


@kernel
def clay_numbers(p, load):
    """Mobility number of clay N_c, slip S_sp at the self-powered point (net thrust zero), and motion
    resistance ratio R under ``load`` [N]."""
    load = max(load, p[LOAD_FLOOR])
    ratio = relative_deflection(p, load, SECTION_HEIGHT, TYRE_STIFFNESS, FIRST_DEFLECTION)
    less = max(1.0 - ratio, LEAST_HEIGHT)
    number = min(p[STRENGTH] / load / (less * math.sqrt(less)), LARGEST_NUMBER)
    powered = 21.0 / (number * number * math.sqrt(number)) + p[OFFSET]
    return number, powered, p[R_SCALE] / power(number, p[R_POWER]) + p[R_LEAST]


@kernel
def floored(gross):
    """``max(gross, 0)`` and its slope, rounded between -_ROUND and _ROUND.

    Without the rounding the tangent would be discontinuous, and the iterations of a step could cycle.
    """
    above, over, under = gross + _ROUND, gross >= _ROUND, gross <= -_ROUND
    value = where(over, gross, where(under, 0.0, above * above / (4.0 * _ROUND)))
    return value, where(over, 1.0, where(under, 0.0, above / (2.0 * _ROUND)))


@kernel
def law(p, slip, load):
    """Ratios of the law (``law.ground_law``). Driving: gross thrust at least 0 (with a rounded corner),
    net thrust in [-1, 1]; braking: minus the gross thrust. The run-time variant's net thrust below -R
    counts as resistance, so that mu and slip never have opposite signs."""
    _, powered, rolling = clay_numbers(p, load)
    resistance, run_time = min(rolling, 1.0), p[RUN_TIME] == 1.0
    added = where(run_time, 0.0, resistance)  # gross thrust less the logarithmic term
    top = 1.0 + resistance
    per_decade = 0.5 * p[SHAPE] / _LN10
    peak, _ = floored(-per_decade * log(powered) + added)
    peak = min(top, peak)
    slides = abs(slip) > 0.0
    s = where(slides, abs(slip), 1.0)
    gross = per_decade * log(s / powered) + added
    mu, share = floored(gross)
    # factor on the run-time variant's additional resistance: 0 at zero slip, 1 from a slip of 0.01 on
    faded = where(run_time & (slip > 0.0) & (mu > gross), min(s / 1e-2, 1.0), 0.0)
    dragged = resistance + faded * (min(rolling + mu - gross, 1.0) - resistance)
    below = gross < top
    resistance = where(slides & below, dragged, resistance)
    mu = where(slides, where(below, mu, top), 0.0)
    slope = where(slides & below, share * per_decade / s, 0.0)
    return math.copysign(mu, slip), slope, 0.0, resistance, 0.0, peak, 0.0
