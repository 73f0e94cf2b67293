"""Two stops of a coordinate."""

import math

from mlcp.compiled.branches import where
from mlcp.jit import kernel

from ...kernels.combination import bounded_row, combine


@kernel
def gap_bias(gap, h, recovery):
    """Bias [m/s, rad/s] of a unilateral row at the distance ``gap`` from a stop, in a step of length h.

    An open gap (> 0) may just close within the step; of a penetration (< 0) the step removes the
    fraction ``recovery``.
    """
    return where(gap > 0.0, gap / h, recovery * gap / h)


@kernel
def row(it, run):
    """Write the unilateral row at the nearer stop: impulse >= 0 at the lower, <= 0 at the upper stop."""
    h, recovery, p = run.clock.step, run.clock.recovery, it.p
    x, _ = combine(run, it, 1.0)
    low = x - p[0] <= p[1] - x
    bias = where(low, gap_bias(x - p[0], h, recovery), -gap_bias(p[1] - x, h, recovery))
    bounded_row(run, it, bias, where(low, 0.0, -math.inf), where(low, math.inf, 0.0))
