"""Pivoting beam axle: beam that rocks under the carrier, with kingpins, knuckles and steering rod."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...kinds import Point
from ..elements import FORWARD
from ..part import SIDES, Assembly, Ends, Piece, Swing, across, middle
from .axle import Axle


@dataclass(frozen=True, kw_only=True)
class BeamAxle(Axle):
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
        pivot: point of the beam's hinge axis [m]; all points in the axes of the vehicle.
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        kingpin: lower and upper end of the kingpin [m].
        knuckle_centre, wheel_centre: centres of mass of knuckle and wheel [m].
        tie_rod: ends of the tie rod on the steering rod and on the knuckle [m].
        beam, knuckle_body, steering_rod: bodies; knuckle of the left side.
        tie_rod_body: body of a tie rod, inertia in body axes, the third along the rod.
    """

    pivot: Point
    stop_angle: Swing = 0.0
    kingpin: Ends
    knuckle_centre: Point
    wheel_centre: Point
    tie_rod: Ends
    beam: Piece
    knuckle_body: Piece
    steering_rod: Piece
    tie_rod_body: Piece

    def build(self, to: Assembly) -> None:
        beam = to.body(f"{self.name} beam", self.beam, to.centre(self, self.beam))
        rod = to.body(f"{self.name} steering rod", self.steering_rod, to.centre(self, self.steering_rod))
        to.hinge(f"{self.name} pivot", self.carrier, beam, to.at(self.pivot), FORWARD)
        to.slide(f"{self.name} steering slide", beam, rod, to.centre(self, self.steering_rod))
        to.stops(f"{self.name} stops", f"{self.name} pivot", self.stop_angle)
        for side, sign in SIDES:
            self.end(to, f"{self.name}_{side}", sign, beam, rod)

    def end(self, to: Assembly, name: str, sign: float, beam: str, rod: str) -> None:
        """Add one end of the axle (knuckle, wheel, tie rod); ``sign``: +1 on the left, -1 on the
        right."""
        at = partial(to.at, side=sign)
        hub, low, high = at(self.wheel_centre), at(self.kingpin[0]), at(self.kingpin[1])
        inner, outer = at(self.tie_rod[0]), at(self.tie_rod[1])
        knuckle = to.placed(f"{name} knuckle", self.knuckle_body, at(self.knuckle_centre))
        to.hinge(f"{name} kingpin", beam, knuckle, middle(low, high), np.subtract(high, low))
        self.add_wheel(to, name, knuckle, hub)
        reach = np.subtract(outer, inner)
        tie = to.placed(f"{name} tie rod", self.tie_rod_body, middle(inner, outer), reach)
        to.ball(f"{name} tie rod end", knuckle, tie, outer)
        to.rod_end(f"{name} tie rod root", rod, tie, inner, reach, across(reach))
