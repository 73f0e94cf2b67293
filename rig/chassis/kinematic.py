"""Kinematic chassis: rolling without side slip."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import parameter
from ..catalogue import register
from .planar import PlanarChassis


@register
@dataclass
class Kinematic(PlanarChassis):
    """Kinematic bicycle without side slip; each tick is an arc with the mean steer angle delta:

        dx/dt = u cos psi,   dy/dt = u sin psi,   dpsi/dt = u tan(delta) / L

    x, y: middle of the rear axle [m], psi: heading [rad], u: speed [m/s].

    Arguments:
        wheelbase: L [m].
        track: distance between left and right wheels [m]; for roll on uneven ground.

    Raises:
        RigError: a number out of its range.

    Source: Karkee, Steward, Kelkar, Kemp (2010).
    """

    name: ClassVar[str] = "kinematic"
    about: ClassVar[str] = "wheels roll where they point"
    keeps: ClassVar[tuple[str, ...]] = ("pose", "angle")
    wheelbase: float = parameter(2.9, "m", "between the axles", low=0.1, high=100.0)
    track: float = parameter(1.8, "m", "between the wheels", low=0.1, high=100.0)

    def begin(self) -> None:
        """Set pose and steer angle from the rig's start values."""
        super().begin()
        self.angle: NDArray[np.float64] = self._steer.copy()  # steer angle at the last tick's end [rad]

    def advance(self, time: float, h: float) -> None:
        """Advance by one tick along an arc."""
        u, delta = float(self._speed[0]), 0.5 * float(self.angle[0] + self._steer[0])
        self.angle[:] = self._steer
        x, y, psi = (float(v) for v in self.pose)
        rate = u * math.tan(delta) / self.wheelbase
        half = 0.5 * rate * h
        chord = u * h * (math.sin(half) / half if abs(half) > 1e-8 else 1.0)
        pose = (x + chord * math.cos(psi + half), y + chord * math.sin(psi + half), psi + 2.0 * half)
        self.publish(pose, (u, 0.0), rate, (0.0, 0.0))
