"""Friction between the outputs of a differential, by the torque that it carries."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.combination import bounded_row, combine


@kernel
def row(it, run):
    """It holds while ``|p| <= h preload + S`` times the impulse of one output in the last step."""
    combine(run, it, 1.0)
    other = run.couplings[it.other]
    output = abs(other.coefficient[1] * run.impulse[other.row])
    bound = run.clock.step * it.p[1] + it.p[0] * output
    bounded_row(run, it, 0.0, -bound, bound)
