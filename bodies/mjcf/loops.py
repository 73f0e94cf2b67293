"""Joints that close loops, as equality constraints."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from ..body import GROUND
from ..joints import Bushing, Distance, Fixed, Joint, Revolute
from .document import Document
from .geometry import text


def close_loop(document: Document, joint: Joint) -> None:
    """Add the constraint of a loop joint.

    A Distance becomes a tendon of constant length, a Spherical joint a connect, a Fixed joint a weld, a
    Revolute joint a connect at each of two points of its axis (one of the six rows is redundant)."""
    ends = document.geometry.joints[joint.name]
    a, b, name = joint.body_a, joint.body_b, joint.name
    if isinstance(joint, Distance):
        tendon_between(document, name, a, b, ends.point_a, ends.point_b)
        document.add("equality", "tendon", name=name, tendon1=name)
        return
    if isinstance(joint, Fixed):
        sites = [
            document.site(f"{name}.{end}", body, ends.point_a, ends.frame_a)
            for end, body in (("a", a), ("b", b))
        ]
        document.add("equality", "weld", name=name, site1=sites[0], site2=sites[1])
        return
    reach = [0.0]
    if isinstance(joint, Revolute):
        half = 0.5 * _size(document, [k for k in (a, b) if k != GROUND])
        reach = [-half, half]
    for k, along in enumerate(reach):
        suffix = "" if len(reach) == 1 else f".{k + 1}"
        sites = [
            document.site(f"{name}{suffix}.{end}", body, point + along * frame[:, 2])
            for end, body, point, frame in (
                ("a", a, ends.point_a, ends.frame_a),
                ("b", b, ends.point_b, ends.frame_b),
            )
        ]
        document.add("equality", "connect", name=f"{name}{suffix}", site1=sites[0], site2=sites[1])


def _size(document: Document, bodies: list[str]) -> float:
    """Least sqrt(trace of inertia / mass) of ``bodies`` [m]: distance of the two points of a hinge."""
    found = [document.geometry.body[name] for name in bodies]
    return min(float(np.sqrt(np.trace(b.inertia_array) / b.mass)) for b in found)


def weld_half(document: Document, name: str, half: str, body: str) -> None:
    """Weld the half ``half`` of a body to the other half, ``body``."""
    document.add("equality", "weld", name=name, body1=half, body2=body, relpose="0 0 0 1 0 0 0")


def tendon_between(
    document: Document,
    name: str,
    a: str,
    b: str,
    point_a: np.ndarray,
    point_b: np.ndarray,
    **attributes: str,
) -> None:
    """Add a straight tendon between points of two bodies."""
    tendon = document.add("tendon", "spatial", name=name, **attributes)
    for end, body, point in (("a", a, point_a), ("b", b, point_b)):
        ET.SubElement(tendon, "site", site=document.site(f"{name}.{end}", body, point))


def bushing(document: Document, joint: Bushing) -> None:
    """Add a bushing: six linear actuators, one per direction, from a site of body_a to a site of body_b.

    The length of such an actuator is a deflection of the bushing: a coordinate of the second site in the
    axes of the first, or of the relative rotation vector. MuJoCo applies the forces at the two sites,
    not at a common point, so that a torque of force times deflection is missing.
    """
    document.notes.append(f"{joint.who}: exact to first order in its deflection.")
    ends = document.geometry.joints[joint.name]
    first = document.site(f"{joint.name}.a", joint.body_a, ends.point_a, ends.frame_a)
    second = document.site(f"{joint.name}.b", joint.body_b, ends.point_b, ends.frame_b)
    stiffness = (*joint.stiffness, *joint.rotational_stiffness)
    damping = (*joint.damping, *joint.rotational_damping)
    for k, (s, c) in enumerate(zip(stiffness, damping, strict=True)):
        if s or c:
            document.actuator(
                f"{joint.name}.{'xyz'[k % 3]}{'' if k < 3 else ' turn'}",
                site=second,
                refsite=first,
                gear=text(np.eye(6)[k]),
                gainprm="0",
                biastype="affine",
                biasprm=text((0.0, -s, -c)),
            )
