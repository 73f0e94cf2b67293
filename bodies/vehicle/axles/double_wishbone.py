"""Double wishbones: suspension of both wheels of an axle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from ...kinds import Name, Point, Points
from ..part import SIDES, Assembly, Ends, Piece, Swing, across, middle
from .axle import SprungAxle

Arm = Annotated[tuple[Point, ...], Points(3)]


@dataclass(frozen=True, kw_only=True)
class DoubleWishbone(SprungAxle):
    """Suspension with two arms, upright, wheel, tie rod, damper (tube and rod) and spring on each side.

    Each side has seven bodies. Joints: upper and lower arm on hinges of the carrier (5 constraint rows
    each), ball joints from the arms to the upright (3 + 3), hub (5), tie rod with a ball and a universal
    joint (3 + 4), damper with a ball, a slide and a universal joint (3 + 5 + 4). Degrees of freedom:
    bounce and spin of the wheel. Spring and damper act between carrier and lower arm.

    Arguments:
        name: name of the axle; wheels are called ``NAME_left`` and ``NAME_right``.
        guide: body at the inner ends of the tie rods: a rack, a centre link, or, without steering,
            the carrier.
        upper_arm, lower_arm: points of an arm: front hinge, rear hinge, ball joint on the upright.
        upright_centre, wheel_centre: centres of mass of upright and wheel.
        tie_rod: inner end, and outer end on the upright.
        stop_angle: angle to the stops, either way [rad]; 0: no stops.
        upper_arm_body, lower_arm_body, upright_body: bodies of the left side.
        tie_rod_body, damper_tube_body, damper_rod_body: bodies, inertia in body axes, the third along
            the rod or damper.
    """

    guide: Name = "frame"
    upper_arm: Arm
    lower_arm: Arm
    upright_centre: Point
    wheel_centre: Point
    tie_rod: Ends
    stop_angle: Swing = 0.0
    upper_arm_body: Piece
    lower_arm_body: Piece
    upright_body: Piece
    tie_rod_body: Piece
    damper_tube_body: Piece
    damper_rod_body: Piece

    def build(self, to: Assembly) -> None:
        for side, sign in SIDES:
            self.corner(to, f"{self.name}_{side}", sign)

    def corner(self, to: Assembly, name: str, sign: float) -> None:
        """Add the suspension of one side, bodies "NAME ..."; ``sign``: +1 on the left, -1 on the
        right."""
        at = partial(to.at, origin=self.origin, side=sign)
        hub, foot, top = at(self.wheel_centre), at(self.damper[1]), at(self.damper[0])
        inner, outer = at(self.tie_rod[0]), at(self.tie_rod[1])
        upright = to.placed(f"{name} upright", self.upright_body, at(self.upright_centre))
        for level in ("upper", "lower"):
            front, rear, ball = map(at, getattr(self, f"{level}_arm"))
            piece = getattr(self, f"{level}_arm_body")
            centre = middle(middle(front, rear), ball) if piece.centre is None else at(piece.centre)
            arm = to.body(f"{name} {level} arm", piece, centre)
            along = np.subtract(front, rear)
            to.hinge(f"{name} {level} hinge", self.carrier, arm, middle(front, rear), along)
            to.ball(f"{name} {level} ball", arm, upright, ball)
        wheel = to.placed(f"{name} wheel", self.wheel_body, hub)
        along, reach = np.subtract(top, foot), np.subtract(outer, inner)
        rod = to.placed(f"{name} tie rod", self.tie_rod_body, middle(inner, outer), reach)
        tube = to.placed(f"{name} damper tube", self.damper_tube_body, middle(foot, top, 0.3), along)
        piston = to.placed(f"{name} damper rod", self.damper_rod_body, middle(foot, top, 0.75), along)
        to.hinge(f"{name} hub", upright, wheel, hub)
        to.ball(f"{name} tie rod end", upright, rod, outer)
        to.rod_end(f"{name} tie rod root", self.guide, rod, inner, reach, across(reach))
        to.ball(f"{name} damper foot", f"{name} lower arm", tube, foot)
        to.slide(f"{name} damper slide", tube, piston, middle(foot, top), along)
        to.rod_end(f"{name} damper top", self.carrier, piston, top, along, across(along))
        to.stops(f"{name} stops", f"{name} lower hinge", self.stop_angle)
        self.add_spring(to, name, f"{name} lower arm", at)
        self.add_brake(to, name)
        to.wheel(name, wheel, hub)
