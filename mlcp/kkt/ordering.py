"""Elimination order of the nodes of a sparse symmetric matrix.

``least_first`` is the greedy loop: minimum degree if the cost is the degree (Tinney and Walker, 1967,
scheme 2). A pattern without numbers is eliminated by ``Couplings``. The same rule compiled, for problems
solved once, is ``mlcp.kernels.structured.body_order``: at 45 bodies it takes 13 us, ``least_first``
410 us; with ``body_order`` the whole solve takes 330 us.

The saddle point of bodies is also checked numerically, in its reference poses. A purely structural
order fails if a sub-assembly is over-constrained while its neighbours act as ground: a row group is then
eliminated with a pivot of the size of its compliance E, and errors grow as 1/E. So every step of the
order is also carried out with numbers, and a row group with pivot block ``-P`` and couplings ``C_j`` to
the remaining nodes is postponed, as long as another node is left, unless

    growth = max eig( P^-1/2 (sum_j C_j W_j^-1 C_j') P^-1/2 ) <= 1e3 ,

``W_j`` being the size of node j before any elimination: its mass block, or the diagonal of
``J M^-1 J' + E``. A tiny pivot is harmless if its direction is not coupled to the other nodes, as in a
redundant row.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlcp.kkt.growth import Graph
from mlcp.kkt.structure import Structure

MAX_GROWTH = 1e3


class Couplings:
    """Couplings of the remaining nodes of a symmetric pattern during elimination.

    Arguments:
        near: set of neighbours of each node; eliminations change these sets.
    """

    def __init__(self, near: list[set[int]]) -> None:
        self.near = near

    def degree(self, node: int) -> int:
        """Number of neighbours that a node has at present."""
        return len(self.near[node])

    def eliminate(self, node: int, _harm: float = 0.0) -> set[int]:
        """Eliminate a node; return its neighbours, now coupled to each other."""
        left = self.near[node]
        for j in left:
            self.near[j] |= left
            self.near[j] -= {j, node}
        return left


def least_first(
    count: int,
    cost: Callable[[int], Any],
    eliminate: Callable[[int, float], Iterable[int]],
    harm: Callable[[int], float] | None = None,
    most: float = 0.0,
) -> None:
    """Eliminate the nodes 0 .. count - 1, always the node of least cost, the first of equal ones.

    Arguments:
        cost: cost of eliminating a node now.
        eliminate: eliminates a node, given its error growth; returns its neighbours.
        harm: error growth of eliminating a node now. A node with more than ``most`` is postponed
            until a neighbour is eliminated; if all are postponed, the one of least growth is next.
    """
    version = [0] * count
    heap = [(cost(i), i, 0) for i in range(count)]
    heapq.heapify(heap)
    waiting: dict[int, float] = {}
    while heap or waiting:
        if heap:
            _, node, seen = heapq.heappop(heap)
            if seen != version[node]:
                continue
            found = 0.0 if harm is None else harm(node)
            if found > most:
                waiting[node] = found
                continue
        else:
            node = min(waiting, key=waiting.__getitem__)
            found = waiting.pop(node)
        version[node] = -1
        for j in eliminate(node, found):
            if j < count:
                waiting.pop(j, None)
                version[j] += 1
                heapq.heappush(heap, (cost(j), j, version[j]))


@dataclass(frozen=True)
class Order:
    """Elimination order with the results of its check.

    ``nodes[i]`` is eliminated i-th (mass blocks first in the numbering, then row groups);
    ``coupled[i]`` are the nodes that ``nodes[i]`` updates; ``pivots[i]`` its scaled scalar pivots, the
    smallest over the reference poses (1 for mass blocks); ``growth`` the largest growth accepted.
    """

    nodes: tuple[int, ...]
    coupled: tuple[frozenset[int], ...]
    pivots: tuple[np.ndarray, ...]
    growth: float
    multiply_adds: int


def choose_order(structure: Structure, mass: np.ndarray, jac: np.ndarray, e: np.ndarray) -> Order:
    """Eliminate greedily by each of three cost rules; return the order with the fewest multiply-adds.

    If the error growth of every order is too large, return the order of least growth.

    Arguments: ``mass`` (poses, blocks, 6, 6), ``jac`` (poses, jac_size), ``e`` (poses, rows) > 0.
    """
    graph = Graph(structure, mass, jac, e)
    tried = [_eliminate(graph.copy(), rule) for rule in (_degree, _work, _fill)]
    sound = [o for o in tried if o.growth <= MAX_GROWTH]
    if not sound:
        return min(tried, key=lambda o: o.growth)
    return min(sound, key=lambda o: o.multiply_adds)


def repeated_rows(
    structure: Structure, mass: np.ndarray, jac: np.ndarray, e: np.ndarray, order: Order
) -> list[np.ndarray]:
    """For each node of the order, a mask of the node's rows that are redundant in a reference pose.

    The pivot of a redundant row is its compliance alone: it grows tenfold with a tenfold compliance. A
    row between unequal masses also has a small pivot, but this pivot does not grow with the compliance.
    """
    graph = Graph(structure, mass, jac, 10.0 * e)
    repeated = []
    for node, pivots in zip(order.nodes, order.pivots, strict=True):
        stiffer = graph.eliminate(node)
        repeated.append((pivots < 1e-3) & (stiffer > 3.0 * pivots))
    return repeated


Rule = Callable[[Graph, int, list[int]], float]


def _degree(graph: Graph, node: int, left: list[int]) -> float:
    """Number of scalars coupled with a node: the cost of the minimum-degree rule."""
    return sum(graph.size[j] for j in left)


def _work(graph: Graph, node: int, left: list[int]) -> float:
    """Number of multiply-adds of a node's elimination: the cost of the second rule."""
    n, r = graph.size[node], sum(graph.size[j] for j in left)
    return n * (r + 1) * (r + 2) / 2 + n * n * (r + 1) / 2


def _fill(graph: Graph, node: int, left: list[int]) -> float:
    """Number of entries added by a node's elimination, plus a tenth of its multiply-adds per unknown:
    the cost of the third rule."""
    new = sum(
        graph.size[i] * graph.size[j]
        for a, i in enumerate(left)
        for j in left[a + 1 :]
        if j not in graph.block[i]
    )
    return new + 0.1 * _work(graph, node, left) / graph.size[node]


def _eliminate(graph: Graph, rule: Rule) -> Order:
    nodes, coupled, pivots, growths, work = [], [], [], [0.0], 0.0

    def eliminate(node: int, growth: float) -> list[int]:
        nonlocal work
        left = graph.neighbours(node)
        work += _work(graph, node, left)
        nodes.append(node)
        coupled.append(frozenset(left))
        growths.append(growth)
        pivots.append(graph.eliminate(node))
        return left

    def cost(node: int) -> float:
        return rule(graph, node, graph.neighbours(node))

    least_first(graph.nb + graph.ng, cost, eliminate, graph.growth, MAX_GROWTH)
    return Order(tuple(nodes), tuple(coupled), tuple(pivots), max(growths), int(work))
