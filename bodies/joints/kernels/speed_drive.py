"""A speed drive of unlimited effort."""

from mlcp.jit import kernel

from ...kernels.combination import combine, signal


@kernel
def row(it, run):
    """Write the constraint row "rate of the coordinate = signal"."""
    combine(run, it, 1.0)
    run.bias[it.row] = -signal(run, it)
