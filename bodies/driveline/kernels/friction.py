"""Dry friction of a brake or clutch."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.combination import bounded_row, combine, share


@kernel
def row(it, run):
    """Row of zero relative speed while ``|p| <= h capacity signal``; beyond, it slips."""
    combine(run, it, 1.0)
    bound = run.clock.step * it.p[0] * share(run, it)
    bounded_row(run, it, 0.0, -bound, bound)
