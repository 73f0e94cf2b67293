"""The elimination order of a run: what a state keeps of it, and the tables made again from that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlcp.kkt.ordering import Couplings, Order
from mlcp.kkt.plan import Plan
from mlcp.kkt.structure import Structure
from mlcp.kkt.tables import build_tables

from .. import checks


@dataclass(frozen=True, eq=False)
class Elimination:
    """An order of elimination, and the kernels' tables for it.

    Attributes:
        order: (nodes,) mass blocks and row groups as they are eliminated.
        scale: (2 rows,) ``[floor; size of each row's pivot]`` of :class:`mlcp.kkt.Plan`.
        pivot: smallest scaled pivot in the pose it was planned for [-].
        table: (n,) places, for the kernels.
        panels: length of the panels' memory.
    """

    order: np.ndarray
    scale: np.ndarray
    pivot: float
    table: np.ndarray
    panels: int

    @classmethod
    def of(cls, plan: Plan) -> Elimination:
        """What a run needs of a plan."""
        order = np.array(plan.order.nodes, dtype=np.int64)
        return cls(order, plan.scale, plan.smallest_pivot, plan.table, plan.panel_size)

    def same(self, other: Any) -> bool:
        """Whether the other has the same order, numbers included."""
        return other is self or (
            isinstance(other, Elimination)
            and self.pivot == other.pivot
            and np.array_equal(self.order, other.order)
            and np.array_equal(self.scale, other.scale)
        )


def eliminated(structure: Structure, order: np.ndarray, scale: np.ndarray, pivot: float) -> Elimination:
    """The elimination of a given order, tables made again: nothing else from outside reaches a kernel.

    Arguments:
        structure: of the model.
        order: (nodes,) numbers of mass blocks and row groups, int64.
        scale: (2 rows,) floors and pivot sizes; pivot: smallest planned [-].

    Raises:
        MechanismError: the order is no permutation of the structure's nodes, or numbers are missing or
            not finite.
    """
    nodes, count = order.tolist(), structure.blocks + len(structure.groups)
    if sorted(nodes) != list(range(count)):
        raise checks.MechanismError(
            f"state: its elimination order of {len(nodes)} nodes is none of this model's {count}."
        )
    if scale.shape != (2 * structure.rows,) or not np.all(np.isfinite([*scale, pivot])):
        raise checks.MechanismError(
            f"state: its elimination needs {2 * structure.rows} finite scales and a finite pivot."
        )
    coupled = _coupled(structure, nodes)
    table, panels = build_tables(structure, Order(tuple(nodes), coupled, (), 0.0, 0))
    return Elimination(order, scale, pivot, table, panels)


def _coupled(structure: Structure, nodes: Sequence[int]) -> tuple[frozenset[int], ...]:
    """The nodes that each elimination updates: its neighbours then, who become each other's."""
    groups = structure.groups + structure.channels
    near: list[set[int]] = [set() for _ in range(structure.blocks + len(groups))]
    for g, (_, touched) in enumerate(groups):
        for b in touched:
            near[structure.blocks + g].add(b)
            near[b].add(structure.blocks + g)
    couplings = Couplings(near)
    return tuple(frozenset(couplings.eliminate(node)) for node in nodes)
