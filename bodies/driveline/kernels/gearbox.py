"""A gear pair with a ratio selected by a signal."""

import math

from mlcp.compiled.branches import every, some, where
from mlcp.jit import kernel

from ...kernels.combination import combine, signal
from ...kernels.tables import value_at


@kernel
def gear_ratio(run, it):
    """Ratio of the engaged gear [-]; 0 in neutral."""
    g = math.floor(signal(run, it) + 0.5)
    g = min(max(g, -1.0), it.p[0])
    return value_at(run, it.table[0], g)[0]


@kernel
def row(it, run):
    """Write the row ``v_in - ratio v_out = 0``; in neutral a row of zeros with the compliance 1, whose
    impulse is 0. v_in, v_out: speeds of the input and the output shaft."""
    ratio = gear_ratio(run, it)
    engaged = ratio != 0.0
    run.compliance[it.row] = where(engaged, 0.0, 1.0)
    if some(engaged):
        combine(run, it, ratio)
    if not every(engaged):
        J = run.jacobian
        for k in range(it.jac, it.jac + it.jac_size):
            J[k] = where(engaged, J[k], 0.0)
