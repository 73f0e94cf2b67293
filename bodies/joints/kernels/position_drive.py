"""A position drive: a coordinate that follows a signal."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.combination import combine, deviation, signal


@kernel
def row(it, run):
    """Coordinate at the end of the step equal to its start plus the signal."""
    x, _ = combine(run, it, 1.0)
    run.bias[it.row] = (x - it.start - signal(run, it)) / run.clock.step


@kernel
def error(it, run):
    """Coordinate less start and signal [rad or m]."""
    run.error[it.row] = deviation(run, it) - signal(run, it)
