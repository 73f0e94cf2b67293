"""Tangent at the start of the step with the present force as bound: chatters at any step length."""

from mlcp.jit import kernel

from .line import Line

EQUATIONS = "29 as printed"


@kernel
def line(at):
    """Line of eq 27 with bounds +- the present force, even if the line pushes the contact through zero
    sliding."""
    damping = max(at.tangent, 0.0)
    return Line(at.force + damping * at.v_t, damping, abs(at.force), 0.0)
