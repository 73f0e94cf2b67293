"""Joints, stops and controls of a vehicle, which its parts add."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import checks
from ..checks import checked
from ..joints import Distance, Limit, Motor, Prismatic, Revolute, Spherical, Universal
from ..signals import Signal

FORWARD, LEFT, UP = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@checked
class Elements:
    """Elements between the bodies of one vehicle; points and axes in world axes [m].

    Arguments:
        name: name of the vehicle.
        controls: signals of the controls by name.
    """

    def __init__(self, name: str, controls: dict[str, Signal]) -> None:
        self.name: str = name
        self.controls: dict[str, Signal] = controls
        self.elements: list[Any] = []

    def add(self, *elements: Any) -> None:
        """Add joints, couplings and forces."""
        self.elements += elements

    def hinge(self, name: str, a: str, b: str, at: Any, axis: Any = LEFT) -> str:
        """Add a hinge of bodies a and b at a point; returns its name."""
        self.add(Revolute(name=name, body_a=a, body_b=b, position=at, axis=axis))
        return name

    def slide(self, name: str, a: str, b: str, at: Any, axis: Any = LEFT) -> None:
        """Add a slide of bodies a and b at a point."""
        self.add(Prismatic(name=name, body_a=a, body_b=b, position=at, axis=axis))

    def ball(self, name: str, a: str, b: str, at: Any) -> None:
        """Add a ball joint of bodies a and b at a point."""
        self.add(Spherical(name=name, body_a=a, body_b=b, position=at))

    def rod(self, name: str, a: str, b: str, start: Any, end: Any) -> None:
        """Add a massless rod from body a to body b."""
        self.add(Distance(name=name, body_a=a, body_b=b, position=start, position_b=end))

    def rod_end(self, name: str, body: str, rod: str, place: Any, along: Any, pin: Any) -> None:
        """Add a universal joint between a body and the end of a rod in the direction ``along``.

        ``pin``: direction of the joint's pin in the body, perpendicular to the rod.
        """
        pins = {"axis": tuple(pin), "axis_b": tuple(np.cross(along, pin))}
        self.add(Universal(name=name, body_a=body, body_b=rod, position=place, **pins))

    def turn_by(self, name: str, joint: str, control: str, largest: float) -> None:
        """Add a motor by which a hinge follows the angle of a control, at most ``largest`` [rad]."""
        target = self.control(control)
        self.add(Motor(name=name, joint=joint, target=target, mode="position", max_angle=largest))

    def stops(self, name: str, joint: str, angle: float) -> None:
        """Add stops of a joint at an angle in both directions [rad]; 0: none."""
        if angle > 0.0:
            self.add(Limit(name=name, joint=joint, lower=-angle, upper=angle))

    def control(self, name: str) -> Signal:
        """Signal of a control; UnknownName with the nearest name for an unknown control."""
        if not self.controls:
            raise checks.MechanismError(
                f"vehicle {self.name!r}: control: {checks.shown(name)} is missing; give it a number or "
                "a schedule under [controls]."
            )
        if name not in self.controls:
            raise checks.UnknownName(f"vehicle {self.name!r}: control", name, self.controls)
        return self.controls[name]
