"""A position drive: a coordinate that follows a signal."""

from mlcp.jit import kernel

from ...kernels.combination import combine, deviation, signal


@kernel
def row(it, run):
    """Write the row: at the end of the step the coordinate is its value in the description plus the
    signal.
    """
    x, _ = combine(run, it, 1.0)
    run.bias[it.row] = (x - it.start - signal(run, it)) / run.clock.step


@kernel
def error(it, run):
    """Write the error: coordinate less its value in the description and the signal [rad or m]."""
    run.error[it.row] = deviation(run, it) - signal(run, it)
