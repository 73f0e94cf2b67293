"""Steering of a rigid axle: column, Pitman arm, drag link to one knuckle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ... import checks
from ...joints import Gear
from ...kinds import LARGEST_RATIO, Axis, Name, Point, Range, Words
from ..elements import LEFT
from ..part import Assembly, Part, Piece
from .column import add_gear, steering_column

SHORTEST_LINK = 1e-3  # [m] shortest drag link


@dataclass(frozen=True, kw_only=True)
class DragLinkSteering(Part):
    """A Pitman arm on the carrier with a massless drag link to the knuckle of one side.

    The tie rod of the axle turns the other knuckle. Column and arm are geared; the column follows the
    control "steering", in rad, left positive. Bounce of the axle turns the wheels a little (bump steer).

    Arguments:
        axle: name of the rigid axle. side: side of the drag link.
        column, pitman_arm: steering column and Pitman arm, centres in the axes of the vehicle.
        column_axis: axis of the column, pointing at the driver, in the middle plane.
        pitman_pivot: point of the arm's hinge [m]; for the side "right" all points are mirrored.
        pitman_axis: direction of the arm's hinge.
        arm_end, knuckle_end: ends of the drag link, on the arm and on the knuckle [m].
        ratio: angle of the column over angle of the arm [-], not 0; below 0: the arm's angle is
            negative in a left turn.
        on: body that carries the part.
    """

    on: Name = "frame"
    axle: Name = "front"
    side: Annotated[str, Words(("left", "right"))] = "left"
    column: Piece
    pitman_arm: Piece
    column_axis: Axis = (-0.6, 0.0, 0.8)
    pitman_axis: Axis = LEFT
    pitman_pivot: Point
    arm_end: Point
    knuckle_end: Point
    ratio: Annotated[float, Range(-LARGEST_RATIO, LARGEST_RATIO, zero=False)]

    def __post_init__(self) -> None:
        super().__post_init__()
        length = float(np.linalg.norm(np.subtract(self.arm_end, self.knuckle_end)))
        if length < SHORTEST_LINK:
            raise checks.MechanismError(
                f"{self.who}: arm_end and knuckle_end [m] are {length:.3g} m apart, which no drag "
                f"link is long; give at least {SHORTEST_LINK:g} m."
            )

    def build(self, to: Assembly) -> None:
        sign = 1.0 if self.side == "left" else -1.0
        steering_column(to, self)
        arm = to.body("pitman arm", self.pitman_arm, to.at(self.pitman_arm.centre, side=sign))
        # the axis is mirrored as a direction, so that the same arm angle steers to the same side
        axis = np.multiply(self.pitman_axis, (1.0, sign, 1.0))
        to.hinge("pitman pivot", self.on, arm, to.at(self.pitman_pivot, side=sign), axis)
        start, end = (to.at(point, side=sign) for point in (self.arm_end, self.knuckle_end))
        to.rod("drag link", arm, f"{self.axle}_{self.side} knuckle", start, end)
        shafts = {"joint_1": "steering wheel", "joint_2": "pitman pivot"}
        add_gear(to, Gear(name="steering gear", **shafts, ratio=self.ratio))
