"""A coordinate that follows a signal."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.combination import combine, deviation, signal


@kernel
def row(it, run):
    """Within the step the coordinate goes to its start plus the signal."""
    x, _ = combine(run, it, 1.0)
    run.bias[it.row] = (x - it.start - signal(run, it)) / run.clock.step


@kernel
def error(it, run):
    """Its distance from there [rad, m]."""
    run.error[it.row] = deviation(run, it) - signal(run, it)
