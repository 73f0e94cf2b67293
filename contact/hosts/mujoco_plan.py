"""What the compiled step of the MuJoCo adapter follows: orders, patterns, and which places matter."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels import mujoco_layout as K
from .pattern import Pattern


class Plan:
    """Lists and working memory of a compiled step, each in one block.

    Arguments:
        model: ``MjModel``.
        wheels: (W, 3) body, last freedom and root body of each wheel.

    ``tree`` (n, n) bool: where M can have entries. ``rows`` and ``dampers`` (n, n) bool: where the
    products of constraint rows and D have been seen; what lies elsewhere asks for ``update``.
    """

    def __init__(self, model: Any, wheels: NDArray[np.int64]) -> None:
        n = self.freedoms = model.nv
        counts, first = np.asarray(model.M_rownnz), np.asarray(model.M_rowadr)
        row = np.repeat(np.arange(n), counts)
        place = np.concatenate([a + np.arange(c) for a, c in zip(first, counts, strict=True)])
        column = np.asarray(model.M_colind)[place]
        self._mass = row, column, place, np.asarray(model.M_colind).size
        self.tree = np.zeros((n, n), dtype=bool)
        self.tree[row, column] = self.tree[column, row] = True
        self.rows, self.dampers = np.eye(n, dtype=bool), np.zeros((n, n), dtype=bool)
        self._paths = []
        for k in wheels[:, 1]:
            path = []
            while k >= 0:
                path.append(int(k))
                k = model.dof_parentid[k]
            self._paths.append(path)
        # Leaves first: no entry of M + h D that M does not have.
        self._damped = Pattern(self.tree, np.arange(n - 1, -1, -1))

    def see_rows(self, rows: NDArray[np.float64]) -> None:
        """Constraint rows that there are now, (m, n), beside those seen before."""
        for row in rows != 0.0:
            self.rows |= np.outer(row, row)

    def see_damper(self, freedoms: NDArray[np.int64]) -> None:
        """A damping term over these freedoms; MuJoCo keeps of it what fits the pattern of M."""
        found = np.zeros(self.freedoms, dtype=bool)
        found[freedoms] = True
        self.dampers |= np.outer(found, found) & self.tree

    def hand_over(self, handed: NDArray[np.int64]) -> None:
        """Make the two blocks for what has been seen, and write where everything is into ``handed``."""
        lists = self._lists()
        arrays = [np.asarray(lists[k], dtype=np.int64).ravel() for k in range(K.LISTS_OF_PLAN)]
        self._plan = np.concatenate(arrays)
        ends = np.cumsum([0, *map(len, arrays)])
        handed[K.PLAN_AT : K.PLAN_AT + len(ends)] = ends
        sizes = self._sizes(arrays)
        ends = np.cumsum([0, *(-(-sizes[k] // 8) * 8 for k in range(K.ARRAYS_OF_WORK))])
        for k in range(K.ARRAYS_OF_WORK):
            handed[K.WORK_AT + 2 * k : K.WORK_AT + 2 * k + 2] = ends[k], ends[k] + sizes[k]
        self._work = np.zeros(ends[-1] + 8)
        handed[K.PLAN] = self._plan.ctypes.data
        handed[K.WORK] = -(-self._work.ctypes.data // 64) * 64  # arrays begin on a cache line

    def _lists(self) -> dict[int, Any]:
        row, column, place, entries = self._mass
        damped, paths = self._damped, self._paths
        dampers = np.argwhere(np.tril(self.dampers))
        touched = np.unique(dampers)
        mass = self._order(touched)
        slots = np.full((2, entries), -1, dtype=np.int64)
        for k, pattern in enumerate((mass, damped)):
            slots[k] = pattern.size - 1
            slots[k, place] = pattern.slot[row, column]
        support = np.searchsorted(touched, dampers)
        table = np.where(self.tree, len(dampers) + 1, len(dampers))
        for k, (i, j) in enumerate(dampers):
            table[i, j] = table[j, i] = k
        # A panel holds two wheels.
        panels = [[*chain(*paths[i : i + 2])] for i in range(0, len(paths), 2)]
        reach, reach_k = ([pattern.reach(p) for p in panels] for pattern in (mass, damped))
        shared = [np.intersect1d(a, b) for i, a in enumerate(reach) for b in reach[: i + 1]]
        return {
            K.ORDER: mass.order, K.PLACE: mass.place, K.FIRST: mass.first, K.ROW: mass.row,
            K.START_AT: mass.start, K.INTO: mass.into, K.SLOT: mass.slot,
            K.M_SLOT: slots[0],
            K.FIRST_K: damped.first, K.ROW_K: damped.row, K.START_K: damped.start,
            K.INTO_K: damped.into, K.M_SLOT_K: slots[1],
            K.PATH_AT: _begins(paths), K.PATH: np.concatenate(paths),
            K.PATH_PLACE: mass.place[np.concatenate(paths)],
            K.PATH_PLACE_K: damped.place[np.concatenate(paths)],
            K.REACH_AT: _begins(reach), K.REACH: np.concatenate(reach),
            K.REACH_AT_K: _begins(reach_k), K.REACH_K: np.concatenate(reach_k),
            K.SHARED_AT: _begins(shared), K.SHARED: np.concatenate(shared),
            K.NEEDED: mass.reach(touched)[::-1], K.NEEDED_K: damped.reach(touched)[::-1],
            K.SUPPORT: mass.place[touched], K.SUPPORT_K: damped.place[touched],
            K.DAMPER_ROW: support[:, 0], K.DAMPER_COL: support[:, 1],
            K.DAMPER_SLOT_K: damped.slot[dampers[:, 0], dampers[:, 1]], K.DAMPER_AT: table,
            K.COUNTING: np.arange(len(touched)),
        }  # fmt: skip

    def _order(self, touched: NDArray[np.int64]) -> Pattern:
        """Of M + E: damped freedoms last, so that backward substitution for them is short, or not."""
        filled, columns = self.tree | self.rows, 4 * len(self._paths)

        def cost(pattern: Pattern) -> int:
            visited = sum(len(pattern.below[k]) for k in pattern.reach(touched))
            return pattern.products + columns * visited

        return min((Pattern(filled, last=touched), Pattern(filled)), key=cost)

    def _sizes(self, lists: list[NDArray[np.int64]]) -> dict[int, int]:
        n, panels, support = self.freedoms, (len(self._paths) + 1) // 2, len(lists[K.SUPPORT])
        wide = 8 * n * panels
        return {
            K.V: n + len(lists[K.ROW]) + 1, K.K: n + len(lists[K.ROW_K]) + 1, K.LEAST: n,
            K.Y: wide, K.Z: wide, K.Y_K: wide, K.Z_K: wide, K.Q: wide, K.X: wide,
            K.T: 8 * support * panels, K.T_FREE: support, K.FREE: n, K.FREE_SOME: n,
            K.DAMPERS: len(lists[K.DAMPER_ROW]) + 2, K.SEEN: (8 * panels) ** 2,
            K.SEEN_FREE: 8 * panels,
        }  # fmt: skip


def _begins(parts: list[Any]) -> NDArray[np.int64]:
    """Where each part begins once they are laid end to end, and where the last ends."""
    return np.cumsum([0, *map(len, parts)])
