"""Row that keeps a linear combination of joint coordinates constant, as of a gear pair."""

from mlcp.jit import kernel

from ...kernels.combination import combine, deviation


@kernel
def row(it, run):
    """Write the row "rate of the linear combination of coordinates = 0"."""
    combine(run, it, 1.0)


@kernel
def error(it, run):
    """Write the error [rad or m]: combination of coordinates less its value in the described pose."""
    run.error[it.row] = deviation(run, it)
