"""Friction between the outputs of a differential, in proportion to its torque."""

from mlcp.jit import kernel

from ...kernels.combination import bounded_row, combine


@kernel
def row(it, run):
    """Write the constraint row "relative speed = 0" with the bounds ``|p| <= h preload + S p_out``.

    p: impulse; h: step length; S: locking value; p_out: impulse on one output of the differential in the
    last step.
    """
    combine(run, it, 1.0)
    other = run.couplings[it.other]
    output = abs(other.coefficient[1] * run.impulse[other.row])
    bound = run.clock.step * it.p[1] + it.p[0] * output
    bounded_row(run, it, 0.0, -bound, bound)
