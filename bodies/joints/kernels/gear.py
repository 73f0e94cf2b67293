"""A combination of coordinates that keeps its value."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.combination import combine, deviation


@kernel
def row(it, run):
    """Its rate is zero."""
    combine(run, it, 1.0)


@kernel
def error(it, run):
    """Its deviation [rad, m]."""
    run.error[it.row] = deviation(run, it)
