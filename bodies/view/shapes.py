"""Meshes of bodies, guessed from their joints, mass and inertia if the description has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..appearance import Look
from ..body import GROUND
from ..forces import PointForce, SpringDamper
from ..frames import frame
from ..joints import Bushing, Fixed, Revolute
from ..mechanism import Mechanism
from ..mjcf.geometry import Geometry
from ..model import Model
from . import meshes
from .cylinders import along_lengths, barrel_and_rod, barrels_and_rods
from .meshes import Mesh

Colour = tuple[int, int, int]
TYRE: Colour = (38, 40, 43)
RIM: Colour = (196, 200, 204)
FRAME: Colour = (52, 66, 82)
HULL: Colour = (124, 150, 176)
SPRING: Colour = (214, 92, 48)
BARREL: Colour = (58, 62, 68)
ROD: Colour = (206, 210, 214)
#: Colours of the smaller bodies, used in turn.
PARTS: tuple[Colour, ...] = (
    (86, 125, 163),
    (206, 148, 60),
    (122, 158, 112),
    (170, 110, 120),
    (110, 128, 140),
    (190, 176, 142),
)


@dataclass(frozen=True)
class DrawnPart:
    """A mesh in the axes of a body, with its colour and opacity."""

    mesh: Mesh
    colour: Colour
    opacity: float | None = None


@dataclass(frozen=True)
class Strut:
    """A mesh between two points: it starts at the first point, its z axis points to the second.

    Attributes:
        mesh: mesh about the z axis.
        ends: for each point its body (number, or None for the ground) and coordinates in the body's axes
            [m].
        colour: colour of the mesh.
        stretched: whether the mesh is 1 m long and scaled to the distance of the points.
    """

    mesh: Mesh
    ends: list[tuple[int | None, np.ndarray]]
    colour: Colour
    stretched: bool = False

    def pose(self, x: np.ndarray, turns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray, float]:
        """World coordinates of the first point [m], axes of the mesh in columns, and scale along z.

        Arguments:
            x, turns: positions [m] and rotation matrices of all bodies.
        """
        a, b = (p if k is None else x[k] + turns[k] @ p for k, p in self.ends)
        length = float(np.linalg.norm(b - a))
        return a, frame((b - a) / max(length, 1e-9)), length if self.stretched else 1.0


def shapes_of(model: Model) -> dict[str, list[DrawnPart]]:
    """Drawn parts of every body, by its name."""
    geometry = Geometry(model)
    mechanism = model.mechanism
    heaviest = max(b.mass for b in mechanism.bodies)
    attached = {
        b.name: _attachments(model, geometry, b.name, b.mass < 0.1 * heaviest) for b in mechanism.bodies
    }
    wheels: dict[str, list[Any]] = {}
    for wheel in mechanism.wheels:
        wheels.setdefault(wheel.body, []).append(wheel)
    out = outward_signs(mechanism)
    contacts: dict[str, list[Any]] = {}
    for contact in mechanism.contacts:
        contacts.setdefault(contact.body, []).append(contact)
    parts: dict[str, list[DrawnPart]] = {}
    turn = 0
    oil = barrels_and_rods(model, geometry, attached)
    looks = _looks(model, geometry, fixed=False)
    for body in mechanism.bodies:
        if body.name in looks:
            parts[body.name] = looks[body.name]
        elif body.name in oil:
            mesh, is_rod = oil[body.name]
            parts[body.name] = [DrawnPart(mesh, ROD if is_rod else BARREL)]
        elif body.name in wheels:
            parts[body.name] = [p for w in wheels[body.name] for p in _wheel(geometry, w, out[w.name])]
        elif body.name in contacts:
            colour = PARTS[turn % len(PARTS)]
            parts[body.name] = [_contact(geometry, c, colour) for c in contacts[body.name]]
            turn += 1
        elif len(attached[body.name]) >= 8 and body.mass > 0.3 * heaviest:
            parts[body.name] = _frame(attached[body.name], body)
        elif _mounted(model, body.name) and body.mass > 0.1 * heaviest:
            parts[body.name] = [DrawnPart(meshes.box(0.8 * equivalent_box(body), 0.06), HULL, 0.45)]
        else:
            axis = _hinge_axis(model, geometry, body.name)
            parts[body.name] = [
                DrawnPart(_links(attached[body.name], body, axis), PARTS[turn % len(PARTS)])
            ]
            turn += 1
    return parts


def fixed_shapes(model: Model) -> list[DrawnPart]:
    """Plates of looks on the ground, in world axes."""
    return _looks(model, Geometry(model), fixed=True).get(GROUND, [])


def _looks(model: Model, geometry: Geometry, fixed: bool) -> dict[str, list[DrawnPart]]:
    """Plates of looks by body, in its axes; fixed: of looks on the ground, otherwise of all others."""
    looks: dict[str, list[DrawnPart]] = {}
    of_kind = (e for e in model.mechanism.elements if isinstance(e, Look))
    for look in (e for e in of_kind if (e.body == GROUND) == fixed):
        for corners in look.hulls:
            local = [geometry.point_in(look.body, geometry.point_of(look.body, p)) for p in corners]
            mesh = meshes.hull(np.array(local))
            red, green, blue = (round(c) for c in look.colour)
            opacity = None if look.opacity == 1.0 else look.opacity
            looks.setdefault(look.body, []).append(DrawnPart(mesh, (red, green, blue), opacity))
    return looks


def struts_of(model: Model) -> list[Strut]:
    """Coils of springs between two points, barrels and rods of cylinders that act along a ``Length``."""
    geometry, found = Geometry(model), []
    oil = along_lengths(model)
    for name, ends in geometry.lengths.items():
        attached = [
            (model.body_index.get(body), geometry.point_in(body, point))
            for body, point in zip(geometry.owners[name], (ends.point_a, ends.point_b), strict=True)
        ]
        length = float(np.linalg.norm(ends.point_b - ends.point_a))
        owner = name.removesuffix(".length")
        if owner in oil:
            barrel, rod = barrel_and_rod(oil[owner], length)
            found += [Strut(barrel, attached, BARREL), Strut(rod, attached[::-1], ROD)]
        elif any(e.name == owner and isinstance(e, SpringDamper) for e in model.mechanism.elements):
            r = float(np.clip(0.22 * length, 0.01, 0.075))
            coil = meshes.spring((0, 0, 0), (0, 0, 1.0), r, 0.16 * r)
            found.append(Strut(coil, attached, SPRING, stretched=True))
    return found


def equivalent_box(body: Any) -> np.ndarray:
    """Edges [m] of the homogeneous box with the body's mass and (diagonal) inertia."""
    I = np.diag(body.inertia_array)  # noqa: E741
    return np.sqrt(np.maximum(6.0 * (I.sum() - 2.0 * I) / body.mass, 1e-6))


def _mounted(model: Model, name: str) -> bool:
    """Whether a body is fixed to another body or on rubber mounts."""
    return any(
        isinstance(j, Fixed | Bushing) and name in (j.body_a, j.body_b) for j in model.joint_order
    )


def _attachments(model: Model, geometry: Geometry, name: str, light: bool) -> list[np.ndarray]:
    """Attachment points of a body, body axes [m]; both ends of a hinge if the body is ``light``."""
    found: list[np.ndarray] = []

    def add(point: np.ndarray) -> None:
        local = geometry.point_in(name, point)
        if all(np.linalg.norm(local - other) > 0.02 for other in found):
            found.append(local)

    for joint in model.joint_order:
        ends = geometry.joints[joint.name]
        if name == joint.body_a:
            point, axis = ends.point_a, ends.frame_a[:, 2]
        elif name == joint.body_b:
            point, axis = ends.point_b, ends.frame_b[:, 2]
        else:
            continue
        reach = float(np.linalg.norm(point - geometry.position[name]))
        local = geometry.direction_in(name, axis)
        across = reach > 0.05 and abs(local @ geometry.point_in(name, point)) < 0.3 * reach
        if light and isinstance(joint, Revolute) and across:
            add(point - 0.5 * reach * axis)
            add(point + 0.5 * reach * axis)
        else:
            add(point)
    for element in model.mechanism.elements:
        if isinstance(element, PointForce) and element.body == name:
            add(geometry.point_of(name, element.position))
    for name_of, ends in geometry.lengths.items():
        a, b = geometry.owners[name_of]
        if name == a:
            add(ends.point_a)
        elif name == b:
            add(ends.point_b)
    return found


def _hinge_axis(model: Model, geometry: Geometry, name: str) -> np.ndarray | None:
    """Axis of a body's first hinge, body axes; None without a hinge."""
    for joint in model.joint_order:
        if isinstance(joint, Revolute) and name in (joint.body_a, joint.body_b):
            return geometry.direction_in(name, geometry.joints[joint.name].frame_a[:, 2])
    return None


def _rotor(body: Any, axis: np.ndarray) -> Mesh:
    """Homogeneous cylinder about ``axis`` with the body's mass and moments of inertia."""
    spin = float(axis @ body.inertia_array @ axis)
    across = 0.5 * (float(np.trace(body.inertia_array)) - spin)
    radius = np.sqrt(2.0 * spin / body.mass)
    half = 0.5 * np.sqrt(max(12.0 * across / body.mass - 3.0 * radius**2, (0.2 * radius) ** 2))
    return meshes.rod(-half * axis, half * axis, float(radius), 40)


def _links(points: list[np.ndarray], body: Any, axis: np.ndarray | None) -> Mesh:
    """Rods from the points to their middle (of two points one rod, of three points to the farthest); a
    box or rotor if all points are near the centre of mass."""
    size = equivalent_box(body)
    thick = float(np.clip(0.045 * (body.mass / 6.0) ** (1.0 / 3.0), 0.012, 0.09))
    spread = [p for p in points if np.linalg.norm(p) > 0.03]
    if not spread and axis is not None:
        return _rotor(body, axis)
    if not spread:
        return meshes.box(size, 0.1 * float(size.min()))
    if len(points) <= 2:
        ends = points if len(points) == 2 else [points[0], -points[0]]
        return meshes.rod(ends[0], ends[1], thick)
    middle = np.mean(points, axis=0)
    far = max(points, key=lambda p: float(np.linalg.norm(p - middle)))
    # with three points the rods meet at the farthest of these points, as in a wishbone
    hub = far if len(points) == 3 else middle
    rods = [meshes.rod(p, hub, 0.8 * thick) for p in points if p is not far or hub is middle]
    knots = [meshes.ball(p, 1.15 * thick) for p in points]
    return meshes.join([*rods, *knots])


def _frame(points: list[np.ndarray], body: Any) -> list[DrawnPart]:
    """Ladder frame through the points, and a translucent box above it."""
    p = np.array(points)
    size = equivalent_box(body)
    low = float(np.percentile(p[:, 2], 40.0))
    y = float(np.clip(np.median(np.abs(p[:, 1])), 0.25, 0.5 * size[1]))
    x0, x1 = float(p[:, 0].min()) - 0.15, float(p[:, 0].max()) + 0.15
    rails = [
        meshes.placed(meshes.box((x1 - x0, 0.09, 0.13), 0.015), (0.5 * (x0 + x1), s * y, low))
        for s in (-1.0, 1.0)
    ]
    stations = np.unique(np.round(p[np.abs(p[:, 1]) > 0.1, 0] / 0.35)) * 0.35
    cross = [meshes.rod((x, -y, low), (x, y, low), 0.035) for x in [*stations, x0, x1]]
    struts = [
        meshes.rod(q, (q[0], np.copysign(y, q[1]), low), 0.028)
        for q in p
        if abs(q[1]) > 0.1 and np.linalg.norm(q - [q[0], np.copysign(y, q[1]), low]) > 0.08
    ]
    shell = meshes.placed(
        meshes.box((x1 - x0, 1.15 * 2 * y, 0.35 * size[2]), 0.08),
        (0.5 * (x0 + x1), 0.0, low + 0.3 * size[2]),
    )
    return [DrawnPart(meshes.join([*rails, *cross, *struts]), FRAME), DrawnPart(shell, HULL, 0.22)]


def outward_signs(mechanism: Mechanism) -> dict[str, float]:
    """Signs by wheel: 1 on the left of the mean of all wheel centres, along the spin axis, otherwise
    -1."""
    middle = np.mean([w.centre for w in mechanism.wheels] or [(0.0, 0.0, 0.0)], axis=0)
    return {
        w.name: 1.0 if np.dot(w.spin_axis, w.centre - middle) >= -1e-9 else -1.0
        for w in mechanism.wheels
    }


def _wheel(geometry: Geometry, wheel: Any, out: float) -> list[DrawnPart]:
    """Meshes of tyre, lugs and rim; the open side of the rim is outward, along ``out`` times the
    axis."""
    centre = geometry.point_of(wheel.body, wheel.centre)
    axis = geometry.direction_of(wheel.body, wheel.spin_axis)
    local = geometry.direction_in(wheel.body, axis * out)
    where, axes = geometry.point_in(wheel.body, centre), meshes.frame(local)
    rubber = meshes.join(
        [meshes.tyre(0.985 * wheel.radius, wheel.width), meshes.lugs(0.985 * wheel.radius, wheel.width)]
    )
    return [
        DrawnPart(meshes.placed(rubber, where, axes), TYRE),
        DrawnPart(meshes.placed(meshes.rim(wheel.radius, wheel.width), where, axes), RIM),
    ]


def _contact(geometry: Geometry, contact: Any, colour: Colour) -> DrawnPart:
    """Mesh of a rigid contact's shape."""
    centre = (
        np.zeros(3)
        if contact.position is None
        else geometry.point_in(contact.body, geometry.point_of(contact.body, contact.position))
    )
    s = contact.shape
    kind = type(s).__name__
    if kind == "Sphere":
        mesh = meshes.ball((0, 0, 0), s.radius)
    elif kind == "Box":
        mesh = meshes.box((s.length, s.width, s.height), 0.03 * min(s.length, s.width, s.height))
    else:
        mesh = meshes.rod((0, 0, -0.5 * s.length), (0, 0, 0.5 * s.length), s.radius, 40)
    return DrawnPart(meshes.placed(mesh, centre), colour)
