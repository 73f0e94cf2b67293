"""Scalar kernel of a piecewise linear schedule."""

from __future__ import annotations

from mlcp.jit import kernel


@kernel
def schedule_at(table, time):
    """Value at ``time`` of a table (n, 2) of time and value; constant outside it."""
    last = table.shape[0] - 1
    if time <= table[0, 0]:
        return table[0, 1]
    if time >= table[last, 0]:
        return table[last, 1]
    k = 0
    while table[k + 1, 0] < time:
        k += 1
    t_0, t_1 = table[k, 0], table[k + 1, 0]
    return table[k, 1] + (table[k + 1, 1] - table[k, 1]) * ((time - t_0) / (t_1 - t_0))
