"""Elimination plan of the saddle-point matrix: a checked order, as flat tables for the kernels."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from mlcp.kkt.ordering import Order, choose_order, repeated_rows
from mlcp.kkt.structure import BLOCK, Structure
from mlcp.kkt.tables import build_tables


@dataclass(frozen=True)
class Plan:
    """A checked elimination order, compiled to tables.

    Attributes:
        structure: structure of the equations.
        order: the nodes in elimination order, with the results of the check.
        table: int64 tables, laid out as in ``mlcp.kernels.kkt.kkt_layout``.
        scale: float64, first the least compliance of each row, then the size of each row's pivot (0 if
            not monitored): the diagonal of ``J M^-1 J'``, plus a compliance of at most this diagonal.
        panel_size: length of the ``panels`` workspace.
        smallest_pivot: smallest scaled pivot in the reference poses, redundant rows left out.
        redundant_rows: number of redundant rows in the reference poses.
    """

    structure: Structure
    order: Order
    table: np.ndarray
    scale: np.ndarray
    panel_size: int
    smallest_pivot: float
    redundant_rows: int

    @property
    def scalars(self) -> int:
        """Number of eliminated unknowns: six per mass block and one per row."""
        return self.structure.scalars

    @property
    def channels(self) -> int:
        """Number of scalar channels in the trailing block."""
        return self.structure.channel_rows

    @property
    def multiply_adds(self) -> int:
        """Number of multiply-adds of one factorisation and forward substitution."""
        return self.order.multiply_adds


def make_plan(
    structure: Structure,
    mass: np.ndarray,
    jac: np.ndarray,
    compliance: np.ndarray,
    compliance_floor: float = 1e-9,
) -> Plan:
    """Choose and check the elimination order, and write the tables for it.

    Arguments:
        structure: mass blocks of each group.
        mass: (blocks, 6, 6) or flat, symmetric positive definite; with a leading axis, several
            reference poses: the order is then checked in all these poses.
        jac: (jac_size,), same leading axis.
        compliance: (rows,), e >= 0, same leading axis.
        compliance_floor: least compliance of a row, relative to its entry on the diagonal of
            ``J M^-1 J'``, or to 1000 times the least contribution of one mass block to that entry, if
            this is less; at least 1e-13 of the entry. Impulses of redundant rows are those of least
            squares, with noise of about 1e-16 / compliance_floor.

    Equal arguments get the same plan, with read-only arrays: a vehicle is often compiled several times.

    Raises ValueError for wrong sizes, non-finite values, a compliance below 0, a floor out of range, or
    a mass block that is not symmetric positive definite.
    """
    given = _poses(structure, mass, jac, compliance)
    if not 1e-14 <= compliance_floor <= 1e-3:
        raise ValueError(f"compliance_floor is {compliance_floor}; allowed are 1e-14 to 1e-3")
    return kept_plan(structure, compliance_floor, *(array.tobytes() for array in given))


@functools.lru_cache(maxsize=64)
def kept_plan(structure: Structure, compliance_floor: float, *given: bytes) -> Plan:
    """``make_plan`` for checked arrays."""
    mass, jac, e = map(np.frombuffer, given)
    mass = mass.reshape(-1, structure.blocks, BLOCK, BLOCK)
    jac, e = jac.reshape(len(mass), -1), e.reshape(len(mass), -1)
    size, smaller = _row_sizes(structure, mass, jac)
    base = np.where(size > 0.0, size, 1.0)
    floor = np.maximum(compliance_floor * np.minimum(base, 1e3 * smaller), 1e-13 * base).max(axis=0)
    e = np.maximum(e, floor)
    order = choose_order(structure, mass, jac, e)

    scaled, watched = np.ones(structure.rows), np.ones(structure.rows, dtype=bool)
    repeated = repeated_rows(structure, mass, jac, e, order)
    for node, pivots, repeats in zip(order.nodes, order.pivots, repeated, strict=True):
        if node >= structure.blocks:
            first = structure.row_offset[node - structure.blocks]
            scaled[first : first + len(pivots)] = pivots
            watched[first : first + len(pivots)] = ~repeats
    # Compliance enlarges a pivot, but may vanish later (as for an engine on a flat torque curve): leave
    # out the part of the compliance above the diagonal of J M^-1 J'.
    without = base + np.minimum(e, base)
    scaled *= ((base + e) / without).min(axis=0)
    size = np.where(watched, without.max(axis=0), 0.0)
    table, panel_size = build_tables(structure, order)
    scale = np.concatenate([floor, size])
    scale.setflags(write=False)
    return Plan(
        structure=structure,
        order=order,
        table=table,
        scale=scale,
        panel_size=panel_size,
        smallest_pivot=float(scaled[watched].min(initial=1.0)),
        redundant_rows=int(np.count_nonzero(~watched)),
    )


def _poses(
    structure: Structure, mass: np.ndarray, jac: np.ndarray, e: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bring the reference values to a common leading axis of poses; raise an error for wrong values."""
    sizes = {
        "mass": (mass, BLOCK * BLOCK * structure.blocks),
        "jac": (jac, structure.jac_size),
        "compliance": (e, structure.rows),
    }
    flat = {}
    for name, (value, size) in sizes.items():
        array = np.asarray(value, dtype=np.float64)
        if size == 0:
            flat[name] = np.zeros((1, 0))
            continue
        if array.size == 0 or array.size % size:
            raise ValueError(f"{name} has {array.size} numbers; it needs {size} per pose")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} holds a number that is not finite")
        flat[name] = array.reshape(-1, size)
    poses = max(len(a) for a in flat.values())
    for name, array in flat.items():
        if len(array) not in (1, poses):
            raise ValueError(f"{name} is given for {len(array)} poses, another array for {poses}")
        flat[name] = np.repeat(array, poses // len(array), axis=0) if len(array) == 1 else array
    blocks = flat["mass"].reshape(poses, structure.blocks, BLOCK, BLOCK)
    for b in range(structure.blocks):
        block = blocks[:, b]
        if np.abs(block - block.transpose(0, 2, 1)).max() > 1e-12 * np.abs(block).max():
            raise ValueError(f"mass block {b} is not symmetric")
        if np.linalg.eigvalsh(block).min() <= 0.0:
            raise ValueError(f"mass block {b} is not positive definite")
    if flat["compliance"].size and flat["compliance"].min() < 0.0:
        row = int(np.argmin(flat["compliance"].min(axis=0)))
        raise ValueError(f"compliance[{row}] is {flat['compliance'].min()}; it must be >= 0")
    return blocks, flat["jac"], flat["compliance"]


def _row_sizes(structure: Structure, mass: np.ndarray, jac: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Diagonal of ``J M^-1 J'`` (poses, rows), and the smallest nonzero contribution of a mass block."""
    poses = len(mass)
    size = np.zeros((poses, structure.rows))
    smaller = np.full((poses, structure.rows), np.inf)
    inverse = np.linalg.inv(mass)
    for g, (k, touched) in enumerate(structure.groups):
        rows = slice(structure.row_offset[g], structure.row_offset[g] + k)
        for s, b in enumerate(touched):
            a = structure.jac_offset[g] + s * BLOCK * k
            part = jac[:, a : a + BLOCK * k].reshape(poses, k, BLOCK)
            share = np.einsum("pij,pjk,pik->pi", part, inverse[:, b], part)
            size[:, rows] += share
            smaller[:, rows] = np.where(
                share > 0.0, np.minimum(smaller[:, rows], share), smaller[:, rows]
            )
    return size, smaller
