"""Articulated steering: a hinge between the front and the rear frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from ... import checks
from ...forces import Torque
from ...joints import Length, Motor
from ...kinds import Name, NonNegative, Point, Remark, Words
from ..elements import FORWARD, UP
from ..part import SIDES, Assembly, Ends, Part, Piece, Swing

DRIVES = ("angle", "rate", "torque", "cylinders")


@dataclass(frozen=True, kw_only=True)
class ArticulatedSteering(Part):
    """Vertical hinge "NAME hinge" of two frames; its angle is positive for a turn to the left.

    With ``joint_body`` the frames can also roll against each other: the hinge (5 constraint rows) is
    then between the front frame and this body, which turns about x in the rear frame (5 rows, "NAME
    roll"). Steering cylinders act along the coordinates "NAME left cylinder" and "NAME right cylinder",
    lengths from the rear to the front frame.

    Arguments:
        front, rear: bodies of the frames, parts ``frame`` of these names.
        pivot: point of the hinge [m]; all points in the axes of the vehicle.
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        drive: meaning of the control: "angle" [rad] at any torque, "rate" [rad/s] with a torque up to
            ``capacity``, "torque" [N m]; "cylinders": no control, the hinge is turned by cylinders of
            the class :class:`bodies.hydraulics.HydraulicCylinder`.
        control: name of the control.
        capacity: largest torque of the drive "rate" [N m].
        joint_body: body between the frames, centre by default the pivot; without it no roll.
        roll_stop: roll angle to the stops, either way [rad]; 0: no stops.
        cylinder: ends of the left cylinder on rear and front frame [m].
    """

    front: Name = "frame"
    rear: Name = "rear frame"
    pivot: Point
    stop_angle: Swing = 0.0
    drive: Annotated[str, Words(DRIVES)] = "angle"
    control: Remark = "steering"
    capacity: NonNegative = 0.0
    joint_body: Piece | None = None
    roll_stop: Swing = 0.0
    cylinder: Ends = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.drive == "rate") != (self.capacity > 0.0):
            raise checks.MechanismError(
                f"{self.who}: capacity [N m] above 0 belongs to the drive 'rate' alone, got "
                f"{self.capacity:g} with {self.drive!r}."
            )
        if self.roll_stop > 0.0 and self.joint_body is None:
            raise checks.MechanismError(
                f"{self.who}: roll_stop needs a joint_body, the frames do not roll."
            )
        if self.drive == "cylinders" and not self.cylinder:
            raise checks.MechanismError(f"{self.who}: the drive 'cylinders' needs a cylinder.")

    def build(self, to: Assembly) -> None:
        pivot, holder = to.at(self.pivot), self.rear
        hinge, roll = f"{self.name} hinge", f"{self.name} roll"
        if self.joint_body is not None:
            centre = to.at(self.joint_body.centre or self.pivot)
            holder = to.body(f"{self.name} joint", self.joint_body, centre)
            to.hinge(roll, self.rear, holder, pivot, FORWARD)
        to.hinge(hinge, holder, self.front, pivot, UP)
        to.stops(f"{self.name} stops", hinge, self.stop_angle)
        to.stops(f"{roll} stops", roll, self.roll_stop)
        for side, sign in SIDES:
            if self.cylinder:
                start, end = (to.at(point, side=sign) for point in self.cylinder)
                ends = {"position": start, "position_b": end}
                name = f"{self.name} {side} cylinder"
                to.add(Length(name=name, body_a=self.rear, body_b=self.front, **ends))
        if self.drive == "torque":
            to.add(Torque(name=f"{self.name} drive", joint=hinge, effort=to.control(self.control)))
        elif self.drive != "cylinders":
            rate = self.drive == "rate"
            to.add(
                Motor(
                    name=f"{self.name} drive",
                    joint=hinge,
                    target=to.control(self.control),
                    mode="speed" if rate else "position",
                    max_effort=self.capacity if rate else math.inf,
                    max_angle=math.inf if rate else 0.5 * math.pi,
                )
            )
