"""Elimination order of a run's system matrix (part of the run's state), and the kernels' tables for this
order."""

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
        order: numbers of the mass blocks and row groups in the order of elimination, (nodes,).
        scale: compliance floor of each row, then reference size of its pivot, (2 rows,); see
            :class:`mlcp.kkt.Plan`.
        pivot: smallest scaled pivot in the pose in which the order was chosen [-].
        table: offsets for the kernels, (n,).
        panels: number of floats of the factors.
    """

    order: np.ndarray
    scale: np.ndarray
    pivot: float
    table: np.ndarray
    panels: int

    @classmethod
    def of(cls, plan: Plan) -> Elimination:
        """Elimination order and tables of a plan."""
        order = np.array(plan.order.nodes, dtype=np.int64)
        return cls(order, plan.scale, plan.smallest_pivot, plan.table, plan.panel_size)

    def same(self, other: Any) -> bool:
        """Whether ``other`` has the same order, scales and pivot."""
        return other is self or (
            isinstance(other, Elimination)
            and self.pivot == other.pivot
            and np.array_equal(self.order, other.order)
            and np.array_equal(self.scale, other.scale)
        )


def eliminated(structure: Structure, order: np.ndarray, scale: np.ndarray, pivot: float) -> Elimination:
    """Elimination in a given order, which is checked; its tables for the kernels are computed.

    Arguments:
        structure: graph of the model's system matrix.
        order: numbers of mass blocks and row groups, (nodes,), int64.
        scale: compliance floor of each row, then reference size of its pivot, (2 rows,).
        pivot: smallest scaled pivot in the pose in which the order was chosen [-].

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
    """For each node, its neighbours in the graph when it is eliminated; the elimination connects these
    neighbours with each other (fill-in)."""
    groups = structure.groups + structure.channels
    near: list[set[int]] = [set() for _ in range(structure.blocks + len(groups))]
    for g, (_, touched) in enumerate(groups):
        for b in touched:
            near[structure.blocks + g].add(b)
            near[b].add(structure.blocks + g)
    couplings = Couplings(near)
    return tuple(frozenset(couplings.eliminate(node)) for node in nodes)
