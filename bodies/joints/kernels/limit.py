"""Two stops of a coordinate."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from ...kernels.combination import bounded_row, combine


@kernel
def gap_bias(gap, h, recovery):
    """Bias of a unilateral row: an open gap may just close, a penetration recovers by a share."""
    return gap / h if gap > 0.0 else recovery * gap / h


@kernel
def row(it, run):
    """The nearer stop pushes: the lower one up, the upper one down."""
    h, recovery, p = run.clock.step, run.clock.recovery, it.p
    x, _ = combine(run, it, 1.0)
    if x - p[0] <= p[1] - x:
        bounded_row(run, it, gap_bias(x - p[0], h, recovery), 0.0, math.inf)
    else:
        bounded_row(run, it, -gap_bias(p[1] - x, h, recovery), -math.inf, 0.0)
