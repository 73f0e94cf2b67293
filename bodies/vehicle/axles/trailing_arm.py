"""Trailing arms: each wheel on an arm of its own, whose hinge on the carrier is ahead of the wheel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...kinds import Point
from ..part import SIDES, Assembly, Ends, Piece, Swing, middle
from .axle import SprungAxle


@dataclass(frozen=True, kw_only=True)
class TrailingArm(SprungAxle):
    """Two arms on hinges of the carrier, with a wheel at the end of each.

    Each arm and each wheel is on a hinge (5 constraint rows). With a lateral hinge axis the wheels move
    on circles in longitudinal planes; an oblique axis (semi-trailing) changes camber and toe. The brake
    acts between wheel and arm, so that braking pulls the carrier down. Degrees of freedom: bounce and
    spin of each wheel.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        pivot: inner and outer end of the hinge.
        wheel_centre: centre of mass of the wheel.
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        arm_body: body of the left arm, centre by default midway between hinge and wheel.
    """

    pivot: Ends
    wheel_centre: Point
    stop_angle: Swing = 0.0
    arm_body: Piece

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            self.corner(to, f"{self.name}_{side}", sign)

    def corner(self, to: Assembly, name: str, sign: float) -> None:
        """Add one arm with its wheel; ``sign``: +1 on the left, -1 on the right."""
        at = partial(to.at, origin=self.origin, side=sign)
        (inner, outer), hub = map(at, self.pivot), at(self.wheel_centre)
        hinge, piece = middle(inner, outer), self.arm_body
        centre = middle(hinge, hub) if piece.centre is None else at(piece.centre)
        arm = to.body(f"{name} arm", piece, centre)
        # axis of the hinge from right to left on both sides, like the wheels' spin axes
        to.hinge(f"{name} pivot", self.carrier, arm, hinge, sign * np.subtract(outer, inner))
        to.stops(f"{name} stops", f"{name} pivot", self.stop_angle)
        self.add_spring(to, name, arm, at)
        self.add_wheel(to, name, arm, hub)
