"""The dense matrix of the rows, from the host's own inertia on the channels."""

from __future__ import annotations

from mlcp.jit import kernel
from mlcp.kernels.channel_rows import own_inertia


@kernel
def own_row(i, B, rows):
    """The diagonal of A in row i, at the compliance with which it is laid."""
    rows.A[i, i] = own_inertia(B, rows.channel[i], rows.minus[i]) + rows.e[i]


@kernel
def assemble(B, rows):
    """The rest of the dense matrix A; the same in all passes of a step."""
    for i in range(rows.channel.shape[0]):
        channel, minus = rows.channel[i], rows.minus[i]
        for j in range(rows.channel.shape[0]):
            if j == i:
                continue
            other, taken = rows.channel[j], rows.minus[j]
            value = B[channel, other]
            if minus >= 0:
                value -= B[minus, other]
            if taken >= 0:
                value -= B[channel, taken]
                if minus >= 0:
                    value += B[minus, taken]
            rows.A[i, j] = value
