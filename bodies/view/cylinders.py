"""Meshes of hydraulic cylinders: barrel and rod."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..frames import frame
from ..hydraulics.circuit import Circuit
from ..hydraulics.cylinder import HydraulicCylinder
from ..mjcf.geometry import Geometry
from ..model import Model
from . import meshes
from .meshes import Mesh

BARREL_DIAMETER_RATIO = 1.25  # outer over inner diameter of a barrel
GLAND_LENGTH = 0.04  # [m] length of the rod in the barrel at full extension


def cylinders_of(model: Model) -> list[HydraulicCylinder]:
    """All cylinders of a model."""
    circuits = [e for e in model.mechanism.elements if isinstance(e, Circuit)]
    return [branch.cylinder for circuit in circuits for branch in circuit.branches]


def along_lengths(model: Model) -> dict[str, HydraulicCylinder]:
    """Cylinders between two points, by the name of the element with the points."""
    found = {(c.joint or "").removesuffix(".length"): c for c in cylinders_of(model)}
    return {name: c for name, c in found.items() if f"{name}.length" in model.coordinate_index}


def barrel_and_rod(cylinder: HydraulicCylinder, length: float) -> tuple[Mesh, Mesh]:
    """Meshes of the barrel, along z from the first eye, and of the rod, along z from the second eye.

    The z axis of each mesh points from its eye to the other eye.

    Arguments:
        cylinder: the cylinder.
        length: distance of the eyes at the cylinder's ``extension`` [m].
    """
    closed = max(length - cylinder.extension, 0.1 * length)
    thick = 0.5 * cylinder.rod if cylinder.rod > 0.0 else 0.2 * cylinder.bore
    bore = 0.5 * cylinder.bore
    barrel = meshes.rod((0, 0, 0), (0, 0, closed - GLAND_LENGTH), BARREL_DIAMETER_RATIO * bore)
    rod = meshes.rod((0, 0, 0), (0, 0, cylinder.stroke + GLAND_LENGTH), thick)
    eyes = meshes.ball((0, 0, 0), bore), meshes.ball((0, 0, 0), 1.4 * thick)
    return meshes.join([barrel, eyes[0]]), meshes.join([rod, eyes[1]])


def barrels_and_rods(
    model: Model, geometry: Geometry, attached: dict[str, list[np.ndarray]]
) -> dict[str, tuple[Mesh, bool]]:
    """Meshes of the bodies of cylinders that act along a joint: by body (mesh, whether it is a rod).

    Arguments:
        model, geometry: the model and its initial pose.
        attached: attachment points of each body, in its axes [m].
    """
    found: dict[str, tuple[Mesh, bool]] = {}
    joints = {joint.name: joint for joint in model.joint_order}
    for cylinder in cylinders_of(model):
        joint = joints.get((cylinder.joint or "").removesuffix(".translation"))
        if joint is None:
            continue
        ends, (barrel, rod) = geometry.joints[joint.name], (joint.body_a, joint.body_b)
        axis = ends.frame_a[:, 2]
        if any(name not in attached or not attached[name] for name in (barrel, rod)):
            continue
        foot = _farthest(attached[barrel], -geometry.direction_in(barrel, axis))
        eye = _farthest(attached[rod], geometry.direction_in(rod, axis))
        between = float((_world(geometry, rod, eye) - _world(geometry, barrel, foot)) @ axis)
        shell, piston = barrel_and_rod(cylinder, between)
        along = frame(geometry.direction_in(barrel, axis))
        found[barrel] = meshes.placed(shell, foot, along), False
        back = frame(-geometry.direction_in(rod, axis))
        found[rod] = meshes.placed(piston, eye, back), True
    return found


def _world(geometry: Geometry, body: str, point: np.ndarray) -> np.ndarray:
    """World coordinates of a point given in a body's axes."""
    return geometry.position[body] + geometry.rotation[body] @ point


def _farthest(points: list[np.ndarray], direction: Any) -> np.ndarray:
    """The point that is farthest in a direction."""
    return max(points, key=lambda p: float(p @ direction))
