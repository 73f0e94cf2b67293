"""Scalar kernel of the fine-grained soil law of the MAVS vehicle-terrain interface."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from .sand import relative_deflection

# Columns of the parameter array.
STRENGTH = 0  # CI b d / (1 + b/d)^0.75 [N]
SHAPE = 1  # (1 + b/d)^0.25
OFFSET = 2  # 0.005 in the calibrated self-powered slip, 0 in the run-time variant
RUN_TIME = 3  # 1: net = 0.5 log10(s/S_sp) shape - R instead of without - R
SECTION_HEIGHT = 4  # [m]
TYRE_STIFFNESS = 5  # [N/m]
FIXED_DEFLECTION = 6  # [m], negative: from the stiffness
LOAD_FLOOR = 7  # [N]
R_SCALE, R_POWER, R_LEAST = 8, 9, 10  # R = R_SCALE / N_c^R_POWER + R_LEAST

_LN10 = math.log(10.0)
_ROUND = 5e-3  # gross thrust ratio below which its floor at 0 is rounded; less than any R
_FADE = 1e-2  # slip below which the run-time variant's extra resistance fades out
_FLAT = 1e-3  # 1 - delta/h never below this


@kernel
def clay_numbers(p, load):
    """``(N_c, S_sp, R)`` under ``load`` [N]."""
    load = max(load, p[LOAD_FLOOR])
    ratio = relative_deflection(p, load, SECTION_HEIGHT, TYRE_STIFFNESS, FIXED_DEFLECTION)
    number = p[STRENGTH] / load / max(1.0 - ratio, _FLAT) ** 1.5
    return number, 21.0 / number**2.5 + p[OFFSET], p[R_SCALE] / number ** p[R_POWER] + p[R_LEAST]


@kernel
def floored(gross):
    """``max(gross, 0)``, and its slope, rounded between -_ROUND and _ROUND.

    A tangent that jumps with slip and load has no agreement: a step's passes would run in circles.
    """
    if gross >= _ROUND:
        return gross, 1.0
    if gross <= -_ROUND:
        return 0.0, 0.0
    above = gross + _ROUND
    return above * above / (4.0 * _ROUND), above / (2.0 * _ROUND)


@kernel
def law(p, slip, load):
    """``(mu, dmu/ds, jump, gamma, rho, peak, push)`` at driving slip s and load [N].

    Gross thrust floored at 0 (rounded there) and net thrust kept in [-1, 1]; what of the run-time
    variant's net thrust is below -R stands in the resistance, so that mu never pushes against the slip.
    """
    _, powered, rolling = clay_numbers(p, load)
    resistance = min(rolling, 1.0)
    added = 0.0 if p[RUN_TIME] == 1.0 else resistance  # what the gross thrust has beyond the log
    top = 1.0 + resistance
    half = 0.5 * p[SHAPE]
    peak, _ = floored(half * math.log10(1.0 / powered) + added)
    peak = min(top, peak)
    s = abs(slip)
    if s <= 0.0:
        return 0.0, 0.0, 0.0, resistance, 0.0, peak, 0.0
    gross = half * math.log10(s / powered) + added
    if gross >= top:
        return math.copysign(top, slip), 0.0, 0.0, resistance, 0.0, peak, 0.0
    mu, share = floored(gross)
    if p[RUN_TIME] == 1.0 and slip > 0.0 and mu > gross:
        faded = min(s / _FADE, 1.0)  # continuous at zero slip
        resistance += faded * (min(rolling + mu - gross, 1.0) - resistance)
    return math.copysign(mu, slip), share * half / (_LN10 * s), 0.0, resistance, 0.0, peak, 0.0
