"""Choice of the joints of MuJoCo's tree and of those that close its loops."""

from __future__ import annotations

from dataclasses import dataclass

from ..body import GROUND
from ..joints import Distance, Fixed, Joint, Revolute, Spherical
from ..model import Model
from .geometry import Geometry

#: Cost of a loop joint that MuJoCo closes by an equality constraint: its number of rows. A hinge has
#: six, and costs one more, since one of the six is redundant.
CLOSED_BY = {Spherical: 3, Fixed: 6, Revolute: 7}
HALF = 6  # additional cost of any other loop joint: its body is split into halves, welded by 6 rows
# Additional cost of a loop joint whose coordinate is in use. The tree has the joints of highest cost.
USED = 100


@dataclass(frozen=True)
class SpanningForest:
    """A spanning forest of the bodies.

    Attributes:
        order: names of the bodies, parents before children.
        parent: (parent, joint) by body; the joint is None for the root of a floating tree.
        loops: loop-closing joints.
        repeats: pairs (hinge, earlier hinge) on the same axis of the same two bodies.
    """

    order: tuple[str, ...]
    parent: dict[str, tuple[str, Joint | None]]
    loops: tuple[Joint, ...]
    repeats: tuple[tuple[Joint, Joint], ...]


def span(model: Model, geometry: Geometry) -> SpanningForest:
    """Spanning forest whose loop-closing joints have the least total cost (Kruskal's method); bodies are
    in breadth-first order from the ground and the roots of floating trees."""
    joints = [j for j in model.joint_order if not j.compliant]
    repeats = _repeats(joints, geometry)
    gone = {repeat.name for repeat, _ in repeats}
    joints = [j for j in joints if j.name not in gone]
    used = used_coordinates(model)

    def cost(joint: Joint) -> int:
        named = any(f"{joint.name}.{kind}" in used for kind in joint.coordinates)
        return CLOSED_BY.get(type(joint), joint.rows + HALF) + USED * named

    group = {name: name for name in [*model.body_index, GROUND]}

    def root(name: str) -> str:
        while group[name] != name:
            group[name] = group[group[name]]
            name = group[name]
        return name

    edges: dict[str, list[Joint]] = {name: [] for name in group}
    chosen = set()
    candidates = [j for j in joints if not isinstance(j, Distance)]
    for joint in sorted(candidates, key=cost, reverse=True):
        a, b = root(joint.body_a), root(joint.body_b)
        if a != b:
            group[a] = b
            chosen.add(joint.name)
            edges[joint.body_a].append(joint)
            edges[joint.body_b].append(joint)
    mass = {b.name: b.mass for b in model.mechanism.bodies}
    order: list[str] = []
    parent: dict[str, tuple[str, Joint | None]] = {}
    for start in [GROUND, *sorted(mass, key=mass.__getitem__, reverse=True)]:
        if start in parent:
            continue
        if start != GROUND:
            parent[start] = (GROUND, None)
            order.append(start)
        queue = [start]
        for name in queue:
            for joint in edges[name]:
                other = joint.body_b if joint.body_a == name else joint.body_a
                if other not in parent and other != GROUND:
                    parent[other] = (name, joint)
                    order.append(other)
                    queue.append(other)
    loops = tuple(j for j in joints if j.name not in chosen)
    return SpanningForest(tuple(order), parent, loops, tuple(repeats))


def used_coordinates(model: Model) -> set[str]:
    """Full names of the joint coordinates on which couplings and forces act."""
    full = list(model.coordinate_index)
    names = [n for c in model.coupling_order for n, _ in c.terms()]
    names += [e.joint for e in model.mechanism.elements if hasattr(e, "effort")]
    return {full[model.coordinate(name)] for name in names}


def _repeats(joints: list[Joint], geometry: Geometry) -> list[tuple[Joint, Joint]]:
    """Pairs of a hinge, all of whose rows are redundant, and the earlier hinge of the same two bodies on
    the same axis."""
    found = []
    hinges = [j for j in joints if isinstance(j, Revolute)]
    for k, second in enumerate(hinges):
        for original in hinges[:k]:
            if {second.body_a, second.body_b} != {original.body_a, original.body_b}:
                continue
            a, b = geometry.joints[original.name], geometry.joints[second.name]
            n, d = a.frame_a[:, 2], b.point_a - a.point_a
            if abs(abs(n @ b.frame_a[:, 2]) - 1.0) < 1e-9 and ((d - n * (n @ d)) ** 2).sum() < 1e-12:
                found.append((second, original))
                break
    return found
