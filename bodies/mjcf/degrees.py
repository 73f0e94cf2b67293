"""Degrees of freedom of a tree joint as MuJoCo's hinges, slides and balls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import checks
from ..joints import ConstantVelocity, Joint, Planar, PointOnLine, Spherical, Universal
from .geometry import JointEnds, quaternion_of


@dataclass(frozen=True)
class Degree:
    """One MuJoCo joint of a body.

    Attributes:
        kind: ``"hinge"``, ``"slide"``, ``"ball"`` or ``"free"``.
        name: name of the MuJoCo joint.
        axis, point: axis and point of the joint, world axes, initial pose.
        coordinate: full name of our joint coordinate with the same value and sign, or "".
        armature: moment of inertia added to a hinge that may be parallel to another one of its body,
            over the least moment of the body [-]: otherwise the mass matrix would be singular.
    """

    kind: str
    name: str
    axis: np.ndarray
    point: np.ndarray
    coordinate: str = ""
    armature: float = 0.0


@dataclass(frozen=True)
class Side:
    """A joint and its child body in MuJoCo's tree.

    The axis of MuJoCo's first joint of a body is fixed to the parent, the axis of the second moves with
    the first joint, and so on. If the child is body_a, all axes are reversed, so that the coordinates
    have the signs of this package.
    """

    joint: Joint
    ends: JointEnds
    forward: bool

    @property
    def axis(self) -> np.ndarray:
        """Axis of the joint on body_a."""
        return self.ends.frame_a[:, 2]

    @property
    def frames(self) -> tuple[np.ndarray, np.ndarray]:
        """Frames of the joint on parent and child."""
        a, b = self.ends.frame_a, self.ends.frame_b
        return (a, b) if self.forward else (b, a)

    def one(self, kind: str, direction: np.ndarray, suffix: str = "", coordinate: str = "") -> Degree:
        """A MuJoCo joint along ``direction``, reversed if the child is body_a."""
        name = f"{self.joint.name}.{suffix}" if suffix else self.joint.name
        full = f"{self.joint.name}.{coordinate}" if coordinate else ""
        sign = 1.0 if self.forward else -1.0
        return Degree(kind, name, sign * direction, self.ends.point_b, full)


def _coordinates(side: Side) -> list[Degree]:
    """Slide or hinge for each coordinate of the joint."""
    names = sorted(side.joint.coordinates, reverse=True)  # slide before hinge
    kinds = {"translation": "slide", "angle": "hinge"}
    return [side.one(kinds[n], side.axis, n if len(names) > 1 else "", n) for n in names]


def _ball(side: Side) -> list[Degree]:
    return [side.one("ball", side.axis)]


def _plate(side: Side) -> list[Degree]:
    x, y, z = side.frames[0].T
    return [side.one("slide", x, "x"), side.one("slide", y, "y"), side.one("hinge", z, "angle", "angle")]


def _pins(side: Side) -> list[Degree]:
    first, second = (frame[:, 2] for frame in side.frames)
    return [side.one("hinge", first, "1"), side.one("hinge", second, "2")]


def _bend(side: Side) -> list[Degree]:
    """Three hinges for a constant-velocity joint: with equal angles u of the first and the last hinge
    the rotation ``R_x(u) R_y(v) R_x(u)`` has no twist. Both are parallel if the shafts are in line."""
    parent, child = side.frames
    x, y, z = parent.T
    q = quaternion_of(parent.T @ child)
    u = np.arctan2(q[1], q[0])
    return [
        Degree("hinge", f"{side.joint.name}.{k}", direction, side.ends.point_b, "", armature)
        for k, direction, armature in (
            (1, x, 1e-5),
            (2, np.cos(u) * y + np.sin(u) * z, 0.0),
            (3, child[:, 0], 1e-5),
        )
    ]


def _line(side: Side) -> list[Degree]:
    line = [
        side.one("slide", side.axis, "translation", "translation"),
        side.one("ball", side.axis, "ball"),
    ]
    return line if side.forward else line[::-1]


#: Functions that return MuJoCo's joints for a joint with more degrees of freedom than coordinates.
MORE: dict[type[Joint], Callable[[Side], list[Degree]]] = {
    Spherical: _ball,
    Planar: _plate,
    Universal: _pins,
    ConstantVelocity: _bend,
    PointOnLine: _line,
}


def degrees(joint: Joint, ends: JointEnds, child: str) -> list[Degree]:
    """MuJoCo joints of ``child``, one of the joint's two bodies, relative to the other body, in
    order."""
    found = MORE.get(type(joint), _coordinates)
    if found is _coordinates and joint.rows + len(joint.coordinates) != 6:
        raise checks.MechanismError(f"{joint.who}: to_mjcf does not know this joint.")
    return found(Side(joint, ends, child == joint.body_b))
