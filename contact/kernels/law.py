"""From a law's number to its kernel: the one place where the compiled step chooses a ground law."""

from __future__ import annotations

from mlcp.jit import kernel

from .brixius import brixius

BRIXIUS = 0

#: Length of a law's parameter array.
LAW_FLOATS = 12


@kernel
def ground_law(law, p, slip, load):
    """``(mu, dmu/ds, jump, gamma, rho, peak)`` of law number ``law`` at driving slip and load [N].

    mu: smooth part of the thrust ratio; jump: its set-valued part at zero slip, >= 0;
    gamma: resistance ratio; rho: rolling-moment ratio T_rr / (F_n r); peak: largest smooth mu.
    """
    return brixius(p, slip, load)
