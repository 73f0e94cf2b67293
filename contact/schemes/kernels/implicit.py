"""Tangent at the end of the step, iterated to the law; largest steps, sticks at rest."""

from mlcp.jit import kernel

from .line import tangent_line

EQUATIONS = "ours"
STATIC_FRICTION = True
REPEATS = True


@kernel
def line(at):
    """Tangent with its exact slope; its bound is the peak, but at least the present force: a peak
    interpolated over the load may be smaller.
    """
    return tangent_line(at, at.exact, max(at.peak, abs(at.force)))
