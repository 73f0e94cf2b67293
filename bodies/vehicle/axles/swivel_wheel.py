"""Swivel wheel: a single wheel in a fork, steered or a caster."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...joints import Motor, Revolute
from ...kinds import Name, NonNegative, Point, Remark
from ..part import LEFT, UP, Assembly, Part, Piece, middle
from .wheel_brakes import brake_wheel


@dataclass(frozen=True, kw_only=True)
class SwivelWheel(Part):
    """One wheel in a fork that turns about z: third wheel of a robot, jockey wheel of a trailer.

    Arguments:
        name: name of the part and of its wheel; ``hub_drives`` may name it among its axles.
        carrier: body that carries the part.
        pivot: point of the fork's vertical axis [m]; the wheel of a caster is behind this axis.
        wheel_centre: centre of mass of the wheel [m].
        fork: body, default centre halfway from pivot to wheel.
        wheel_body: the wheel with all parts that turn at its speed.
        control: name of the control of the fork's angle [rad, left positive], which a motor sets; empty:
            a free caster, for which ``equilibrium`` keeps the static friction of the wheels, since the
            fork would swing without it.
        brake_capacity: torque of the wheel's brake at full pressure [N m], at least 0; 0: no brake.

    Raises:
        MechanismError: naming the part, the field, its value and the allowed range.
    """

    carrier: Name = "frame"
    pivot: Point
    wheel_centre: Point
    fork: Piece
    wheel_body: Piece
    control: Remark = ""
    brake_capacity: NonNegative = 0.0

    def build(self, to: Assembly) -> None:
        pivot, hub = to.at(self.pivot), to.at(self.wheel_centre)
        centre = middle(pivot, hub) if self.fork.centre is None else to.at(self.fork.centre)
        fork = to.body(f"{self.name} fork", self.fork, centre)
        wheel = to.placed(f"{self.name} wheel", self.wheel_body, hub)
        to.add(
            Revolute(
                name=f"{self.name} swivel", body_a=self.carrier, body_b=fork, position=pivot, axis=UP
            ),
            Revolute(name=f"{self.name} hub", body_a=fork, body_b=wheel, position=hub, axis=LEFT),
        )
        if self.control:
            to.add(
                Motor(
                    name=f"{self.name} steering",
                    joint=f"{self.name} swivel",
                    target=to.control(self.control),
                    mode="position",
                    max_angle=math.pi,
                )
            )
        brake_wheel(to, self.name, self.brake_capacity)
        to.wheel(self.name, wheel, hub)
