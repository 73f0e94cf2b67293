"""One panel of the factorisation in lanes: updates from earlier panels, then the panel's elimination.

Lanes are several vehicles side by side in one SIMD register.
"""

from mlcp.jit import kernel
from mlcp.kernels.kkt.kkt_vector import gather, halves, sweep

# Number of table entries before the pieces of a panel, and before the columns of a piece; a piece is a
# part of one earlier panel's update (``kkt_layout``)
HEAD, PIECE = 7, 9


@kernel
def gather_node(table, at, panels):
    """Subtract the updates of earlier panels from a panel; return the next node's table position."""
    stride, a = table[at + 2], at + HEAD
    for _ in range(table[at + 5]):
        source = table[a + 1], table[a + 2], table[a + 3]
        target = table[a + 4], table[a + 5], stride
        columns = a + PIECE, table[a + 6], table[a + 7], table[a + 8]
        gather(table[a], (panels, table), (*source, *target, *columns))
        a += PIECE + 2 * table[a + 8]
    return a if table[at + 6] == 0 else a + 2 + table[a + 1]


@kernel
def sweep_node(table, at, panels, y, work):
    """Factor a panel that has all its updates; y, work: positions of right-hand side, scratch."""
    own, o, w, first, columns = table[at], table[at + 1], table[at + 2], table[at + 3], table[at + 4]
    if table[at + 6] > 0:
        a = at + table[at + 6]
        halves(own, (panels, table), (o, w, y, first, columns, table[a], a + 2, table[a + 1]))
    else:
        sweep(own, (panels, table), (o, w, y, first, columns, work, w - own))
