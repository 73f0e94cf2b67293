"""Damper with the secant's slope |F| / |v_t|: smooth, but creeps at rest and lags behind the slip."""

from mlcp.jit import kernel

from .line import LEAST_SPEED, Line

EQUATIONS = "25, 26"


@kernel
def line(at):
    """Line through the origin with the damping ``c = |F| / |v_t|``, eq 26; F: present force, v_t:
    sliding velocity; at v_t = 0 the limit of c, the tangent's damping."""
    secant = abs(at.force / at.v_t) if abs(at.v_t) > LEAST_SPEED else at.tangent
    return Line(0.0, max(secant, 0.0), at.peak, 0.0)
