"""Pivoting beam axle: beam that rocks under the carrier, with kingpins, knuckles and steering rod."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ...joints import Prismatic, Revolute, Spherical
from ...kinds import Name, NonNegative, Point, Points
from ..part import FORWARD, LEFT, SIDES, Assembly, Part, Piece, Swing, across, middle, rod_end
from .wheel_brakes import brake_wheel

Ends = Annotated[tuple[Point, ...], Points(2)]


@dataclass(frozen=True, kw_only=True)
class BeamAxle(Part):
    """Front axle of a tractor, with a free roll angle, so that all four wheels have contact.

    The beam "NAME beam" is on a hinge about x (5 constraint rows), between stops. On each side it has a
    knuckle on a kingpin (5 rows), and the knuckle a wheel on its hub (5 rows). The rod of a double-rod
    steering cylinder, "NAME steering rod", slides laterally in the beam (5 rows); on each side a tie rod
    connects it to the knuckle by a ball and a universal joint (3 + 4 rows). Degrees of freedom: roll of
    the beam, steering, spin of the wheels. The part ``beam_steering`` drives the rod. A final drive and
    half-shafts may be on the beam; the outer joint of a half-shaft is then at the intersection of
    kingpin and wheel axis.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        carrier: body that carries the part.
        pivot: point of the beam's hinge axis [m]; all points in the axes of the vehicle.
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        kingpin: lower and upper end of the kingpin [m].
        knuckle_centre, wheel_centre: centres of mass of knuckle and wheel [m].
        tie_rod: ends of the tie rod on the steering rod and on the knuckle [m].
        brake_capacity: torque of one wheel's brake at full pressure [N m], at least 0; 0: no brake.
        beam, knuckle_body, wheel_body, steering_rod: bodies; knuckle and wheel of the left side.
        tie_rod_body: body of a tie rod, inertia in body axes, the third along the rod.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range.
    """

    carrier: Name = "frame"
    pivot: Point
    stop_angle: Swing = 0.0
    kingpin: Ends
    knuckle_centre: Point
    wheel_centre: Point
    tie_rod: Ends
    brake_capacity: NonNegative = 0.0
    beam: Piece
    knuckle_body: Piece
    wheel_body: Piece
    steering_rod: Piece
    tie_rod_body: Piece

    def build(self, to: Assembly) -> None:
        beam = to.body(f"{self.name} beam", self.beam, to.centre(self, self.beam))
        rod = to.body(f"{self.name} steering rod", self.steering_rod, to.centre(self, self.steering_rod))
        to.add(
            Revolute(
                name=f"{self.name} pivot",
                body_a=self.carrier,
                body_b=beam,
                position=to.at(self.pivot),
                axis=FORWARD,
            ),
            Prismatic(
                name=f"{self.name} steering slide",
                body_a=beam,
                body_b=rod,
                position=to.centre(self, self.steering_rod),
                axis=LEFT,
            ),
        )
        to.stops(f"{self.name} stops", f"{self.name} pivot", self.stop_angle)
        for side, sign in SIDES:
            self.end(to, f"{self.name}_{side}", sign, beam, rod)

    def end(self, to: Assembly, name: str, sign: float, beam: str, rod: str) -> None:
        """Add one end of the axle (knuckle, wheel, tie rod); ``sign``: +1 on the left, -1 on the
        right."""

        def at(point: Any) -> Point:
            return to.at(point, side=sign)

        hub, low, high = at(self.wheel_centre), at(self.kingpin[0]), at(self.kingpin[1])
        inner, outer = at(self.tie_rod[0]), at(self.tie_rod[1])
        knuckle = to.placed(f"{name} knuckle", self.knuckle_body, at(self.knuckle_centre))
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        reach = np.subtract(outer, inner)
        tie = to.placed(f"{name} tie rod", self.tie_rod_body, middle(inner, outer), reach)
        to.add(
            Revolute(
                name=f"{name} kingpin",
                body_a=beam,
                body_b=knuckle,
                position=middle(low, high),
                axis=tuple(np.subtract(high, low)),
            ),
            Revolute(name=f"{name} hub", body_a=knuckle, body_b=wheel, position=hub, axis=LEFT),
            Spherical(name=f"{name} tie rod end", body_a=knuckle, body_b=tie, position=outer),
            rod_end(f"{name} tie rod root", rod, tie, inner, reach, across(reach)),
        )
        brake_wheel(to, name, self.brake_capacity)
        to.wheel(name, wheel, hub)
