"""One node of the structured factorisation: elimination, forward and back substitution.

A node is a body or a group of rows, eliminated at once. u_ij: entries of the factor, d_i: pivots.
"""

import numpy as np

from mlcp.compiled.branches import every
from mlcp.jit import kernel
from mlcp.kernels.kkt.kkt_vector import RUN_FIELDS, back, forward, sweep, updates


@kernel
def eliminate_node(table, at, panels, y, work):
    """Factor one panel and subtract its update from every later panel coupled to it.

    ``at`` is the node's position in the program (``kkt_layout``), ``y`` and ``work`` are positions of
    the right-hand side and of scratch in ``panels``. Returns the position of the next node. The lower
    triangle of a diagonal block is written too and never read.
    """
    own, o, w, first = table[at], table[at + 1], table[at + 2], table[at + 3]
    columns, runs = table[at + 4], table[at + 5]
    swept = table[at + 6]
    at += 7
    n = w - own
    sweep(swept, (panels, table), (o, w, y, first, columns, work, n))
    updates(own, (panels, table), (w, work, n, at, runs))
    return at + RUN_FIELDS * runs


@kernel
def forward_node(table, f, panels, x):
    """Forward substitution of one node, ``y_j -= u_ij y_i / d_i``, without the channels; x holds y.

    ``f`` is the node's position in the table of nodes (``kkt_layout``). A node with a zero right-hand
    side is skipped: a third of a vehicle's nodes in a projection, whose right-hand side has joint errors
    only.
    """
    own, first = table[f], table[f + 3]
    i = 0
    while i < own and every(x[np.uint64(first + i)] == 0.0):
        i += 1
    if i < own:
        places = table[f + 1], table[f + 2], table[f + 6], first, table[f + 4]
        forward(own, (panels, table, x), places)


@kernel
def back_node(table, f, n, panels, x):
    """Back substitution of one node, ``x_i = (y_i - sum_(j > i) u_ij x_j) / d_i``.

    The sum is over ``n`` columns beyond the node's own. ``f`` is the node's position in the table of
    nodes (``kkt_layout``); x holds y at the scalars of the node.
    """
    places = table[f + 1], table[f + 2], table[f + 6], table[f + 3], n
    back(table[f], (panels, table, x), places)
