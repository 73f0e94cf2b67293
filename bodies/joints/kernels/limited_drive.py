"""A speed drive with limited effort."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.combination import bounded_row, combine, signal


@kernel
def row(it, run):
    """Rate equal to the signal while ``|p| < h max_effort``."""
    combine(run, it, 1.0)
    bound = run.clock.step * it.p[0]
    bounded_row(run, it, -signal(run, it), -bound, bound)
