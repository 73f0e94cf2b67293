"""A position drive: a coordinate that follows a signal."""

from mlcp.jit import kernel

from ...kernels.combination import combine, deviation, signal


@kernel
def row(it, run):
    """Write the row "coordinate at the end of the step = its value in the described pose + signal"."""
    x, _ = combine(run, it, 1.0)
    run.bias[it.row] = (x - it.start - signal(run, it)) / run.clock.step


@kernel
def error(it, run):
    """Write the error [rad or m]: coordinate less the sum of its value in the described pose and the
    signal."""
    run.error[it.row] = deviation(run, it) - signal(run, it)
