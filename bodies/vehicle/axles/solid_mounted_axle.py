"""Solid-mounted axle: both wheels on hinges of the carrier itself."""

from __future__ import annotations

from dataclasses import dataclass

from ...joints import Revolute
from ...kinds import Name, NonNegative, Point
from ..part import LEFT, SIDES, Assembly, Part, Piece
from .wheel_brakes import brake_wheel


@dataclass(frozen=True, kw_only=True)
class SolidMountedAxle(Part):
    """Two wheels on hinges of the carrier, without springs: a tractor's rear axle, a robot's wheels.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        carrier: body that carries the part.
        wheel_centre: centre of the left wheel, in the axes of the vehicle [m]; mirrored for the right.
        wheel_body: the wheel with all parts that turn at its speed.
        brake_capacity: torque of one wheel's brake at full pressure [N m], at least 0; 0: no brake.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range.
    """

    carrier: Name = "frame"
    wheel_centre: Point
    wheel_body: Piece
    brake_capacity: NonNegative = 0.0

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            name, hub = f"{self.name}_{side}", to.at(self.wheel_centre, side=sign)
            wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
            to.add(
                Revolute(name=f"{name} hub", body_a=self.carrier, body_b=wheel, position=hub, axis=LEFT)
            )
            brake_wheel(to, name, self.brake_capacity)
            to.wheel(name, wheel, hub)
