"""Steering of a beam axle: column and rod of the steering cylinder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...joints import RackAndPinion
from ...kinds import Axis, Name, Range
from ..part import Assembly, Part, Piece
from .column import add_gear, steering_column


@dataclass(frozen=True, kw_only=True)
class BeamSteering(Part):
    """Fixed ratio between a column on the carrier and the steering rod of a :class:`BeamAxle`.

    The model of a hydrostatic steering without leakage and compliance: the oil displaced by the column's
    pump moves the rod, at any roll angle of the beam. The column follows the control "steering", in rad,
    left positive.

    Arguments:
        column: steering column, centre in the axes of the vehicle.
        column_axis: axis of the column, pointing at the driver.
        travel: rod's travel to the left over the column's angle [m/rad], not 0; below 0: tie rods
            behind the axle.
        axle: name of the beam axle.
        on: body that carries the part.
    """

    on: Name = "frame"
    axle: Name = "front"
    column: Piece
    column_axis: Axis = (-0.6, 0.0, 0.8)
    travel: Annotated[float, Range(-1.0, 1.0, zero=False)]

    def build(self, to: Assembly) -> None:
        steering_column(to, self)
        joints = {"rack": f"{self.axle} steering slide", "pinion": "steering wheel"}
        add_gear(to, RackAndPinion(name="steering gear", **joints, radius=self.travel))
