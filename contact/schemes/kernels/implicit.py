"""Tangent at the end of the step, iterated until it meets the law: stable in long steps, no creep."""

from mlcp.jit import kernel

from .line import tangent_line

EQUATIONS = "ours"
STATIC_FRICTION = True
REPEATS = True


@kernel
def line(at):
    """Tangent with the exact slope. Bound: the peak, or the present force if that is larger, since a
    peak interpolated over the load may be too small."""
    return tangent_line(at, at.exact, max(at.peak, abs(at.force)))
