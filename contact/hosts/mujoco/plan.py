"""What the compiled step of the MuJoCo adapter follows: orders, patterns, and which places matter."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.compiled.lent import Lent

from .pattern import Pattern


class Plan:
    """Lists and working memory of a compiled step.

    Arguments:
        model: ``MjModel``.
        last: last freedom of each wheel, (W,).

    ``tree`` (n, n) bool: where M can have entries. ``rows`` and ``dampers`` (n, n) bool: where the
    products of constraint rows and D have been seen; what lies elsewhere must be seen, and lent, first.
    """

    def __init__(self, model: Any, last: NDArray[np.int64]) -> None:
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
        for k in last:
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

    def see_damper(self, freedoms: NDArray[np.integer]) -> None:
        """A damping term over these freedoms; MuJoCo keeps of it what fits the pattern of M."""
        found = np.zeros(self.freedoms, dtype=bool)
        found[freedoms] = True
        self.dampers |= np.outer(found, found) & self.tree

    def lend(self, step: Lent) -> None:
        """Make the lists and the working memory for what has been seen, and lend them to a step."""
        n, columns = self.freedoms, 8 * ((len(self._paths) + 1) // 2)
        damped, paths, joined = self._damped, self._paths, np.concatenate(self._paths)
        dampers = np.argwhere(np.tril(self.dampers))
        touched = np.unique(dampers)
        mass = self._order(touched)
        support = np.searchsorted(touched, dampers)
        entry_of = np.where(self.tree, len(dampers) + 1, len(dampers))
        entry_of[dampers[:, 0], dampers[:, 1]] = entry_of[dampers[:, 1], dampers[:, 0]] = np.arange(
            len(dampers)
        )
        # A panel holds two wheels.
        pairs = [[*chain(*paths[i : i + 2])] for i in range(0, len(paths), 2)]
        reach = [mass.reach(pair) for pair in pairs]
        shared = [np.intersect1d(a, b) for i, a in enumerate(reach) for b in reach[: i + 1]]

        def factor(pattern: Pattern) -> dict[str, Any]:
            return {**pattern.lists(), "values": _zeros(pattern.size), "least": _zeros(n)}

        def panels(pattern: Pattern) -> dict[str, Any]:
            reach = [pattern.reach(pair) for pair in pairs]
            return {
                "path_place": pattern.place[joined],
                "reach_at": _begins(reach),
                "reach": np.concatenate(reach),
                "rows": _zeros(n * columns),
                "scaled": _zeros(n * columns),
            }

        step.give(
            paths={"at": _begins(paths), "freedom": joined},
            order=mass.order, place=mass.place, slot=mass.slot.ravel(), mass_slot=self._slots(mass),
            factor=factor(mass), panels=panels(mass), shared_at=_begins(shared),
            shared=np.concatenate(shared), free=_zeros(n), seen=_zeros(columns**2),
            seen_free=_zeros(columns),
            damping={
                "entry_of": entry_of.ravel(), "values": _zeros(len(dampers) + 2),
                "row": support[:, 0].copy(), "column": support[:, 1].copy(),
                "slot": damped.slot[dampers[:, 0], dampers[:, 1]], "mass_slot": self._slots(damped),
                "factor": factor(damped), "panels": panels(damped),
                "support": mass.place[touched], "support_k": damped.place[touched],
                "needed": mass.reach(touched)[::-1].copy(), "counting": np.arange(len(touched)),
                "needed_k": damped.reach(touched)[::-1].copy(), "response": _zeros(n * columns),
                "seen": _zeros(n * columns), "seen_free": _zeros(n),
                "force_columns": _zeros(len(touched) * columns),
                "force_free": _zeros(len(touched)),
            },
        )  # fmt: skip

    def _slots(self, pattern: Pattern) -> NDArray[np.int64]:
        """Where the entries of M lie in a pattern."""
        row, column, place, entries = self._mass
        slots = np.full(entries, pattern.size - 1, dtype=np.int64)
        slots[place] = pattern.slot[row, column]
        return slots

    def _order(self, touched: NDArray[np.int64]) -> Pattern:
        """Of M + E: damped freedoms last, so that backward substitution for them is short, or not."""
        filled, columns = self.tree | self.rows, 4 * len(self._paths)

        def cost(pattern: Pattern) -> int:
            visited = sum(len(pattern.below[k]) for k in pattern.reach(touched))
            return pattern.products + columns * visited

        return min((Pattern(filled, last=touched), Pattern(filled)), key=cost)


def _begins(parts: list[Any]) -> NDArray[np.int64]:
    """Where each part begins once they are laid end to end, and where the last ends."""
    return np.cumsum([0, *map(len, parts)])


def _zeros(size: int) -> NDArray[np.float64]:
    """So many, from the beginning of a cache line on."""
    memory = np.zeros(size + 8)
    first = -memory.ctypes.data // 8 % 8
    return memory[first : first + size]
