"""One node of the structured factorisation: elimination, forward and back substitution."""

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.kkt_vector import RUN_FIELDS, pull, push, sweep, updates


@kernel
def eliminate_node(table, at, panels, y, work):
    """Factor one panel and subtract its update from every later panel it touches.

    ``at`` is the node's place in the program (``kkt_layout``), ``y`` and ``work`` are positions in
    ``panels``. Returns the place of the next node. The lower triangle of a diagonal block is
    written too and never read.
    """
    own, o, w, first = table[at], table[at + 1], table[at + 2], table[at + 3]
    columns, runs = table[at + 4], table[at + 5]
    at += 6
    n = w - own
    sweep(own, panels, o, w, y + first, work, n)
    pushed = work + own * n
    for c in range(n):
        panels[np.uint64(y + table[columns + c])] -= panels[np.uint64(pushed + c)]
    updates(own, panels, table, w, work, n, at, runs)
    return at + RUN_FIELDS * runs


@kernel
def forward_node(table, f, panels, work, x):
    """``y_j -= u_ij y_i / d_i`` for one node, channels left out; x holds y.

    A node with nothing to pass on is skipped: a projection starts from joint errors alone, so for
    a third of the nodes of a vehicle.
    """
    own, o, w, first = table[f], table[f + 1], table[f + 2], table[f + 3]
    i = 0
    while i < own and x[np.uint64(first + i)] == 0.0:
        i += 1
    if i == own:
        return
    n, columns = table[f + 4], table[f + 6]
    for i in range(own):
        value = x[np.uint64(first + i)]
        panels[np.uint64(work + i)] = value
        weight = value * panels[np.uint64(o + i * w + i)]
        for j in range(i + 1, own):
            x[np.uint64(first + j)] -= weight * panels[np.uint64(o + i * w + j)]
    pushed = work + own
    push(own, panels, o, w, work, pushed, n)
    for c in range(n):
        x[np.uint64(table[columns + c])] -= panels[np.uint64(pushed + c)]


@kernel
def back_node(table, f, n, panels, work, x):
    """``x_i = (y_i - sum_(j > i) u_ij x_j) / d_i`` for one node, over ``n`` columns beyond its own.

    ``f`` is the node's place in ``NODE_AT``; x holds y at its own scalars.
    """
    own, o, w, first = table[f], table[f + 1], table[f + 2], table[f + 3]
    pull(own, panels, table, x, o, w, table[f + 6], work, n)
    for i in range(own - 1, -1, -1):
        inverse = panels[np.uint64(o + i * w + i)]
        total = (x[np.uint64(first + i)] - panels[np.uint64(work + i)]) * inverse
        for j in range(own - 1, i, -1):
            # the ratio first: it is ready before x_j is
            total -= (panels[np.uint64(o + i * w + j)] * inverse) * x[np.uint64(first + j)]
        x[np.uint64(first + i)] = total
