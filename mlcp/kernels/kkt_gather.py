"""One panel of the factorisation in lanes: it gathers what earlier ones have for it, and is factored."""

from mlcp.jit import kernel
from mlcp.kernels.kkt_vector import gather, sweep

HEAD, SOURCE = 6, 4  # numbers before the sources of a panel, and before the columns of a source


@kernel
def gather_node(table, at, panels):
    """Subtract what the earlier panels have for this one; returns the place of the next node."""
    rows, o, w = table[at], table[at + 1], table[at + 2]
    a = at + HEAD
    for _ in range(table[at + 5]):
        start, stride, first = table[a + 1], table[a + 2], table[a + 3]
        gather(table[a], (panels, table), (start, stride, first, rows, a + SOURCE, o, w))
        a += SOURCE + stride - first
    return a


@kernel
def sweep_node(table, at, panels, y, work):
    """Factor a panel that has gathered everything."""
    own, o, w = table[at], table[at + 1], table[at + 2]
    places = o, w, y, table[at + 3], table[at + 4], work, w - own
    sweep(own, (panels, table), places)
