"""Double wishbones: suspension of both wheels of an axle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ...joints import Prismatic, Revolute, Spherical
from ...kinds import Length, Name, NonNegative, Point, Points, RisingPairs
from ..part import LEFT, SIDES, Assembly, Part, Piece, Swing, across, middle, rod_end
from .air_spring import AirSpring
from .spring_and_damper import check_spring, spring_and_damper
from .wheel_brakes import brake_wheel

Arm = Annotated[tuple[Point, ...], Points(3)]
Ends = Annotated[tuple[Point, ...], Points(2)]


@dataclass(frozen=True, kw_only=True)
class DoubleWishbone(Part):
    """Suspension with two arms, upright, wheel, tie rod, damper (tube and rod) and spring on each side.

    Each side has seven bodies. Joints: upper and lower arm on hinges of the carrier (5 constraint rows
    each), ball joints from the arms to the upright (3 + 3), hub (5), tie rod with a ball and a universal
    joint (3 + 4), damper with a ball, a slide and a universal joint (3 + 5 + 4). Degrees of freedom:
    bounce and spin of the wheel. Spring and damper act between carrier and lower arm.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        carrier: body that carries the part.
        guide: body at the inner ends of the tie rods: a rack, a centre link, or, without steering,
            the carrier.
        origin: origin of the axle's axes, in the axes of the vehicle [m]; the points below are in the
            axle's axes [m], mirrored for the right.
        upper_arm, lower_arm: points of an arm: front hinge, rear hinge, ball joint on the upright.
        upright_centre, wheel_centre: centres of mass of upright and wheel.
        tie_rod: inner end, and outer end on the upright.
        damper, spring: upper end on the carrier, lower end.
        spring_table: pairs (elongation from the free length [m], tension [N]), both not falling.
        free_length: length of the spring without tension [m], above 0.
        air_spring: bellows instead of table and free length.
        damper_table: pairs (speed of elongation [m/s], tension [N]), both not falling.
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        brake_capacity: torque of one wheel's brake at full pressure [N m], at least 0; 0: no brake.
        upper_arm_body, lower_arm_body, upright_body, wheel_body: bodies of the left side.
        tie_rod_body, damper_tube_body, damper_rod_body: bodies, inertia in body axes, the third along
            the rod or damper.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range.
    """

    carrier: Name = "frame"
    guide: Name = "frame"
    origin: Point
    upper_arm: Arm
    lower_arm: Arm
    upright_centre: Point
    wheel_centre: Point
    tie_rod: Ends
    damper: Ends
    spring: Ends
    spring_table: RisingPairs | None = None
    free_length: Length | None = None
    air_spring: AirSpring | None = None
    damper_table: RisingPairs
    stop_angle: Swing = 0.0
    brake_capacity: NonNegative = 0.0
    upper_arm_body: Piece
    lower_arm_body: Piece
    upright_body: Piece
    wheel_body: Piece
    tie_rod_body: Piece
    damper_tube_body: Piece
    damper_rod_body: Piece

    def __post_init__(self) -> None:
        super().__post_init__()
        check_spring(self)

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            self.corner(to, f"{self.name}_{side}", sign)

    def corner(self, to: Assembly, name: str, sign: float) -> None:
        """Add the suspension of one side, bodies "NAME ..."; ``sign``: +1 on the left, -1 on the
        right."""

        def at(point: Any) -> Point:
            return to.at(point, self.origin, sign)

        hub, foot, top = at(self.wheel_centre), at(self.damper[1]), at(self.damper[0])
        inner, outer = at(self.tie_rod[0]), at(self.tie_rod[1])
        upright = to.placed(f"{name} upright", self.upright_body, at(self.upright_centre))
        for level in ("upper", "lower"):
            front, rear, ball = map(at, getattr(self, f"{level}_arm"))
            piece = getattr(self, f"{level}_arm_body")
            centre = middle(middle(front, rear), ball) if piece.centre is None else at(piece.centre)
            arm = to.body(f"{name} {level} arm", piece, centre)
            to.add(
                Revolute(
                    name=f"{name} {level} hinge",
                    body_a=self.carrier,
                    body_b=arm,
                    position=middle(front, rear),
                    axis=tuple(np.subtract(front, rear)),
                ),
                Spherical(name=f"{name} {level} ball", body_a=arm, body_b=upright, position=ball),
            )
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        along, reach = np.subtract(top, foot), np.subtract(outer, inner)
        rod = to.placed(f"{name} tie rod", self.tie_rod_body, middle(inner, outer), reach)
        tube = to.placed(f"{name} damper tube", self.damper_tube_body, middle(foot, top, 0.3), along)
        piston = to.placed(f"{name} damper rod", self.damper_rod_body, middle(foot, top, 0.75), along)
        to.add(
            Revolute(name=f"{name} hub", body_a=upright, body_b=wheel, position=hub, axis=LEFT),
            Spherical(name=f"{name} tie rod end", body_a=upright, body_b=rod, position=outer),
            rod_end(f"{name} tie rod root", self.guide, rod, inner, reach, across(reach)),
            Spherical(
                name=f"{name} damper foot", body_a=f"{name} lower arm", body_b=tube, position=foot
            ),
            Prismatic(
                name=f"{name} damper slide",
                body_a=tube,
                body_b=piston,
                position=middle(foot, top),
                axis=tuple(along),
            ),
            rod_end(f"{name} damper top", self.carrier, piston, top, along, across(along)),
        )
        to.stops(f"{name} stops", f"{name} lower hinge", self.stop_angle)
        spring_and_damper(to, name, self, f"{name} lower arm", at)
        brake_wheel(to, name, self.brake_capacity)
        to.wheel(name, wheel, hub)
