"""A piston with a speed set by its lever, between the ends of its stroke."""

from mlcp.jit import kernel

from ...kernels.combination import combine, signal
from ...kernels.tables import value_at


@kernel
def row(it, run):
    """Write the row "speed = table value at the lever", with a speed limited so that the piston stays in
    its stroke."""
    x, _ = combine(run, it, 1.0)
    h, p = run.clock.step, it.p
    speed, _ = value_at(run, it.table[0], min(max(signal(run, it), -1.0), 1.0))
    run.bias[it.row] = -min(max(speed, (p[0] - x) / h), (p[1] - x) / h)
