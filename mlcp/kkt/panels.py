"""Layout of the factor's panels: one for the rows of each node (a mass block or a row group), in the
order of elimination, then the trailing panel of all channels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from mlcp.kernels.kkt.kkt_layout import LONGEST_RUN
from mlcp.kkt.ordering import Order
from mlcp.kkt.structure import BLOCK, Structure


@dataclass(frozen=True)
class ColumnRun:
    """Run of up to ``LONGEST_RUN`` columns of a node's panel that are adjacent in a later panel too."""

    node: int
    target: int
    rows: int  # number of rows of the later panel
    length: int
    ratios: int  # column in the node's panel that has the factors of the later panel's first row
    column: int  # first column in the node's panel
    there: int  # first column in the later panel


@dataclass
class Panels:
    """Layout of a panel for every node in elimination order, then of the trailing panel of the channels.

    Nodes are the mass blocks, the row groups and the channel groups, numbered in this order. A panel's
    columns are identified by their scalars: the node's own, then those of the nodes coupled with it.
    """

    structure: Structure
    order: Order
    height: list[int] = field(init=False)
    place: dict[int, int] = field(init=False)  # position of a node in elimination order
    first: np.ndarray = field(init=False)  # first scalar of each node, in elimination order
    start: dict[int, int] = field(init=False)
    column: dict[int, dict[int, int]] = field(init=False)  # per node, column of each scalar
    later: dict[int, list[int]] = field(init=False)  # nodes coupled with a node, in order
    trailing: int = field(init=False)
    size: int = field(init=False)

    def __post_init__(self) -> None:
        structure, order, nc = self.structure, self.order, self.structure.channel_rows
        height = [BLOCK] * structure.blocks + [k for k, _ in structure.groups + structure.channels]
        self.height, channels = height, range(self.channel_first, len(height))
        self.place = {node: i for i, node in enumerate(order.nodes)} | {c: c for c in channels}
        self.first = np.zeros(len(height), dtype=np.int64)
        done = 0
        for node in (*order.nodes, *channels):
            self.first[node] = done
            done += height[node]
        self.later = {
            node: sorted(coupled, key=self.place.__getitem__)
            for node, coupled in zip(order.nodes, order.coupled, strict=True)
        }
        self.start, self.column, self.size = {}, {}, 0
        for node, later in self.later.items():
            self.column[node] = {scalar: c for c, scalar in enumerate(self.scalars([node, *later]))}
            self.start[node] = self.size
            self.size += height[node] * len(self.column[node])
        self.trailing = self.size
        self.size += nc * nc
        for node, offset in zip(channels, structure.channel_offset, strict=False):
            self.start[node] = self.trailing + int(offset) * nc
            self.column[node] = {structure.scalars + c: c for c in range(nc)}

    @property
    def channel_first(self) -> int:
        """Number of the first channel group in the numbering of the nodes."""
        return self.structure.blocks + len(self.structure.groups)

    def scalars(self, nodes: list[int]) -> list[int]:
        """Scalars of some nodes, in elimination order."""
        return [int(self.first[j]) + c for j in nodes for c in range(self.height[j])]

    def width(self, node: int) -> int:
        """Number of columns of a node's panel."""
        return len(self.column[node])

    def entry(self, node: int, i: int, other: int) -> int:
        """Panel position of the entry in row i of a node and the first column of another node."""
        return self.start[node] + i * self.width(node) + self.column[node][int(self.first[other])]

    def runs(self, node: int) -> Iterator[ColumnRun]:
        """Runs of columns (``ColumnRun``) by which a node's elimination updates later panels."""
        ratios, scalars = self.height[node], list(self.column[node])
        for target in self.later[node]:
            at, rows = self.column[target], self.height[target]
            c = ratios
            while c < len(scalars):
                there, length = at[scalars[c]], 1
                while (
                    length < LONGEST_RUN
                    and c + length < len(scalars)
                    and at[scalars[c + length]] == there + length
                ):
                    length += 1
                yield ColumnRun(node, target, rows, length, ratios, c, there)
                c += length
            ratios += rows

    def jacobian(self) -> Iterator[tuple[int, bool, int, int]]:
        """Positions in the panels of the numbers of ``jac``, six by six.
        Yields for each six: node of the panel, True if the six are in a row of the panel (else in a
        column), start in ``jac``, panel position of the first number.
        """
        structure, nb = self.structure, self.structure.blocks
        for g, (k, touched) in enumerate(structure.groups + structure.channels):
            group = nb + g
            for s, b in enumerate(touched):
                for i in range(k):
                    source = int(structure.jac_offset[g]) + (s * k + i) * BLOCK
                    if group < self.channel_first and self.place[group] < self.place[b]:
                        yield group, True, source, self.entry(group, i, b)
                    else:
                        yield b, False, source, self.entry(b, 0, group) + i
