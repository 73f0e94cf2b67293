"""The elimination order of a run, as part of a state, and its tables for the kernels."""

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
    """An elimination order with its tables for the kernels.

    Attributes:
        order: (nodes,) mass blocks and row groups in the order of elimination.
        scale: (2 rows,) ``[floor; size of each row's pivot]`` of :class:`mlcp.kkt.Plan`.
        pivot: smallest scaled pivot in the pose of the planning [-].
        table: (n,) offsets, for the kernels.
        panels: length of the panels' memory.
    """

    order: np.ndarray
    scale: np.ndarray
    pivot: float
    table: np.ndarray
    panels: int

    @classmethod
    def of(cls, plan: Plan) -> Elimination:
        """Elimination of a plan."""
        order = np.array(plan.order.nodes, dtype=np.int64)
        return cls(order, plan.scale, plan.smallest_pivot, plan.table, plan.panel_size)

    def same(self, other: Any) -> bool:
        """Whether the other has the same order, scales and pivot."""
        return other is self or (
            isinstance(other, Elimination)
            and self.pivot == other.pivot
            and np.array_equal(self.order, other.order)
            and np.array_equal(self.scale, other.scale)
        )


def eliminated(structure: Structure, order: np.ndarray, scale: np.ndarray, pivot: float) -> Elimination:
    """Elimination of a given order, with checked order and newly made tables for the kernels.

    Arguments:
        structure: of the model.
        order: (nodes,) numbers of mass blocks and row groups, int64.
        scale: (2 rows,) floors and pivot sizes; pivot: smallest planned one [-].

    Raises:
        MechanismError: the order is not a permutation of the structure's nodes, or numbers are
            missing or not finite.
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
    """Nodes updated by each elimination: the node's present neighbours, which become neighbours."""
    groups = structure.groups + structure.channels
    near: list[set[int]] = [set() for _ in range(structure.blocks + len(groups))]
    for g, (_, touched) in enumerate(groups):
        for b in touched:
            near[structure.blocks + g].add(b)
            near[b].add(structure.blocks + g)
    couplings = Couplings(near)
    return tuple(frozenset(couplings.eliminate(node)) for node in nodes)
