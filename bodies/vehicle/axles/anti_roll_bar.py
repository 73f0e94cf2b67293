"""Anti-roll bar: a torsion bar between the two sides of an axle."""

from __future__ import annotations

from dataclasses import dataclass

from ...driveline import HalfShaft
from ...kinds import Name, NonNegative, Point, Positive
from ..part import SIDES, Assembly, Part, Piece


@dataclass(frozen=True, kw_only=True)
class AntiRollBar(Part):
    """Two halves of a bar on a common hinge axis, with a torsion spring between them.

    The spring's torque is ``T = k (x_left - x_right)`` [N m], with the hinge angles x [rad] of the
    halves. Each half with its arm is a body on a hinge about y (5 constraint rows), guided by a massless
    drop link (1 row). The bar adds no degree of freedom, and no force while both sides have the same
    deflection.

    Arguments:
        pivot: position of the left half's hinge [m], axes of the vehicle; this point and the points
            below are mirrored for the right half.
        arm_end: end of the drop link on the arm [m]. link_end: end of the drop link on the
            body ``left`` [m].
        stiffness: torsional stiffness k of the whole bar [N m/rad].
        damping: torsional damping [N m s/rad].
        half: body of one half; default centre midway between pivot and arm end.
        left, right: bodies moved by the drop links: "front axle", or "front_left lower arm".
        on: body that carries the bar: the frame, or the axle.
    """

    on: Name = "frame"
    left: Name
    right: Name
    pivot: Point
    arm_end: Point
    link_end: Point
    stiffness: Positive
    damping: NonNegative = 0.0
    half: Piece

    def build(self, to: Assembly) -> None:
        for (side, sign), hub in zip(SIDES, (self.left, self.right), strict=True):
            pivot, end = to.at(self.pivot, side=sign), to.at(self.arm_end, side=sign)
            centre = tuple(0.5 * (a + b) for a, b in zip(pivot, end, strict=True))
            if self.half.centre is not None:
                centre = to.at(self.half.centre, side=sign)
            half = to.body(f"{self.name} {side} half", self.half, centre)
            to.hinge(f"{self.name} {side} bearing", self.on, half, pivot)
            to.rod(f"{self.name} {side} drop link", half, hub, end, to.at(self.link_end, side=sign))
        to.add(
            HalfShaft(
                name=f"{self.name} torsion",
                joint_1=f"{self.name} left bearing",
                joint_2=f"{self.name} right bearing",
                stiffness=self.stiffness,
                damping=self.damping,
            )
        )
