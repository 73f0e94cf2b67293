"""The dense matrix of the rows, from the host's own inertia on the channels."""

from __future__ import annotations

from mlcp.jit import kernel
from mlcp.kernels.channel_rows import coupling, own_inertia


@kernel
def own_row(i, B, rows):
    """The diagonal of A in row i, at the compliance with which it is laid."""
    rows.A[i, i] = own_inertia(B, rows.channel[i], rows.minus[i]) + rows.e[i]


@kernel
def assemble(B, rows):
    """The rest of the dense matrix A; the same in all passes of a step."""
    for i in range(rows.channel.shape[0]):
        for j in range(rows.channel.shape[0]):
            if j != i:
                rows.A[i, j] = coupling(i, j, B, rows)
