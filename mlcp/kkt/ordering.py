"""Elimination order: minimum degree, checked numerically in the reference poses.

A purely structural order breaks where a sub-assembly is over-constrained while its neighbours act
as ground: a row group is then eliminated with a pivot of the size of its compliance, and errors
grow as 1/E. So every step of the order is also carried out with numbers, and a row group with
pivot block ``-P`` and couplings ``C_j`` to what is left may go only while

    growth = max eig( P^-1/2 (sum_j C_j W_j^-1 C_j') P^-1/2 ) <= 1e3 ,

``W_j`` being the size of node j before any elimination: its mass block, or the diagonal of
``J M^-1 J'``. A tiny pivot is harmless when its direction couples to nothing left: a redundant row.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlcp.kkt.structure import BLOCK, Structure

MAX_GROWTH = 1e3
SOUND = 1e-3  # rows with a larger scaled pivot are not redundant


@dataclass(frozen=True)
class Order:
    """An elimination order and what was seen while checking it.

    ``nodes[i]`` is eliminated i-th (mass blocks first in the numbering, then row groups);
    ``coupled[i]`` are the nodes it updates; ``pivots[i]`` its scaled scalar pivots, the smallest
    over the reference poses (1 for mass blocks); ``growth`` the largest growth accepted.
    """

    nodes: tuple[int, ...]
    coupled: tuple[frozenset[int], ...]
    pivots: tuple[np.ndarray, ...]
    growth: float
    multiply_adds: int


def choose_order(structure: Structure, mass: np.ndarray, jac: np.ndarray, e: np.ndarray) -> Order:
    """Run the greedy elimination under a few priorities and keep the cheapest order.

    Arguments: ``mass`` (poses, blocks, 6, 6), ``jac`` (poses, jac_size), ``e`` (poses, rows) > 0.
    """
    tried = [_eliminate(structure, mass, jac, e, rule) for rule in (_degree, _work, _fill)]
    sound = [o for o in tried if o.growth <= MAX_GROWTH]
    if not sound:
        return min(tried, key=lambda o: o.growth)
    return min(sound, key=lambda o: o.multiply_adds)


class Graph:
    """The matrix by blocks, ``block[i][j]`` of shape (poses, n_i, n_j), symmetric."""

    def __init__(self, structure: Structure, mass: np.ndarray, jac: np.ndarray, e: np.ndarray):
        nb, ng = structure.blocks, len(structure.groups)
        self.nb: int = nb
        self.ng: int = ng
        self.poses: int = len(mass)
        self.size: list[int] = [BLOCK] * nb + [k for k, _ in structure.groups + structure.channels]
        self.block: list[dict[int, np.ndarray]] = [{} for _ in self.size]
        inverse = np.linalg.inv(mass)
        # root[j] of W_j^-1 = root root'
        self.root: list[np.ndarray] = [np.linalg.cholesky(inverse[:, b]) for b in range(nb)]
        self.row_size: list[np.ndarray] = []
        for b in range(nb):
            self.block[b][b] = mass[:, b].copy()
        for g, (k, touched) in enumerate(structure.groups + structure.channels):
            i = nb + g
            own = np.zeros((self.poses, k, k))
            size = np.zeros((self.poses, k))
            for s, b in enumerate(touched):
                a = structure.jac_offset[g] + s * BLOCK * k
                part = jac[:, a : a + BLOCK * k].reshape(self.poses, k, BLOCK)
                self.block[i][b] = part.copy()
                self.block[b][i] = part.transpose(0, 2, 1).copy()
                size += np.einsum("pij,pjk,pik->pi", part, inverse[:, b], part)
            if g < ng:
                first = structure.row_offset[g]
                own[:, np.arange(k), np.arange(k)] = -e[:, first : first + k]
                size = size + e[:, first : first + k]
            self.block[i][i] = own
            size[size <= 0.0] = 1.0  # an empty row has no size of its own
            self.row_size.append(size)
            self.root.append(np.einsum("pi,ij->pij", 1.0 / np.sqrt(size), np.eye(k)))

    def neighbours(self, node: int) -> list[int]:
        return [j for j in self.block[node] if j != node]

    def growth(self, node: int) -> float:
        """Growth of eliminating a row group now; mass blocks only add what is positive definite."""
        if node < self.nb:
            return 0.0
        scale = 1.0 / np.sqrt(self.row_size[node - self.nb])
        pivot = -self.block[node][node] * scale[:, :, None] * scale[:, None, :]
        coupled = np.zeros_like(pivot)
        for j in self.neighbours(node):
            part = (self.block[node][j] * scale[:, :, None]) @ self.root[j]
            coupled += part @ part.transpose(0, 2, 1)
        try:
            lower = np.linalg.cholesky(pivot)
        except np.linalg.LinAlgError:
            return np.inf
        half = np.linalg.solve(lower, coupled)
        both = np.linalg.solve(lower, half.transpose(0, 2, 1))
        return float(np.linalg.eigvalsh(0.5 * (both + both.transpose(0, 2, 1)))[:, -1].max())

    def eliminate(self, node: int) -> np.ndarray:
        """Take the node out, update what is left; return its scaled scalar pivots."""
        left = self.neighbours(node)
        pivots = self._pivots(node)
        if left:
            row = np.concatenate([self.block[node][j] for j in left], axis=2)
            update = row.transpose(0, 2, 1) @ np.linalg.solve(self.block[node][node], row)
            start = np.concatenate([[0], np.cumsum([self.size[j] for j in left])])
            for a, i in enumerate(left):
                for b, j in enumerate(left):
                    part = update[:, start[a] : start[a + 1], start[b] : start[b + 1]]
                    old = self.block[i].get(j)
                    self.block[i][j] = -part if old is None else old - part
        for j in left:
            del self.block[j][node]
        self.block[node] = {}
        return pivots

    def _pivots(self, node: int) -> np.ndarray:
        if node < self.nb:
            return np.ones(BLOCK)
        work = -self.block[node][node]
        smallest = np.empty(self.size[node])
        for i in range(self.size[node]):
            smallest[i] = (work[:, i, i] / self.row_size[node - self.nb][:, i]).min()
            work = work - work[:, :, i, None] * work[:, i, None, :] / work[:, i, i, None, None]
        return smallest


def repeated_rows(
    structure: Structure, mass: np.ndarray, jac: np.ndarray, e: np.ndarray, order: Order
) -> list[np.ndarray]:
    """Per node of the order: which of its rows repeat others, in any reference pose.

    A redundant row's pivot is made of compliance alone: it grows tenfold with it. The small pivot
    of a row between unequal masses does not.
    """
    graph = Graph(structure, mass, jac, 10.0 * e)
    repeated = []
    for node, pivots in zip(order.nodes, order.pivots, strict=True):
        stiffer = graph.eliminate(node)
        repeated.append((pivots < SOUND) & (stiffer > 3.0 * pivots))
    return repeated


Rule = Callable[[Graph, int, list[int]], float]


def _degree(graph: Graph, node: int, left: list[int]) -> float:
    """Scalar degree: minimum degree proper."""
    return sum(graph.size[j] for j in left)


def _work(graph: Graph, node: int, left: list[int]) -> float:
    """Multiply-adds of this elimination alone."""
    n, r = graph.size[node], sum(graph.size[j] for j in left)
    return n * (r + 1) * (r + 2) / 2 + n * n * (r + 1) / 2


def _fill(graph: Graph, node: int, left: list[int]) -> float:
    """New entries, weighed against the degree."""
    new = sum(
        graph.size[i] * graph.size[j]
        for a, i in enumerate(left)
        for j in left[a + 1 :]
        if j not in graph.block[i]
    )
    return new + 0.1 * _work(graph, node, left) / graph.size[node]


def _eliminate(
    structure: Structure, mass: np.ndarray, jac: np.ndarray, e: np.ndarray, rule: Rule
) -> Order:
    graph = Graph(structure, mass, jac, e)
    count = graph.nb + graph.ng
    version = [0] * count
    heap = [(rule(graph, i, graph.neighbours(i)), i, 0) for i in range(count)]
    heapq.heapify(heap)
    refused: dict[int, float] = {}  # row groups that must wait until a neighbour has gone
    nodes, coupled, pivots = [], [], []
    worst, work = 0.0, 0.0
    while heap or refused:
        if heap:
            _, chosen, seen = heapq.heappop(heap)
            if seen != version[chosen]:
                continue
            growth = graph.growth(chosen)
            if growth > MAX_GROWTH:
                refused[chosen] = growth
                continue
        else:  # nothing is sound: take the least harmful and report it
            chosen = min(refused, key=refused.__getitem__)
            growth = refused.pop(chosen)
        worst = max(worst, growth)
        left = graph.neighbours(chosen)
        work += _work(graph, chosen, left)
        nodes.append(chosen)
        coupled.append(frozenset(left))
        pivots.append(graph.eliminate(chosen))
        version[chosen] = -1
        for j in left:
            if j < count:
                refused.pop(j, None)
                version[j] += 1
                heapq.heappush(heap, (rule(graph, j, graph.neighbours(j)), j, version[j]))
    return Order(tuple(nodes), tuple(coupled), tuple(pivots), worst, int(work))
