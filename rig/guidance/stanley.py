"""Stanley guidance: exponential decay of the front axle's distance from the path."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..block import parameter
from ..catalogue import register
from .law import Guidance, Three


@register
@dataclass
class Stanley(Guidance):
    """Stanley law: steer angle delta from heading error and distance e_f [m] of front axle and path:

        delta = -(psi_e + atan(k e_f / (u_0 + u))),     curvature = tan(delta) / L

    psi_e: heading error [rad], u: speed [m/s]; errors and distances are positive to the left. On the
    kinematic model de_f/dt = -k e_f u/(u + u_0) for small e_f, whatever the wheelbase. In reverse
    delta = psi_e - atan(k e / (u_0 + |u|)) with the rear axle's distance e from the path; the natural
    frequency is |u| sqrt(k/(L (u_0 + |u|))).

    Arguments:
        gain: k [1/s].
        soft: u_0 [m/s], which limits the command at standstill.
        wheelbase: L [m].
        limit: largest steer angle [rad].
        period: time between two commands [s]; None: every tick.

    Raises:
        RigError: a number out of its range.

    Source: Thrun et al. (2006), Stanley: the robot that won the DARPA Grand Challenge.
    Differs from the source: u_0 in the denominator; on a curved path its curvature is not fed forward.
    """

    name: ClassVar[str] = "stanley"
    about: ClassVar[str] = "front wheels along the path and towards it"
    gain: float = parameter(1.0, "1/s", "decay of the front axle's distance", low=0.0, high=100.0)
    soft: float = parameter(0.1, "m/s", "limits the command at standstill", low=0.0, high=10.0)
    wheelbase: float = parameter(2.9, "m", "between the axles", low=0.1, high=100.0)
    limit: float = parameter(0.66, "rad", "largest angle", low=0.0, high=1.5)
    period: float | None = None

    def command(self, pose: Three, speed: float, errors: Three, s: float) -> float:
        x, y, psi = pose
        if speed < 0.0:
            off, error, _ = errors
            return self._limited(error - math.atan2(self.gain * off, self.soft - speed))
        fx, fy = x + self.wheelbase * math.cos(psi), y + self.wheelbase * math.sin(psi)
        off, error, _, _ = self.site.path.errors(fx, fy, psi, s + self.wheelbase)
        delta = -(error + math.atan2(self.gain * off, self.soft + max(0.0, speed) + 1e-12))
        return self._limited(delta)

    def _limited(self, delta: float) -> float:
        """Curvature [1/m] of a steer angle, which is clipped to the limit."""
        return math.tan(max(-self.limit, min(self.limit, delta))) / self.wheelbase
