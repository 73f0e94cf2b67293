"""Trailing arms: each wheel on an arm of its own, whose hinge on the carrier is ahead of the wheel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ...joints import Revolute
from ...kinds import Length, Name, NonNegative, Point, Points, RisingPairs
from ..part import LEFT, SIDES, Assembly, Part, Piece, Swing, middle
from .air_spring import AirSpring
from .spring_and_damper import check_spring, spring_and_damper
from .wheel_brakes import brake_wheel

Ends = Annotated[tuple[Point, ...], Points(2)]


@dataclass(frozen=True, kw_only=True)
class TrailingArm(Part):
    """Two arms on hinges of the carrier, with a wheel at the end of each.

    Each arm and each wheel is on a hinge (5 constraint rows). With a lateral hinge axis the wheels move
    on circles in longitudinal planes; an oblique axis (semi-trailing) changes camber and toe. The brake
    acts between wheel and arm, so that braking pulls the carrier down. Degrees of freedom: bounce and
    spin of each wheel.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        carrier: body that carries the part.
        origin: origin of the axle's axes, in the axes of the vehicle [m]; the points below are in the
            axle's axes [m], mirrored for the right.
        pivot: inner and outer end of the hinge.
        wheel_centre: centre of mass of the wheel.
        spring, damper: upper end on the carrier, lower end.
        spring_table: pairs (elongation from the free length [m], tension [N]), both not falling.
        free_length: length of the spring without tension [m], above 0.
        air_spring: bellows instead of table and free length.
        damper_table: pairs (speed of elongation [m/s], tension [N]), both not falling.
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        brake_capacity: torque of one wheel's brake at full pressure [N m], at least 0; 0: no brake.
        arm_body: body of the left arm, centre by default midway between hinge and wheel.
        wheel_body: the wheel with all parts that turn at its speed.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range.
    """

    carrier: Name = "frame"
    origin: Point
    pivot: Ends
    wheel_centre: Point
    spring: Ends
    spring_table: RisingPairs | None = None
    free_length: Length | None = None
    air_spring: AirSpring | None = None
    damper: Ends
    damper_table: RisingPairs
    stop_angle: Swing = 0.0
    brake_capacity: NonNegative = 0.0
    arm_body: Piece
    wheel_body: Piece

    def __post_init__(self) -> None:
        super().__post_init__()
        check_spring(self)

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            self.corner(to, f"{self.name}_{side}", sign)

    def corner(self, to: Assembly, name: str, sign: float) -> None:
        """Add one arm with its wheel; ``sign``: +1 on the left, -1 on the right."""

        def at(point: Any) -> Point:
            return to.at(point, self.origin, sign)

        (inner, outer), hub = map(at, self.pivot), at(self.wheel_centre)
        hinge, piece = middle(inner, outer), self.arm_body
        centre = middle(hinge, hub) if piece.centre is None else at(piece.centre)
        arm = to.body(f"{name} arm", piece, centre)
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        # axis of the hinge from right to left on both sides, like the wheels' spin axes
        axis = tuple(sign * np.subtract(outer, inner))
        to.add(
            Revolute(name=f"{name} pivot", body_a=self.carrier, body_b=arm, position=hinge, axis=axis),
            Revolute(name=f"{name} hub", body_a=arm, body_b=wheel, position=hub, axis=LEFT),
        )
        to.stops(f"{name} stops", f"{name} pivot", self.stop_angle)
        spring_and_damper(to, name, self, arm, at)
        brake_wheel(to, name, self.brake_capacity)
        to.wheel(name, wheel, hub)
