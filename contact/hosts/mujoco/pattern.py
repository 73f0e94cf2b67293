"""In which order to eliminate a sparse symmetric matrix, and what its factor looks like."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kkt.ordering import Couplings, least_first


class Pattern:
    """Symbolic L D L' of a symmetric pattern; arrays as ``kernels.data.Factor``.

    Arguments:
        filled: (n, n) bool, where the matrix can have entries; the diagonal always counts.
        order: freedoms in the order of elimination, (n,); least degree first by default.
        last: freedoms that this rule may only choose once all others are gone.

    ``order`` (n,) freedom by place, ``place`` (n,) the inverse, ``slot`` (n, n) where the entry of two
    freedoms is kept, ``size`` of the storage; its last place takes what lies outside the pattern.

    Source: the minimum degree rule (Tinney and Walker, 1967, scheme 2).
    """

    def __init__(
        self,
        filled: NDArray[np.bool_],
        order: ArrayLike | None = None,
        last: Iterable[int] = (),
    ) -> None:
        n = len(filled)
        near = [set(np.flatnonzero(filled[k] | filled[:, k]).tolist()) - {k} for k in range(n)]
        couplings, late = Couplings(near), {int(k) for k in last}
        chosen, columns = [], []

        def eliminate(k: int, _harm: float = 0.0) -> set[int]:
            chosen.append(k)
            columns.append(couplings.eliminate(k))
            return columns[-1]

        if order is None:
            least_first(n, lambda k: (k in late, couplings.degree(k), -k), eliminate)
        else:
            for k in np.asarray(order).tolist():
                eliminate(k)
        self.order = np.array(chosen, dtype=np.int64)
        self.place = place = np.empty(n, dtype=np.int64)
        place[self.order] = np.arange(n)
        self.below = [np.sort(place[list(column)]).astype(np.int64) for column in columns]
        self.first = np.concatenate([[0], np.cumsum([len(b) for b in self.below])]).astype(np.int64)
        self.row = np.concatenate([*self.below, np.zeros(0, dtype=np.int64)])
        self.size = n + len(self.row) + 1
        at = np.full((n, n), self.size - 1, dtype=np.int64)  # by place
        at[np.arange(n), np.arange(n)] = np.arange(n)
        for k, rows in enumerate(self.below):
            at[k, rows] = at[rows, k] = n + self.first[k] + np.arange(len(rows))
        into, start, listed = [], [], 0
        for rows in self.below:
            for i in range(len(rows)):
                targets = at[rows[i], rows[i + 1 :]]
                if (np.diff(targets) == 1).all():
                    start.append(targets[0] if len(targets) else 0)
                else:
                    start.append(-1 - listed)
                    into.append(targets)
                    listed += len(targets)
        self.start = np.array([*start, 0], dtype=np.int64)
        self.into = np.concatenate([*into, np.zeros(1, dtype=np.int64)])
        self.slot = np.ascontiguousarray(at[np.ix_(place, place)])

    def lists(self) -> dict[str, NDArray[np.int64]]:
        """What the compiled factorisation follows."""
        return {name: getattr(self, name) for name in ("first", "row", "start", "into")}

    @property
    def products(self) -> int:
        """Multiplications of an elimination."""
        return sum(len(rows) * (len(rows) + 1) // 2 for rows in self.below)

    def reach(self, freedoms: Iterable[int]) -> NDArray[np.int64]:
        """Places that forward substitution fills from right-hand sides of these freedoms, ascending."""
        found = {int(self.place[k]) for k in freedoms}
        for k in range(len(self.order)):
            if k in found:
                found.update(self.below[k].tolist())
        return np.array(sorted(found), dtype=np.int64)
