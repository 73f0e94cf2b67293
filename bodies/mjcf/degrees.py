"""What a joint of the tree leaves free, as MuJoCo's hinges, slides and balls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import checks
from ..joints import Joint
from ..kernels import codes
from .geometry import Ends, quaternion_of


@dataclass(frozen=True)
class Degree:
    """One MuJoCo joint of a body.

    Attributes:
        kind: ``"hinge"``, ``"slide"``, ``"ball"`` or ``"free"``.
        name: of the MuJoCo joint.
        axis, point: world axes, initial pose.
        coordinate: full name of our joint coordinate that it carries with the same sign, or "".
    """

    kind: str
    name: str
    axis: np.ndarray
    point: np.ndarray
    coordinate: str = ""


def degrees(joint: Joint, ends: Ends, child: str) -> list[Degree]:
    """The joints of ``child`` (one of the joint's two bodies) relative to the other, in order.

    MuJoCo turns a body about its joints in order, the first one fixed to the parent. Where the
    child is body_a all axes are reversed, so that coordinates keep their sign. A constant-velocity
    joint is three hinges, the first and last of which turn equally: ``R_x(u) R_y(v) R_x(u)`` is a
    bend without twist.
    """
    forward = child == joint.body_b
    sign = 1.0 if forward else -1.0
    point, other = ends.point_b, ends.frame_b[:, 2]
    x, y, z = (ends.frame_a if forward else ends.frame_b).T
    axis = ends.frame_a[:, 2]

    def one(kind: str, direction: np.ndarray, suffix: str, coordinate: str = "") -> Degree:
        name = f"{joint.name}.{suffix}" if suffix else joint.name
        full = f"{joint.name}.{coordinate}" if coordinate else ""
        return Degree(kind, name, sign * direction, point, full)

    if joint.kind == codes.FIXED:
        return []
    if joint.kind == codes.REVOLUTE:
        return [one("hinge", axis, "", "angle")]
    if joint.kind == codes.PRISMATIC:
        return [one("slide", axis, "", "translation")]
    if joint.kind == codes.CYLINDRICAL:
        return [one("slide", axis, "translation", "translation"), one("hinge", axis, "angle", "angle")]
    if joint.kind == codes.SPHERICAL:
        return [one("ball", axis, "")]
    if joint.kind == codes.PLANAR:
        return [one("slide", x, "x"), one("slide", y, "y"), one("hinge", z, "angle", "angle")]
    if joint.kind == codes.UNIVERSAL:
        first, second = (axis, other) if forward else (other, axis)
        return [one("hinge", first, "1"), one("hinge", second, "2")]
    if joint.kind == codes.CONSTANT_VELOCITY:
        parent = np.column_stack([x, y, z])
        last = (ends.frame_b if forward else ends.frame_a)[:, 0]
        q = quaternion_of(parent.T @ (ends.frame_b if forward else ends.frame_a))
        u = np.arctan2(q[1], q[0])
        return [
            Degree("hinge", f"{joint.name}.{k + 1}", direction, point)
            for k, direction in enumerate((x, np.cos(u) * y + np.sin(u) * z, last))
        ]
    if joint.kind != codes.POINT_ON_LINE:
        raise checks.MechanismError(f"{joint.who}: to_mjcf does not know this joint.")
    line = [one("slide", axis, "translation", "translation"), one("ball", axis, "ball")]
    return line if forward else line[::-1]
