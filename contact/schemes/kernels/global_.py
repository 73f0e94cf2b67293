"""Secant damper through the origin; smooth, slowest to follow a change of slip."""

from mlcp.jit import kernel

from .line import LEAST_SPEED, Line

EQUATIONS = "25, 26"


@kernel
def line(at):
    """Damper ``c = |F| / |v_t|``, eq 26, of force and sliding velocity, with its limit at v_t = 0."""
    secant = abs(at.force / at.v_t) if abs(at.v_t) > LEAST_SPEED else at.tangent
    return Line(0.0, max(secant, 0.0), at.peak, 0.0)
