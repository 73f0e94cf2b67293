"""Tangent at the start of the step, bounds at the peak; smooth, creeps at rest."""

from __future__ import annotations

from mlcp.jit import kernel

from .line import tangent_line

EQUATIONS = "27-30"


@kernel
def line(at):
    """Tangent ``F - c_t (v_t+ - v_t)``, eq 27."""
    return tangent_line(at, at.tangent, at.peak)
