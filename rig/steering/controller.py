"""Steering controllers: wanted steer angle from the curvature, valve opening from the angle's error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..block import Block, parameter
from ..catalogue import register


@register
@dataclass
class Proportional(Block):
    """Controller: steer angle delta_c for a curvature k, and a valve opening c by the angle's error:

        delta_c = atan(L k) + K u^2 k,     x = k_p (delta_c - delta),     c = sign(x) (d + (1 - d) |x|)

    u: forward speed [m/s], delta: steer angle [rad], d: dead band of the valve, compensated in c. c is
    clipped to -1 to 1. If guidance is not engaged, delta_c is the operator's angle.

    Arguments:
        wheelbase: L [m].
        understeer: understeer gradient K [rad s^2/m]; 0: feedback alone corrects the understeer.
        gain: k_p, valve opening over the error of the angle [1/rad].
        dead_band: d, largest opening command without effect on the valve [-].
        tolerance: largest error of the angle with a shut valve [rad].

    Raises:
        RigError: a number out of its range.
    """

    category: ClassVar[str] = "steering_controller"
    name: ClassVar[str] = "proportional"
    about: ClassVar[str] = "angle from the curvature, valve from the angle's error"
    wheelbase: float = parameter(2.9, "m", "between the axles", low=0.1, high=100.0)
    understeer: float = parameter(0.0, "rad s^2/m", "understeer gradient, compensated")
    gain: float = parameter(12.0, "1/rad", "of the angle's error", low=0.0, high=1e4)
    dead_band: float = parameter(0.08, "", "added to the opening", low=0.0, high=0.9)
    tolerance: float = parameter(0.0, "rad", "largest error with a shut valve", low=0.0, high=1.0)

    def begin(self) -> None:
        names = ("engaged", "steering_wheel", "steer_angle", "velocity")
        self._in = [self.input(n) for n in names]
        self._commands = [self.input(n) for n in ("curvature_command", "off_track", "heading_error")]
        self._angle, self._valve = self.output("steer_command"), self.output("valve_command")

    def curvature(self) -> float:
        """Commanded curvature, left positive [1/m]."""
        return float(self._commands[0][0])

    def advance(self, time: float, h: float) -> None:
        """Write steer angle and valve opening for this tick."""
        engaged, wheel, angle, velocity = self._in
        k = self.curvature()
        wanted = float(wheel[0])
        if engaged[0] > 0.5:
            wanted = math.atan(self.wheelbase * k) + self.understeer * float(velocity[0]) ** 2 * k
        self._angle[0] = wanted
        error = wanted - float(angle[0])
        c = self.gain * error
        if abs(error) <= self.tolerance or c == 0.0:
            self._valve[0] = 0.0
            return
        c = math.copysign(self.dead_band + (1.0 - self.dead_band) * abs(c), c)
        self._valve[0] = max(-1.0, min(1.0, c))


@register
@dataclass
class FromErrors(Proportional):
    """Steering controller; its curvature k follows from cross-track error e and heading error psi_e:

        k = -k_e e - k_psi psi_e

    with e [m] and psi_e [rad] positive to the left, as in the source, where the navigation controller
    sends these two errors instead of a curvature.

    Arguments:
        wheelbase, understeer, gain, dead_band, tolerance: as for ``Proportional``
            [m, rad s^2/m, 1/rad, -, rad].
        k_e: gain of the cross-track error [1/m^2].
        k_psi: gain of the heading error [1/m].

    Raises:
        RigError: a number out of its range.

    Source: Karkee, Steward, Kelkar, Kemp (2010), section on controller hardware in the loop.
    """

    name: ClassVar[str] = "from errors"
    about: ClassVar[str] = "angle from off-track and heading error, valve from the angle's error"
    k_e: float = parameter(0.08, "1/m^2", "of the distance off track", low=0.0, high=1e3)
    k_psi: float = parameter(0.4, "1/m", "of the heading error", low=0.0, high=1e3)

    def curvature(self) -> float:
        """Curvature [1/m] that reduces cross-track and heading error."""
        return -self.k_e * float(self._commands[1][0]) - self.k_psi * float(self._commands[2][0])
