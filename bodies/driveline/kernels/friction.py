"""Dry friction of a brake or clutch."""

from mlcp.jit import kernel

from ...kernels.combination import bounded_row, combine, input_fraction


@kernel
def row(it, run):
    """Write the row "relative speed = 0" with the bounds ``|p| <= h capacity signal`` of its impulse p.

    h: step length; capacity: largest torque [N m]; signal: 0 to 1.
    """
    combine(run, it, 1.0)
    bound = run.clock.step * it.p[0] * input_fraction(run, it)
    bounded_row(run, it, 0.0, -bound, bound)
