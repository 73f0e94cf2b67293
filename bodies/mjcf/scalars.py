"""Joint coordinates and their linear combinations as MuJoCo's joints and tendons."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from .. import checks
from .document import Document
from .geometry import text
from .loops import tendon_between


def full_name(document: Document, name: str) -> str:
    """Full name of a coordinate, such as ``"hinge.angle"`` for ``"hinge"`` (a joint with one
    coordinate)."""
    model = document.geometry.model
    return list(model.coordinate_index)[model.coordinate(name)]


def joint_of(document: Document, name: str) -> str | None:
    """Name of the MuJoCo joint of a coordinate; None for the length of a spring."""
    return document.joint.get(full_name(document, name))


def offset(document: Document, terms: tuple[tuple[str, float], ...]) -> float:
    """Our value less MuJoCo's value of a sum ``c q`` over coordinates q.

    MuJoCo's joint coordinates are zero in the initial pose, ours need not be; the length of a straight
    tendon is the same in both.
    """
    g = document.geometry
    names = [(full_name(document, n), c) for n, c in terms]
    return sum(c * g.start[n] for n, c in names if n not in g.lengths)


def combined(
    document: Document, who: str, name: str, terms: tuple[tuple[str, float], ...], **attributes: str
) -> str:
    """Add a tendon whose length is the sum of c q over ``terms`` (coordinate q, c); returns its name.

    For the length of a spring the tendon is straight, otherwise it is a sum over joints.
    """
    g = document.geometry
    names = [(full_name(document, n), c) for n, c in terms]
    if len(names) == 1 and names[0][0] in g.lengths and names[0][1] == 1.0:
        ends, (a, b) = g.lengths[names[0][0]], g.owners[names[0][0]]
        tendon_between(document, name, a, b, ends.point_a, ends.point_b, **attributes)
        return name
    if any(n in g.lengths for n, _ in names):
        raise checks.MechanismError(
            f"{who}: to_mjcf cannot combine the length of a spring with "
            "other coordinates; couple joint coordinates only."
        )
    tendon = document.add("tendon", "fixed", name=name, **attributes)
    for n, c in names:
        ET.SubElement(tendon, "joint", joint=document.joint[n], coef=text(c))
    return name


def transmission(document: Document, who: str, name: str, coordinate: str) -> dict[str, str]:
    """Attribute of an actuator that acts on a coordinate: its joint or tendon."""
    joint = joint_of(document, coordinate)
    if joint is not None:
        return {"joint": joint}
    return {"tendon": combined(document, who, name, ((coordinate, 1.0),))}
