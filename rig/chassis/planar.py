"""Base of planar chassis: their pose and attitude on the ground."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import Block


class PlanarChassis(Block):
    """Base of planar chassis; height, roll and pitch follow from the ground below.

    The steer angle varies linearly over a tick. A subclass defines ``wheelbase`` and calls ``publish``.
    The reference point on the bus is the middle of the rear axle.
    """

    category: ClassVar[str] = "chassis"
    keeps: ClassVar[tuple[str, ...]] = ("pose",)
    track: float

    @property
    @abstractmethod
    def wheelbase(self) -> float:
        """Wheelbase L [m]."""

    def begin(self) -> None:
        """Set the pose (x, y, heading of the reference point) from the rig's start values."""
        names = ("position", "attitude", "velocity", "yaw_rate", "slip_angle")
        self._out = [self.output(n) for n in names]
        self._steer, self._speed = self.input("steer_angle"), self.input("speed_command")
        place, attitude = self._out[:2]
        self.pose: NDArray[np.float64] = np.array([place[0], place[1], attitude[2]])
        self._lie(*(float(v) for v in self.pose))

    def publish(
        self,
        pose: tuple[float, float, float],
        speed: tuple[float, float],
        rate: float,
        slip: tuple[float, float],
    ) -> None:
        """Write the motion of the reference point to the outputs.

        Arguments: pose: x, y [m], heading [rad]. speed: forward, left [m/s]. rate: yaw rate [rad/s].
        slip: slip angles of front and rear axle [rad].
        """
        self.pose[:] = pose
        place, _, velocity, yaw_rate, angles = self._out
        place[0], place[1] = pose[0], pose[1]
        velocity[0], velocity[1] = speed
        yaw_rate[0] = rate
        angles[0], angles[1] = slip
        self._lie(*pose)

    def _lie(self, x: float, y: float, heading: float) -> None:
        """Write height, roll and pitch of the least-squares plane through the ground at four wheels."""
        place, attitude = self._out[:2]
        attitude[2] = heading
        terrain = self.site.terrain
        if terrain is None:
            return
        half, c, s = 0.5 * self.track, math.cos(heading), math.sin(heading)
        forward = np.array([0.0, 0.0, self.wheelbase, self.wheelbase])
        left = np.array([half, -half, half, -half])
        z = terrain.height(x + forward * c - left * s, y + forward * s + left * c)
        slope = (z[2] + z[3] - z[0] - z[1]) / (2.0 * self.wheelbase)
        bank = (z[0] - z[1] + z[2] - z[3]) / (2.0 * self.track)
        place[2] = 0.5 * (z[0] + z[1])
        attitude[1] = -math.atan(slope)
        attitude[0] = math.atan(bank * math.cos(attitude[1]))
