"""Steering by rack and pinion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...joints import RackAndPinion
from ...kinds import Axis, Name, Range
from ..part import Assembly, Part, Piece
from .column import add_gear, steering_column


@dataclass(frozen=True, kw_only=True)
class RackSteering(Part):
    """Column and rack; the column follows the control "steering", in rad, left positive.

    Arguments:
        column, rack: bodies, centres in the axes of the vehicle; the rack's name is "rack".
        column_axis: axis of the column, pointing at the driver.
        pinion_radius: leftward rack travel over the column's angle [m/rad], not 0.
        on: body that carries the part.
    """

    on: Name = "frame"
    column: Piece
    rack: Piece
    column_axis: Axis = (-0.8, 0.0, 0.6)
    pinion_radius: Annotated[float, Range(-1.0, 1.0, zero=False)]

    def build(self, to: Assembly) -> None:
        steering_column(to, self)
        rack = to.body("rack", self.rack, to.centre(self, self.rack))
        to.slide("rack slide", self.on, rack, to.centre(self, self.rack))
        joints = {"rack": "rack slide", "pinion": "steering wheel"}
        add_gear(to, RackAndPinion(name="steering gear", **joints, radius=self.pinion_radius))
