"""Towed implement without side slip."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import Block, parameter
from ..catalogue import register


@register
@dataclass
class Drawn(Block):
    """Implement with one axle behind a hitch, without side slip.

        l dpsi_i/dt = (v - c g) cos(lambda) - u sin(lambda),     lambda = psi_i - psi

    psi_i, psi: headings of implement and machine [rad]; u, v: forward and lateral speed of the machine's
    rear axle [m/s]; g: yaw rate of the machine [rad/s].

    If the rear axle follows a circle of radius R, the implement's axle follows a circle of radius R_i,
    R_i^2 = R^2 + c^2 - l^2.

    Arguments:
        hitch: c, distance of the hitch behind the rear axle [m].
        drawbar: l, distance from the hitch to the implement's axle [m].

    Raises:
        RigError: a number out of its range.
    """

    category: ClassVar[str] = "implement"
    name: ClassVar[str] = "drawn"
    about: ClassVar[str] = "single axle behind a hitch, without side slip"
    keeps: ClassVar[tuple[str, ...]] = ("heading",)
    hitch: float = parameter(0.8, "m", "behind the rear axle", low=0.0, high=50.0)
    drawbar: float = parameter(3.9, "m", "hitch to axle", low=0.1, high=50.0)

    def begin(self) -> None:
        """Start behind the machine at the hitch angle of the rig's start values."""
        names = ("position", "attitude", "velocity", "yaw_rate")
        self._in = [self.input(n) for n in names]
        self._place, self._angle = self.output("implement_position"), self.output("hitch_angle")
        self.heading: NDArray[np.float64] = np.array([math.nan])  # psi_i [rad]; nan before a tick

    def advance(self, time: float, h: float) -> None:
        """Advance by one Runge-Kutta step (order 4), with the machine's velocity at the tick's end."""
        place, attitude, velocity, yaw_rate = self._in
        psi, u, g = float(attitude[2]), float(velocity[0]), float(yaw_rate[0])
        side = float(velocity[1]) - self.hitch * g
        angle = (
            float(self._angle[0])
            if math.isnan(self.heading[0])
            else float(self.heading[0]) - psi + g * h
        )

        def rate(x: float) -> float:
            return (side * math.cos(x) - u * math.sin(x)) / self.drawbar - g

        k1 = rate(angle)
        k2 = rate(angle + 0.5 * h * k1)
        k3 = rate(angle + 0.5 * h * k2)
        angle += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + rate(angle + h * k3))
        self.heading[0] = psi + angle
        self._angle[0] = angle
        c, s = math.cos(psi), math.sin(psi)
        ci, si = math.cos(psi + angle), math.sin(psi + angle)
        self._place[0] = place[0] - self.hitch * c - self.drawbar * ci
        self._place[1] = place[1] - self.hitch * s - self.drawbar * si
        self._place[2] = place[2]
