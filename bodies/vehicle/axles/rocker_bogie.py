"""Rocker-bogie: six wheels, all loaded on rough ground, without springs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from ... import checks
from ...joints import Gear, Motor, Revolute
from ...kinds import Name, Point, Points
from ..part import LEFT, SIDES, UP, Assembly, Part, Piece, Swing

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

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range.
    """

    carrier: Name = "frame"
    rocker_pivot: Point
    bogie_pivot: Point
    wheel_centres: Wheels
    rocker: Piece
    bogie: Piece
    knuckle: Piece | None = None
    wheel_body: Piece
    steering: tuple[str, ...] = ()
    rocker_stop: Swing = 0.0
    bogie_stop: Swing = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.vector(self.who, "rocker's centre", self.rocker.centre or ())
        checks.vector(self.who, "bogie's centre", self.bogie.centre or ())
        names = self.steering
        if not isinstance(names, list | tuple) or len(names) not in (0, 4):
            got = checks.shown(names)
            raise checks.MechanismError(f"{self.who}: steering must name 4 controls or none, got {got}.")
        names = tuple(checks.text(self.who, f"steering[{k}]", x) for k, x in enumerate(names))
        object.__setattr__(self, "steering", names)
        if bool(names) != (self.knuckle is not None):
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
                to.add(
                    Revolute(
                        name=f"{two} pivot",
                        body_a=one,
                        body_b=two,
                        position=to.at(place, side=sign),
                        axis=LEFT,
                    )
                )
            for axle, centre in zip(AXLES, self.wheel_centres, strict=True):
                holder = rocker if axle == "front" else bogie
                self.wheel(to, axle, side, to.at(centre, side=sign), holder)
        to.add(
            Gear(
                name="differential",
                joint_1="left rocker pivot",
                joint_2="right rocker pivot",
                ratio=-1.0,
            )
        )

    def wheel(self, to: Assembly, axle: str, side: str, hub: Point, holder: str) -> None:
        """Add a wheel on the body ``holder`` (rocker or bogie); a steered corner wheel on a knuckle."""
        name = f"{axle}_{side}"
        if self.knuckle is not None and axle != "middle":
            mine = self.steering[2 * (axle == "rear") + (side == "right")]
            knuckle = to.placed(f"{name} knuckle", self.knuckle, hub)
            to.add(
                Revolute(name=f"{name} kingpin", body_a=holder, body_b=knuckle, position=hub, axis=UP),
                Motor(
                    name=f"{name} steering",
                    joint=f"{name} kingpin",
                    target=to.control(mine),
                    mode="position",
                    max_angle=math.pi,
                ),
            )
            holder = knuckle
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        to.add(Revolute(name=f"{name} hub", body_a=holder, body_b=wheel, position=hub, axis=LEFT))
        to.wheel(name, wheel, hub)
