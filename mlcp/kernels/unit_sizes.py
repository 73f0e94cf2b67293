"""The sizes by which structured rows are judged (``residual``), in rows of unit diagonal."""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.blocks import B
from mlcp.kernels.residual import GROWS, at_rest, handed_on, own_size


@kernel
def block_length(Y, x):
    """Length of the six numbers of a row on one body."""
    total = 0.0
    for c in range(x * B, x * B + B):
        total += Y[np.uint64(c)] * Y[np.uint64(c)]
    return math.sqrt(total)


@kernel
def size_unit_rows(R, z, w, size, hand, reach):
    """size <- the rows' sizes at z, w; hand (n,): scratch; reach (nb,): the largest each body hands on.

    Row j hands |Y_jk| |z_j| to body k, at most its own size, and row i takes |Y_ik| of that.
    """
    for i in range(R.n):
        size[i] = own_size(R.b[i], R.lower[i], R.upper[i], 1.0)
        rests = at_rest(z[i], w[i], R.lower[i], R.upper[i])
        hand[i] = handed_on(z[i], rests, size[i], 1.0)
    grown = True
    for sweep in range(R.n):
        if not grown:
            break
        grown = False
        for k in range(reach.shape[0]):
            reach[k] = 0.0
        for i in range(R.n):
            for x in range(R.start[i], R.start[i + 1]):
                k = R.block[x]
                if size[i] > reach[k]:
                    reach[k] = max(reach[k], min(block_length(R.Y, x) * hand[i], size[i]))
        for m in range(R.n):
            i = m if sweep % 2 == 0 else R.n - 1 - m
            best = size[i]
            for x in range(R.start[i], R.start[i + 1]):
                if reach[R.block[x]] > best:
                    best = max(best, block_length(R.Y, x) * reach[R.block[x]])
            if best > GROWS * size[i]:
                grown = True
                size[i] = best
                rests = at_rest(z[i], w[i], R.lower[i], R.upper[i])
                hand[i] = handed_on(z[i], rests, best, 1.0)
                for x in range(R.start[i], R.start[i + 1]):  # the next rows take of it at once
                    k = R.block[x]
                    if best > reach[k]:
                        reach[k] = max(reach[k], min(block_length(R.Y, x) * hand[i], best))
    largest = 0.0
    for i in range(R.n):
        if not at_rest(z[i], w[i], R.lower[i], R.upper[i]):
            largest = max(largest, size[i])
    for i in range(R.n):
        if size[i] == 0.0:
            size[i] = largest if largest > 0.0 else 1.0
