"""Bogie: on each side two wheels on a beam that pitches on the carrier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ... import checks
from ...joints import Revolute
from ...kinds import Name, NonNegative, Point, Points
from ..part import LEFT, SIDES, Assembly, Part, Piece, Swing, middle
from .wheel_brakes import brake_wheel

Pair = Annotated[tuple[Point, ...], Points(2)]


@dataclass(frozen=True, kw_only=True)
class Bogie(Part):
    """Two beams, each on a lateral pivot of the carrier with a wheel at either end.

    Each pivot and each wheel hub is a hinge (5 constraint rows). At rest the loads of both wheels of a
    beam are about inversely proportional to their distances from the pivot, even on bumps. The reaction
    torques of ``hub_drives`` and brakes act on the beam. Degrees of freedom: pitch of the beams and spin
    of the wheels.

    Arguments:
        carrier: body that carries the part.
        axles: names of front and rear axle; wheels are called ``AXLE_left`` and ``AXLE_right``.
        pivot: pivot of the left beam [m]; all points in the axes of the vehicle.
        wheel_centres: centres of front and rear wheel [m].
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        brake_capacity: torque of one wheel's brake at full pressure [N m], at least 0; 0: no brake.
        beam: left beam, centre by default midway between the wheels.
        wheel_body: the wheel with all parts that turn at its speed.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range.
    """

    carrier: Name = "frame"
    axles: tuple[str, ...]
    pivot: Point
    wheel_centres: Pair
    stop_angle: Swing = 0.0
    brake_capacity: NonNegative = 0.0
    beam: Piece
    wheel_body: Piece

    def __post_init__(self) -> None:
        super().__post_init__()
        names = self.axles
        if not isinstance(names, list | tuple) or len(names) != 2 or names[0] == names[1]:
            got = checks.shown(names)
            raise checks.MechanismError(f"{self.who}: axles must be two names, got {got}.")
        names = tuple(checks.text(self.who, f"axles[{k}]", x) for k, x in enumerate(names))
        object.__setattr__(self, "axles", names)

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            name, pivot = f"{self.name}_{side}", to.at(self.pivot, side=sign)
            first, second = self.wheel_centres
            centre = middle(first, second) if self.beam.centre is None else self.beam.centre
            beam = to.body(f"{name} beam", self.beam, to.at(centre, side=sign))
            to.add(
                Revolute(
                    name=f"{name} pivot", body_a=self.carrier, body_b=beam, position=pivot, axis=LEFT
                )
            )
            to.stops(f"{name} stops", f"{name} pivot", self.stop_angle)
            for axle, place in zip(self.axles, self.wheel_centres, strict=True):
                self.wheel(to, f"{axle}_{side}", beam, to.at(place, side=sign))

    def wheel(self, to: Assembly, name: str, beam: str, hub: Point) -> None:
        """Add a wheel on a beam."""
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        to.add(Revolute(name=f"{name} hub", body_a=beam, body_b=wheel, position=hub, axis=LEFT))
        brake_wheel(to, name, self.brake_capacity)
        to.wheel(name, wheel, hub)
