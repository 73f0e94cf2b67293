"""Numerical elimination of a saddle-point matrix in reference poses: pivots and error growth.

The matrix is ``[M J'; J -E]``: masses M, Jacobian J of the row groups, compliances E.
"""

from __future__ import annotations

import copy

import numpy as np

from mlcp.kkt.structure import BLOCK, Structure


class Graph:
    """The matrix by blocks, ``block[i][j]`` of shape (poses, n_i, n_j), symmetric.

    Nodes: mass blocks, then row groups, then channel groups. ``row_size``: diagonal of J M^-1 J' + E.
    """

    def __init__(self, structure: Structure, mass: np.ndarray, jac: np.ndarray, e: np.ndarray):
        nb, ng = structure.blocks, len(structure.groups)
        self.nb: int = nb
        self.ng: int = ng
        self.poses: int = len(mass)
        self.size: list[int] = [BLOCK] * nb + [k for k, _ in structure.groups + structure.channels]
        self.block: list[dict[int, np.ndarray]] = [{} for _ in self.size]
        inverse = np.linalg.inv(mass)
        # W_j: mass block of node j, or diag(row_size); root[j] root[j]' = W_j^-1
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
            size[size <= 0.0] = 1.0  # an empty row has a zero diagonal; it is scaled by 1
            self.row_size.append(size)
            self.root.append(np.einsum("pi,ij->pij", 1.0 / np.sqrt(size), np.eye(k)))

    def copy(self) -> Graph:
        """The same matrix for another elimination, which replaces blocks and writes into none."""
        found = copy.copy(self)
        found.block = [dict(row) for row in self.block]
        return found

    def neighbours(self, node: int) -> list[int]:
        return [j for j in self.block[node] if j != node]

    def growth(self, node: int) -> float:
        """Error growth [-] of eliminating a row group now (``ordering``); 0 for a mass block."""
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
        """Eliminate the node and update the remaining blocks; return its scaled scalar pivots."""
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
