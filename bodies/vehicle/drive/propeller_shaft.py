"""Propeller shaft: two halves on a spline between two universal joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kinds import Name, Point
from ..elements import UP
from ..part import Assembly, Part, Piece, middle


@dataclass(frozen=True, kw_only=True)
class PropellerShaft(Part):
    """Shaft between two flanges, with both flange yokes in phase.

    With parallel flange axes the speed fluctuations of the two universal joints cancel, so that both
    flanges have the same speed.

    Arguments:
        start, end: centres of the flanges [m], axes of the vehicle.
        driving: body with the flange at ``start``.
        driven: body with the flange at ``end``.
        half: body of one half of the shaft, inertia in body axes, the third along the shaft.
    """

    start: Point
    end: Point
    driving: Name = "transfer output"
    driven: Name
    half: Piece

    def build(self, to: Assembly) -> None:
        a, b = to.at(self.start), to.at(self.end)
        along = np.subtract(b, a)
        one = to.placed(f"{self.name} front half", self.half, middle(a, b, 0.25), along)
        two = to.placed(f"{self.name} rear half", self.half, middle(a, b, 0.75), along)
        pin = np.cross(UP, along)
        to.rod_end(f"{self.name} front joint", self.driving, one, a, along, pin)
        to.slide(f"{self.name} spline", one, two, middle(a, b), along)
        to.rod_end(f"{self.name} rear joint", self.driven, two, b, along, pin)
