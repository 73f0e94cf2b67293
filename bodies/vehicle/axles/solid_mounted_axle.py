"""Solid-mounted axle: both wheels on hinges of the carrier itself."""

from __future__ import annotations

from dataclasses import dataclass

from ...kinds import Point
from ..part import SIDES, Assembly
from .axle import Axle


@dataclass(frozen=True, kw_only=True)
class SolidMountedAxle(Axle):
    """Two wheels on hinges of the carrier, without springs: a tractor's rear axle, a robot's wheels.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        wheel_centre: centre of the left wheel, in the axes of the vehicle [m]; mirrored for the right.
    """

    wheel_centre: Point

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            hub = to.at(self.wheel_centre, side=sign)
            self.add_wheel(to, f"{self.name}_{side}", self.carrier, hub)
