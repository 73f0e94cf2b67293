"""A constant linear combination of coordinates."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.combination import combine, deviation


@kernel
def row(it, run):
    """Zero rate of the combination."""
    combine(run, it, 1.0)


@kernel
def error(it, run):
    """Deviation of the combination from its start [rad or m]."""
    run.error[it.row] = deviation(run, it)
