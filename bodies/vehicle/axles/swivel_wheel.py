"""Swivel wheel: a single wheel in a fork, steered or a caster."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...kinds import Point, Remark
from ..elements import UP
from ..part import Assembly, Piece, middle
from .axle import Axle


@dataclass(frozen=True, kw_only=True)
class SwivelWheel(Axle):
    """One wheel in a fork that turns about z: third wheel of a robot, jockey wheel of a trailer.

    Arguments:
        name: name of the part and of its wheel; ``hub_drives`` may name it among its axles.
        pivot: point of the fork's vertical axis [m]; the wheel of a caster is behind this axis.
        wheel_centre: centre of mass of the wheel [m].
        fork: body, default centre halfway from pivot to wheel.
        control: name of the control of the fork's angle [rad, left positive], which a motor sets; empty:
            a free caster, for which ``equilibrium`` keeps the static friction of the wheels, since the
            fork would swing without it.
    """

    pivot: Point
    wheel_centre: Point
    fork: Piece
    control: Remark = ""

    def build(self, to: Assembly) -> None:
        pivot, hub = to.at(self.pivot), to.at(self.wheel_centre)
        centre = middle(pivot, hub) if self.fork.centre is None else to.at(self.fork.centre)
        fork = to.body(f"{self.name} fork", self.fork, centre)
        to.hinge(f"{self.name} swivel", self.carrier, fork, pivot, UP)
        if self.control:
            to.turn_by(f"{self.name} steering", f"{self.name} swivel", self.control, math.pi)
        self.add_wheel(to, self.name, fork, hub)
