"""Steering by a Pitman arm: column, Pitman arm, idler arm, centre link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...joints import Gear, Universal
from ...kinds import LARGEST_RATIO, Axis, Name, Point, Range
from ..elements import FORWARD, UP
from ..part import Assembly, Part, Piece
from .column import add_gear, steering_column


@dataclass(frozen=True, kw_only=True)
class PitmanSteering(Part):
    """A parallelogram behind the axle: two arms that turn about z, and between them a centre link.

    The column follows the control "steering", in rad, left positive. The body "centre link" moves
    laterally and guides the tie rods.

    Arguments:
        column, pitman_arm, idler_arm, centre_link: the bodies; the centres of column and link in
            the axes of the vehicle, that of the Pitman arm on the left, mirrored for the idler arm.
        column_axis: axis of the column, pointing at the driver.
        pitman_pivot: pivot of the left arm on the frame [m]; arm_end: joint of arm and link [m],
            behind the pivot, so that a left turn moves the link to the right.
        ratio: angle of the column over angle of the arm [-].
        on: body that carries the part.
    """

    on: Name = "frame"
    column: Piece
    pitman_arm: Piece
    idler_arm: Piece
    centre_link: Piece
    column_axis: Axis = (-0.8, 0.0, 0.6)
    pitman_pivot: Point
    arm_end: Point
    ratio: Annotated[float, Range(0.0, LARGEST_RATIO, open_low=True)]

    def build(self, to: Assembly) -> None:
        steering_column(to, self)
        pitman = to.body("pitman arm", self.pitman_arm, to.centre(self, self.pitman_arm))
        idler = to.placed("idler arm", self.idler_arm, to.at(self.pitman_arm.centre, side=-1.0))
        link = to.body("centre link", self.centre_link, to.centre(self, self.centre_link))
        to.hinge("pitman pivot", self.on, pitman, to.at(self.pitman_pivot), UP)
        to.hinge("idler pivot", self.on, idler, to.at(self.pitman_pivot, side=-1.0), UP)
        to.add(
            Universal(
                name="pitman end",
                body_a=pitman,
                body_b=link,
                position=to.at(self.arm_end),
                axis=UP,
                axis_b=FORWARD,
            )
        )
        to.ball("idler end", idler, link, to.at(self.arm_end, side=-1.0))
        shafts = {"joint_1": "steering wheel", "joint_2": "pitman pivot"}
        add_gear(to, Gear(name="steering gear", **shafts, ratio=self.ratio))
