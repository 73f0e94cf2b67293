"""Stabilisers: two legs that slide down to the soil."""

from __future__ import annotations

from dataclasses import dataclass

from ...kinds import Name, Point
from ..part import SIDES, Assembly, Part, Piece


@dataclass(frozen=True, kw_only=True)
class Stabilisers(Part):
    """A vertical leg on each side, with a shoe: a wheel that does not turn, on the soil of the wheels.

    The coordinates of the joints "NAME_left slide" and "NAME_right slide" grow downwards; a cylinder may
    act along each. The shoes are the wheels "NAME_left" and "NAME_right", with the tyre of
    ``[wheels.NAME]``.

    Arguments:
        on: body with the slides.
        foot: centre of the left shoe, in the axes of the vehicle [m]; mirrored for the right.
        leg: left leg, its centre by default the foot; centre in the axes of the vehicle.
    """

    on: Name = "frame"
    foot: Point
    leg: Piece

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            name, foot = f"{self.name}_{side}", to.at(self.foot, side=sign)
            centre = self.foot if self.leg.centre is None else self.leg.centre
            leg = to.body(f"{name} leg", self.leg, to.at(centre, side=sign))
            to.slide(f"{name} slide", self.on, leg, foot, (0.0, 0.0, -1.0))
            to.wheel(name, leg, foot)
