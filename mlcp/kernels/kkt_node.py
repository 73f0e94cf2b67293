"""Elimination of one node: the inner loops of the structured factorisation."""

import numpy as np

from mlcp.jit import kernel


@kernel
def eliminate_node(table, at, panels):
    """Factor one panel and subtract its update from every later panel it touches.

    ``at`` is the node's place in the program (``kkt_layout``); returns that of the next node.
    """
    own, o, w, targets = table[at], table[at + 1], table[at + 2], table[at + 3]
    at += 4
    for i in range(own):
        inverse = 1.0 / panels[np.uint64(o + i * w + i)]
        panels[np.uint64(o + i * w + i)] = inverse
        for r in range(i + 1, own):
            ratio = panels[np.uint64(o + i * w + r)] * inverse
            for c in range(r, w):
                panels[np.uint64(o + r * w + c)] -= ratio * panels[np.uint64(o + i * w + c)]
    for _ in range(targets):
        rows, source, to, stride, runs = (
            table[at], table[at + 1], table[at + 2], table[at + 3], table[at + 4],
        )  # fmt: skip
        at += 5
        for r in range(rows):
            skip = r
            for run in range(runs):
                s, n, d = table[at + 3 * run], table[at + 3 * run + 1], table[at + 3 * run + 2]
                for c in range(skip, n):
                    total = panels[np.uint64(to + r * stride + d + c)]
                    for i in range(own):
                        ratio = panels[np.uint64(o + i * w + source + r)]
                        ratio *= panels[np.uint64(o + i * w + i)]
                        total -= ratio * panels[np.uint64(o + i * w + s + c)]
                    panels[np.uint64(to + r * stride + d + c)] = total
                skip = 0
        at += 3 * runs
    return at
