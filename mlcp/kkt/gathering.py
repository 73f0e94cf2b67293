"""Table of the factorisation in lanes: the nonzero terms that each panel gathers from earlier ones.

Lanes are several vehicles side by side in one SIMD register.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from mlcp.kkt.panels import Panels
from mlcp.kkt.structure import BLOCK

HALF = BLOCK // 2  # rows of a body's translation, in which many columns of a panel are zero


@dataclass
class Gathering:
    """Integer tables of the factorisation in lanes (``kkt_layout``: gather_at, clear_at, given_at).

    A panel has the factor's rows of one node, a body or a group of rows. Its possible nonzeros follow
    from nonzeros of ``mass``, ``jac`` and the elimination order. The update of a later panel by a body
    falls into pieces: rows and columns coupled only with the body's rotation need half of the sums. A
    sum into an unwritten entry starts from zero; the entry is not read.

    Arguments:
        panels: layout of the panels.
        list_at: position of a node's list of column scalars.
    """

    panels: Panels
    list_at: dict[int, int]
    program: list[int] = field(init=False, default_factory=list)
    mass: list[int] = field(init=False, default_factory=list)  # part of ``given_at`` for masses
    jac: list[int] = field(init=False, default_factory=list)
    clear: np.ndarray = field(init=False)
    halved: set[int] = field(init=False, default_factory=set)  # bodies with uncoupled translation
    _filled: dict[int, np.ndarray] = field(init=False)  # possible nonzeros of each node's panel
    _later: dict[int, list[tuple[int, int]]] = field(
        init=False
    )  # for each node: the earlier nodes that update it, and its first column in their panels

    def __post_init__(self) -> None:
        panels = self.panels
        self._filled = {
            n: np.zeros((panels.height[n], panels.width(n)), dtype=bool) for n in panels.start
        }
        self._fill_values()
        self._later = {node: [] for node in panels.start}
        for node, later in panels.later.items():  # a panel's updates are summed in elimination order
            first = panels.height[node]
            for target in later:
                self._later[target].append((node, first))
                first += panels.height[target]
        clear = [self._node(node) for node in panels.start]
        self.clear = np.concatenate(clear)

    def _fill_values(self) -> None:
        """Fill ``mass`` and ``jac``: source and panel position of every possible nonzero."""
        panels, structure = self.panels, self.panels.structure
        zero = np.zeros(BLOCK * BLOCK * structure.blocks, dtype=bool)
        zero[list(structure.mass_zeros)] = True
        flat = {node: filled.ravel() for node, filled in self._filled.items()}
        rows, columns = np.triu_indices(BLOCK)
        for b in range(structure.blocks):
            own = BLOCK * BLOCK * b + BLOCK * rows + columns
            place = (rows * panels.width(b) + columns)[~zero[own]]
            flat[b][place] = True
            self.mass += _given(own[~zero[own]], panels.start[b] + place)
        for node in range(structure.blocks, panels.channel_first):
            np.fill_diagonal(self._filled[node], True)
        zero = np.zeros(structure.jac_size, dtype=bool)
        zero[list(structure.jac_zeros)] = True
        for node, along, source, to in panels.jacobian():
            stride = 1 if along else panels.width(node)
            given = np.flatnonzero(~zero[source : source + BLOCK])
            flat[node][to - panels.start[node] + stride * given] = True
            self.jac += _given(source + given, to + stride * given)
        self.mass.sort()
        self.jac.sort()

    def _node(self, node: int) -> np.ndarray:
        """Add one node to ``program``; return the panel positions to be set to zero beforehand."""
        panels, filled = self.panels, self._filled[node]
        own, start, width = panels.height[node], panels.start[node], panels.width(node)
        first = int(panels.first[node])
        head = len(self.program)
        self.program += [own, start, width, first, self.list_at.get(node, 0), 0, 0]
        upper = np.ones(filled.shape, dtype=bool)
        read = np.triu(upper, panels.column[node][first])  # entries below the diagonal are not read
        written = filled.copy()
        clear = np.zeros(filled.shape, dtype=bool)
        for source, column in self._later[node]:
            there = panels.column[node]
            to = np.array([there[scalar] for scalar in list(panels.column[source])[column:]])
            for skipped, rows, here, own_first in pieces(self._filled[source][:, column:], own):
                part, places = slice(rows.start, rows.stop), to[here]
                unused = ~written[part, places]
                new = np.atleast_1d(np.all(read[part, places] & unused, axis=0))
                new[: own_first * len(rows)] = False
                old = places[~new]
                clear[part, old] |= read[part, old] & ~written[part, old]
                written[part, places] = True
                have = self._filled[source][skipped:, column:].astype(np.int8)
                filled[part, places] |= (have[:, part].T @ have[:, here]) > 0
                stride = panels.width(source)
                self.program += [panels.height[source] - skipped]
                self.program += [panels.start[source] + skipped * (stride + 1), stride]
                self.program += [column + rows.start - skipped, len(rows), start + rows.start * width]
                self.program += [int(own_first), len(old), len(here)]
                pairs = np.column_stack([column + here - skipped, places])
                self.program += np.concatenate([pairs[~new], pairs[new]]).ravel().tolist()
                self.program[head + 5] += 1
        if node < panels.channel_first:
            if own == BLOCK and np.array_equal(filled[:HALF, :BLOCK], np.eye(HALF, BLOCK)):
                self.program[head + 6] = len(self.program) - head
                self.halved.add(node)
                self._halves(filled[:, BLOCK:])
            for i in range(own):  # nonzeros that arise from elimination within the panel
                for r in np.flatnonzero(filled[i, i + 1 : own]) + i + 1:
                    filled[r, r:] |= filled[i, r:]
        clear |= read & filled & ~written
        return start + np.flatnonzero(clear)

    def _halves(self, filled: np.ndarray) -> None:
        """Add to ``program`` a panel's columns if translation and rotation of its body are uncoupled:
        first those with entries in translation rows, then those with rotation entries only."""
        first = filled[:HALF].any(axis=0)
        only = filled[HALF:].any(axis=0) & ~first
        both, rest = np.flatnonzero(first).tolist(), np.flatnonzero(only).tolist()
        self.program += [len(both), len(both) + len(rest), *both, *rest]


def _given(source: np.ndarray, panel: np.ndarray) -> list[int]:
    """Entries of ``kkt_layout.given_at``: positions in an array of the step, and in the panels."""
    return (panel.astype(np.int64) << 32 | source).tolist()


def pieces(filled: np.ndarray, rows: int) -> Iterator[tuple[int, range, np.ndarray, bool]]:
    """Split the update of a later panel (target) by an earlier one (source) into pieces.

    The first ``rows`` columns of the source are the target's rows. Yields for each piece the number of
    the source's first pivots left out, the target's rows, the source's columns, and True if these
    columns begin with the ones of the piece's rows.
    """
    halves = len(filled) == BLOCK
    kind = np.where(filled[:HALF].any(axis=0) | (not halves), 0, HALF)
    kind[~filled.any(axis=0)] = BLOCK
    first = 0
    while first < rows:
        last = first + 1
        while last < rows and kind[last] == kind[first]:
            last += 1
        least, beyond = kind[first], kind[first:]
        for skipped in (0, HALF):
            here = first + np.flatnonzero(np.maximum(beyond, least) == skipped)
            if len(here) > 0:
                yield skipped, range(first, last), here, skipped == least
        first = last
