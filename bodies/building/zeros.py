"""Structural zeros of the mass blocks and of the Jacobian."""

from __future__ import annotations

from collections.abc import Iterator

from ..kernels import codes
from ..kernels.forces import DRAFT
from .builder import Builder


def mass_zeros(builder: Builder) -> tuple[int, ...]:
    """Indices of the structural zeros of the mass blocks ``diag(m 1, I)``. The block of a body with a
    draft force is full, since the force's damping is added to it."""
    drawn = {target for (kind, target, *_), _ in builder.forces if kind == DRAFT}
    return tuple(
        36 * b + 6 * i + j
        for b in range(builder.nb)
        if b not in drawn
        for i in range(6)
        for j in range(6)
        if i != j and min(i, j) < 3
    )


def jac_zeros(builder: Builder) -> tuple[int, ...]:
    """Indices of the structural zeros of the Jacobian.

    The row of an angle has zeros for the velocity of the centre of mass. The three rows of a coincident
    point are along the world axes: row i has zeros for two of the three velocity components, and for the
    rotation about axis i.
    """
    nodes, start = [*builder.groups, *builder.channels], 0
    found: list[int] = []
    for node, (_, rows, bodies) in enumerate(nodes):
        for _ in bodies:
            found += [start + 6 * i + j for i, j in _of_node(builder, node) if i < rows]
            start += 6 * rows
    return tuple(found)


def _of_node(builder: Builder, node: int) -> Iterator[tuple[int, int]]:
    """Rows and columns of the zeros in the Jacobian block of a node (joint, coupling or contact), equal
    for all its bodies."""
    joints, factored = len(builder.joint_records), len(builder.groups)
    if node < joints:
        joint, _ = builder.joint_records[node]
        if joint.linear_rows == 3 and not joint.compliant:  # rows of a coincident point
            for i in range(3):
                yield from ((i, j) for j in (*range(3), 3 + i) if j != i)
        yield from ((i, j) for i in range(joint.linear_rows, joint.rows) for j in range(3))
    for coupling, bounded, k in builder.couplings:
        if node == k + (factored if bounded else 0):
            names = (builder.coordinate(coupling.who, name) for name, _ in coupling.terms())
            if all(builder.coordinate_ints[c][0] == codes.ANGLE for c in names):
                yield from ((0, j) for j in range(3))
