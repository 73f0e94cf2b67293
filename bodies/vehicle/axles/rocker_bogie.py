"""Rocker-bogie: six wheels, all loaded on rough ground, without springs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from ... import checks
from ...joints import Gear
from ...kinds import Name, Point, Points
from ..elements import UP
from ..part import SIDES, Assembly, Part, Piece, Swing

AXLES = ("front", "middle", "rear")
Wheels = Annotated[tuple[Point, ...], Points(3)]


@dataclass(frozen=True, kw_only=True)
class RockerBogie(Part):
    """Suspension of a planetary rover: on each side a rocker with the front wheel and a bogie with two.

    Rockers turn on the carrier (5 constraint rows each), bogies on the rockers (5 each). A differential
    couples the rocker angles x, ``x_left + x_right = 0`` (1 row), so that the carrier's pitch is the
    mean of the rockers'. The four corner wheels are on knuckles that motors turn about z (5 + 1 rows);
    ``hub_drives`` drives all wheels. Degrees of freedom: differential, two bogies and six wheels.

    Arguments:
        name: name of the part; the wheels' axles are called "front", "middle" and "rear".
        carrier: body that carries the part.
        rocker_pivot: pivot on the carrier [m]; all points in the axes of the vehicle.
        bogie_pivot: pivot on the rocker [m].
        wheel_centres: centres of front, middle and rear wheel [m].
        rocker, bogie: bodies of the left side, with their centres. knuckle: body of a corner wheel's
            knuckle, its centre that of the wheel. wheel_body: the wheel with its motor.
        steering: names of the controls of the knuckles' angles [rad, left positive]: front left, front
            right, rear left, rear right; empty: no steering and no knuckles.
        rocker_stop, bogie_stop: angle to the stops, either way [rad]; 0: no stops.
    """

    carrier: Name = "frame"
    rocker_pivot: Point
    bogie_pivot: Point
    wheel_centres: Wheels
    rocker: Piece
    bogie: Piece
    knuckle: Piece | None = None
    wheel_body: Piece
    steering: tuple[Name, ...] = ()
    rocker_stop: Swing = 0.0
    bogie_stop: Swing = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.vector(self.who, "rocker's centre", self.rocker.centre or ())
        checks.vector(self.who, "bogie's centre", self.bogie.centre or ())
        if len(self.steering) not in (0, 4):
            got = checks.shown(self.steering)
            raise checks.MechanismError(f"{self.who}: steering must name 4 controls or none, got {got}.")
        if bool(self.steering) != (self.knuckle is not None):
            raise checks.MechanismError(
                f"{self.who}: knuckle must be given with steering, and only then."
            )

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            rocker = to.body(f"{side} rocker", self.rocker, to.at(self.rocker.centre, side=sign))
            bogie = to.body(f"{side} bogie", self.bogie, to.at(self.bogie.centre, side=sign))
            for one, two, place, stop in (
                (self.carrier, rocker, self.rocker_pivot, self.rocker_stop),
                (rocker, bogie, self.bogie_pivot, self.bogie_stop),
            ):
                to.stops(f"{two} stops", f"{two} pivot", stop)
                to.hinge(f"{two} pivot", one, two, to.at(place, side=sign))
            for axle, centre in zip(AXLES, self.wheel_centres, strict=True):
                holder = rocker if axle == "front" else bogie
                self.wheel(to, axle, side, to.at(centre, side=sign), holder)
        left, right = (f"{side} rocker pivot" for side, _ in SIDES)
        to.add(Gear(name="differential", joint_1=left, joint_2=right, ratio=-1.0))

    def wheel(self, to: Assembly, axle: str, side: str, hub: Point, holder: str) -> None:
        """Add a wheel on the body ``holder`` (rocker or bogie); a steered corner wheel on a knuckle."""
        name = f"{axle}_{side}"
        if self.knuckle is not None and axle != "middle":
            mine = self.steering[2 * (axle == "rear") + (side == "right")]
            knuckle = to.placed(f"{name} knuckle", self.knuckle, hub)
            to.hinge(f"{name} kingpin", holder, knuckle, hub, UP)
            to.turn_by(f"{name} steering", f"{name} kingpin", mine, math.pi)
            holder = knuckle
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        to.hinge(f"{name} hub", holder, wheel, hub)
        to.wheel(name, wheel, hub)
