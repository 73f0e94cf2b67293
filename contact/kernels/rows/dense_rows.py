"""The rows on the host's channels (contact coordinates), and their dense matrix A = S B S' + diag(e).

B: Delassus matrix of the channels; S: one +1 and at most one -1 in a row; e: compliance of the rows.
"""

from mlcp.jit import kernel, part
from mlcp.kernels.channel_rows import ChannelRows, coupling, own_inertia


@part
def on_channels(rows, active):
    """The rows as ``ChannelRows``, the input of mlcp's kernels for rows on channels; ``active``: their
    active set."""
    return ChannelRows(
        rows.channel, rows.minus, rows.e, rows.bias, rows.lower, rows.upper, rows.z, active, rows.q,
        rows.u, rows.work,
    )  # fmt: skip


@kernel
def own_row(i, B, rows):
    """Set the diagonal entry of A in row i, with the row's present compliance."""
    rows.A[i, i] = own_inertia(B, rows.channel[i], rows.minus[i]) + rows.e[i]


@kernel
def assemble(B, rows):
    """Set the off-diagonal entries of the dense matrix A, which are constant in a step."""
    for i in range(rows.channel.shape[0]):
        for j in range(rows.channel.shape[0]):
            if j != i:
                rows.A[i, j] = coupling(i, j, B, rows)
