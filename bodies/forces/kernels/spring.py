"""A spring-damper on joint coordinates: linear stiffness and damping plus tables."""

from mlcp.compiled.branches import where
from mlcp.jit import kernel

from ...kernels.combination import combine, force_row
from ...kernels.tables import value_at


@kernel
def row(it, run):
    """Write the row of the force f(x, v) of a coordinate x and its rate v, linearised by its stiffness k
    and damping c at the step's start."""
    x, v = combine(run, it, 1.0)
    p, table = it.p, it.table
    k, c = p[0], p[1]
    s = x - p[2]
    f = k * s + c * v
    if table[0] >= 0:
        y, slope = value_at(run, table[0], s)
        f += y
        k += slope
    if table[1] >= 0:
        y, slope = value_at(run, table[1], v)
        f += y
        c += slope
    theta = p[3]
    # centred force in the step: f + (theta h k + c/2) (v+ - v); theta: weight of the scheme, h: step
    # length, v+: rate at its end
    about = theta > 0.0
    c = where(about, theta * run.clock.step * max(k, 0.0) + 0.5 * c, c)
    force_row(run, it, f, where(about, 0.0, k), c, v)
