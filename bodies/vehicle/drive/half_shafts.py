"""Half-shafts: from the differential to both wheels of an axle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...joints import ConstantVelocity
from ...kinds import Point
from ..elements import LEFT
from ..part import SIDES, Assembly, Part, Piece, middle


@dataclass(frozen=True, kw_only=True)
class HalfShafts(Part):
    """Half-shafts of an axle: two pieces on a spline between two constant-velocity joints on each side.

    The part's name is that of the axle whose final drive and wheels it connects.

    Arguments:
        inner, outer: joints of the left side [m], axes of the vehicle; the outer one at the
            intersection of steering axis and wheel axis, so that the shaft can follow the steering.
        piece: body of each of the two pieces, inertia in body axes, the third along the shaft.
    """

    inner: Point
    outer: Point
    piece: Piece

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            name = f"{self.name}_{side}"
            a, b = to.at(self.inner, side=sign), to.at(self.outer, side=sign)
            along = sign * np.subtract(b, a)  # points to the left on both sides, like the spin axis
            one = to.placed(f"{name} inner shaft", self.piece, middle(a, b, 0.25), along)
            two = to.placed(f"{name} outer shaft", self.piece, middle(a, b, 0.75), along)
            to.add(
                ConstantVelocity(
                    name=f"{name} inner joint",
                    body_a=f"{name} output",
                    body_b=one,
                    position=a,
                    axis=LEFT,
                    axis_b=tuple(along),
                )
            )
            to.slide(f"{name} spline", one, two, middle(a, b), along)
            to.add(
                ConstantVelocity(
                    name=f"{name} outer joint",
                    body_a=two,
                    body_b=f"{name} wheel",
                    position=b,
                    axis=tuple(along),
                    axis_b=LEFT,
                )
            )
