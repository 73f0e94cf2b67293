"""From a law's number to its kernel: the one place where the compiled step chooses a ground law."""

from __future__ import annotations

from mlcp.jit import kernel

from .brixius import brixius
from .clay import clay
from .curve import curve
from .magic_formula import magic_formula
from .sampled import sampled
from .sand import sand
from .unified_sand import unified_sand
from .wong_reece_law import wong_reece_law

BRIXIUS, MAGIC_FORMULA, SAND, CLAY, WONG_REECE, CURVE, SAMPLED, UNIFIED_SAND = range(8)

#: Length of the parameter array of the laws that need no table.
LAW_FLOATS = 12


@kernel
def ground_law(law, p, slip, load):
    """``(mu, dmu/ds, jump, gamma, rho, peak, push)`` of a law at driving slip and load [N].

    mu: part of the thrust ratio that vanishes at zero slip; jump: its set-valued part there, >= 0;
    gamma: resistance ratio; rho: rolling-moment ratio T_rr / (F_n r); peak: largest mu over the
    slips; push: thrust ratio at zero slip, which acts with the rolling direction like rho.
    """
    if law == MAGIC_FORMULA:
        return magic_formula(p, slip, load)
    if law == SAND:
        return sand(p, slip, load)
    if law == CLAY:
        return clay(p, slip, load)
    if law == WONG_REECE:
        return wong_reece_law(p, slip, load)
    if law == CURVE:
        return curve(p, slip, load)
    if law == SAMPLED:
        return sampled(p, slip, load)
    if law == UNIFIED_SAND:
        return unified_sand(p, slip, load)
    return brixius(p, slip, load)
