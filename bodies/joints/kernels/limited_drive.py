"""A speed drive with limited effort."""

from mlcp.jit import kernel

from ...kernels.combination import bounded_row, combine, signal


@kernel
def row(it, run):
    """Write the row "rate = signal" with the bounds ``|p| <= h max_effort`` of its impulse p.

    h: step length; max_effort: largest torque [N m] or force [N].
    """
    combine(run, it, 1.0)
    bound = run.clock.step * it.p[0]
    bounded_row(run, it, -signal(run, it), -bound, bound)
