"""Sizes (largest biases, see ``residual``) of structured rows R (``BodyRows``) of unit diagonal."""

import math

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels import one_row
from mlcp.kernels.structured.blocks import B


@kernel
def block_length(Y, x):
    """Euclidean length of the six numbers of a row for one body."""
    total = 0.0
    for c in range(x * B, x * B + B):
        total += Y[np.uint64(c)] * Y[np.uint64(c)]
    return math.sqrt(total)


@kernel
def raise_reach(R, i, size, effective, reach):
    """Update the maxima ``reach`` of each body k of row i: of |Y_ik| |z_i|, and of the sizes of rows."""
    bodies = reach.shape[0] // 2
    for x in range(R.start[i], R.start[i + 1]):
        k = R.block[x]
        given = block_length(R.Y, x) * effective[i]
        if given > 0.0:
            reach[k] = max(reach[k], given)
            reach[bodies + k] = max(reach[bodies + k], size[i])


@kernel
def effective_unit_z(R, i, z, w, size):
    """Magnitude of z_i in the sizes of other rows: of the bound for a row at rest, else |z_i|, at least
    its round-off."""
    rests = one_row.at_rest(z[i], w[i], R.lower[i], R.upper[i])
    counted = one_row.bound_pushed_to(w[i], R.lower[i], R.upper[i]) if rests else z[i]
    return one_row.effective_z(counted, rests, size[i], 1.0)


@kernel
def size_unit_rows(R, z, w, size, effective, reach):
    """Set ``size`` to the rows' sizes at impulses z and velocities w; effective (n,) and reach (2 nb,)
    are work arrays.

    Body k raises the size of row i to ``min(|Y_ik| reach[k], reach[nb + k])``: Y_ik is the block of row
    i and body k, reach[k] the largest |Y_jk| |z_j| over the body's rows j, and reach[nb + k] their
    largest size.
    """
    bodies = reach.shape[0] // 2
    for k in range(2 * bodies):
        reach[k] = 0.0
    for i in range(R.n):
        size[i] = one_row.own_size(R.b[i], R.lower[i], R.upper[i], 1.0)
        effective[i] = effective_unit_z(R, i, z, w, size)
        raise_reach(R, i, size, effective, reach)
    grown = True
    for sweep in range(R.n):
        if not grown:
            break
        grown = False
        for m in range(R.n):
            i = m if sweep % 2 == 0 else R.n - 1 - m
            best = size[i]
            for x in range(R.start[i], R.start[i + 1]):
                k = R.block[x]
                if reach[bodies + k] > best and reach[k] > best:
                    best = max(best, min(block_length(R.Y, x) * reach[k], reach[bodies + k]))
            if best > one_row.LEAST_GROWTH * size[i]:
                grown = True
                size[i] = best
                effective[i] = effective_unit_z(R, i, z, w, size)
                raise_reach(R, i, size, effective, reach)
    for i in range(R.n):
        if size[i] == 0.0:
            size[i] = one_row.size_without_bias(one_row.row_gap(z[i], w[i], R.lower[i], R.upper[i]), 1.0)
