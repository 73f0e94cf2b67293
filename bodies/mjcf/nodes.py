"""The bodies of MuJoCo's tree: our bodies, and halves of bodies that are split at a loop."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..body import GROUND
from ..joints import Distance, Joint
from ..model import Model
from .degrees import Degree, degrees
from .geometry import Geometry
from .spanning import CLOSED_BY, SpanningForest, used_coordinates


@dataclass(frozen=True)
class Node:
    """One body of the tree.

    Attributes:
        name: name of the node.
        body: name of our body with the same pose and motion.
        parent: name of the parent, a node or the ground.
        degrees: MuJoCo's joints of the node relative to the parent; a single "free" joint if it floats.
        fraction: fraction of the mass and inertia of ``body`` that the node has.
    """

    name: str
    body: str
    parent: str
    degrees: tuple[Degree, ...]
    fraction: float = 1.0

    def armature(self, degree: Degree, geometry: Geometry) -> float:
        """Moment of inertia that is added to one of its degrees [kg m^2]."""
        least = np.linalg.eigvalsh(geometry.body[self.body].inertia_array)[0]
        return float(degree.armature * self.fraction * least)


def nodes_of(
    model: Model, geometry: Geometry, tree: SpanningForest
) -> tuple[list[Node], dict[str, tuple[str, str]]]:
    """Nodes, parents first, and for each split loop joint the pair (half, body) to be welded.

    If a loop joint has no equality constraint in MuJoCo, or if a coupling uses its coordinate, one of
    its bodies is split: a second body in the same pose, with an equal fraction of mass and inertia, gets
    the joint as its tree joint, and is welded to the first. The motion is the same, with six more rows.
    """
    nodes: dict[str, Node] = {}
    for name in tree.order:
        parent, joint = tree.parent[name]
        if joint is None:
            own = (Degree("free", name, np.zeros(3), geometry.position[name]),)
        else:
            own = tuple(degrees(joint, geometry.joints[joint.name], name))
        nodes[name] = Node(name, name, parent, own)
    used = used_coordinates(model)
    welds: dict[str, tuple[str, str]] = {}
    halves: dict[str, list[str]] = {}
    for joint in tree.loops:
        if not needs_half(joint, used):
            continue
        child = joint.body_b if joint.body_b != GROUND else joint.body_a
        other = joint.body_a if child == joint.body_b else joint.body_b
        name = f"{child} half at {joint.name}"
        own = tuple(degrees(joint, geometry.joints[joint.name], child))
        nodes[name] = Node(name, child, other, own)
        welds[joint.name] = (name, child)
        halves.setdefault(child, [child]).append(name)
    for parts in halves.values():
        for name in parts:
            nodes[name] = replace(nodes[name], fraction=1.0 / len(parts))
    return list(nodes.values()), welds


def needs_half(joint: Joint, used: set[str]) -> bool:
    """Whether a loop joint needs a split body, see :func:`nodes_of`; ``used``: coordinates in use."""
    if isinstance(joint, Distance):
        return False
    return type(joint) not in CLOSED_BY or any(f"{joint.name}.{k}" in used for k in joint.coordinates)


def columns(nodes: list[Node], geometry: Geometry) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """For each generalised speed of the tree, the motion at speed 1: (moved node, axis of rotation or 0,
    velocity of the node's point at the world's origin).

    The order is that of MuJoCo's speeds. A free joint translates along the world axes; free joints and
    balls rotate about the axes of the body.
    """
    found = []
    zero = np.zeros(3)
    for node in depth_first(nodes):
        R = geometry.rotation[node.body]
        for d in node.degrees:
            if d.kind == "slide":
                found.append((node.name, zero, d.axis))
            elif d.kind == "hinge":
                found.append((node.name, d.axis, np.cross(d.point, d.axis)))
            else:
                if d.kind == "free":
                    found += [(node.name, zero, e) for e in np.eye(3)]
                found += [(node.name, e, np.cross(d.point, e)) for e in R.T]
    return found


def armatures(nodes: list[Node], geometry: Geometry) -> np.ndarray:
    """Moment of inertia added to each generalised speed of :func:`columns` [kg m^2]."""
    sizes = {"free": 6, "ball": 3}
    return np.array(
        [
            node.armature(d, geometry)
            for node in depth_first(nodes)
            for d in node.degrees
            for _ in range(sizes.get(d.kind, 1))
        ]
    )


def depth_first(nodes: list[Node]) -> list[Node]:
    """Nodes in the order of MuJoCo's body numbers, depth first."""
    children: dict[str, list[Node]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node)
    order: list[Node] = []
    stack = children.get(GROUND, [])[::-1]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += children.get(node.name, [])[::-1]
    return order
