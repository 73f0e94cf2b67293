"""Bogie: on each side two wheels on a beam that pitches on the carrier."""

from __future__ import annotations

from dataclasses import dataclass

from ... import checks
from ...kinds import Name, Point
from ..part import SIDES, Assembly, Ends, Piece, Swing, middle
from .axle import Axle


@dataclass(frozen=True, kw_only=True)
class Bogie(Axle):
    """Two beams, each on a lateral pivot of the carrier with a wheel at either end.

    Each pivot and each wheel hub is a hinge (5 constraint rows). At rest the loads of both wheels of a
    beam are about inversely proportional to their distances from the pivot, even on bumps. The reaction
    torques of ``hub_drives`` and brakes act on the beam. Degrees of freedom: pitch of the beams and spin
    of the wheels.

    Arguments:
        axles: names of front and rear axle; wheels are called ``AXLE_left`` and ``AXLE_right``.
        pivot: pivot of the left beam [m]; all points in the axes of the vehicle.
        wheel_centres: centres of front and rear wheel [m].
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        beam: left beam, centre by default midway between the wheels.
    """

    axles: tuple[Name, ...]
    pivot: Point
    wheel_centres: Ends
    stop_angle: Swing = 0.0
    beam: Piece

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.axles) != 2 or self.axles[0] == self.axles[1]:
            got = checks.shown(self.axles)
            raise checks.MechanismError(f"{self.who}: axles must be two names, got {got}.")

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            name, pivot = f"{self.name}_{side}", to.at(self.pivot, side=sign)
            first, second = self.wheel_centres
            centre = middle(first, second) if self.beam.centre is None else self.beam.centre
            beam = to.body(f"{name} beam", self.beam, to.at(centre, side=sign))
            to.hinge(f"{name} pivot", self.carrier, beam, pivot)
            to.stops(f"{name} stops", f"{name} pivot", self.stop_angle)
            for axle, place in zip(self.axles, self.wheel_centres, strict=True):
                self.add_wheel(to, f"{axle}_{side}", beam, to.at(place, side=sign))
