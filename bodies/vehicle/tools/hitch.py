"""Hitch: a ball joint on a drawbar with a force limit."""

from __future__ import annotations

from dataclasses import dataclass

from ...driveline import Brake
from ...kinds import Name, Point, Positive
from ..elements import FORWARD
from ..part import Assembly, Part, Piece


@dataclass(frozen=True, kw_only=True)
class Hitch(Part):
    """Coupling of a trailer and its towing vehicle, with a friction draw gear of limited force.

    The drawbar can slide in the trailer's frame against dry friction: its sliding velocity v is 0 while
    its impulse p in a step of length h is below the limit, ``|p| < h force_limit``; while it slides, the
    force is ``force_limit``. The coordinate ``"NAME slide"`` [m] is the displacement of the drawbar,
    forward positive.

    Arguments:
        towing: name of the towing body.
        trailer: name of the towed body.
        ball: position of the ball joint [m], axes of the trailer.
        force_limit: largest force along the drawbar [N], above 0.
        drawbar: the sliding body, in the axes of the trailer.
    """

    towing: Name = "frame"
    trailer: Name = "trailer frame"
    ball: Point
    force_limit: Positive
    drawbar: Piece

    def build(self, to: Assembly) -> None:
        bar = to.body(f"{self.name} drawbar", self.drawbar, to.centre(self, self.drawbar))
        to.ball(f"{self.name} ball", self.towing, bar, to.at(self.ball))
        to.slide(f"{self.name} slide", self.trailer, bar, to.at(self.ball), FORWARD)
        to.add(
            Brake(
                name=f"{self.name} limit",
                joint=f"{self.name} slide",
                capacity=self.force_limit,
                pressure=1.0,
            )
        )
