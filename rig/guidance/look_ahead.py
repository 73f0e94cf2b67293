"""Look-ahead guidance (pure pursuit)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..block import parameter
from ..catalogue import register
from .law import Guidance, Three


@register
@dataclass
class LookAhead(Guidance):
    """Pure pursuit: an arc through the point of the path at distance l ahead, y_l to the left:

        curvature = 2 y_l / l^2

    In reverse the point lies behind. Near a straight path the curvature is -(2/l^2) e - (2/l) psi_e to
    first order, with the cross-track error e [m] and the heading error psi_e [rad], both positive to the
    left. At the speed u [m/s] the errors decay with the natural frequency sqrt(2) u/l and the damping
    ratio 1/sqrt(2). With a first-order steering lag tau [s] the loop is stable if and only if l > u tau.

    Arguments:
        distance: look-ahead distance l [m].
        period: time between two commands [s]; None: every tick.

    Raises:
        RigError: a distance out of its range.

    Source: Coulter (1992), Implementation of the pure pursuit path tracking algorithm.
    """

    name: ClassVar[str] = "look-ahead"
    about: ClassVar[str] = "arc to a point of the path at a distance (pure pursuit)"
    distance: float = parameter(6.0, "m", "look-ahead distance", low=0.05, high=1e3)
    period: float | None = None

    def command(self, pose: Three, speed: float, errors: Three, s: float) -> float:
        x, y, psi = pose
        gx, gy = self.site.path.goal(x, y, self.distance, s, speed < 0.0)
        left = (gy - y) * math.cos(psi) - (gx - x) * math.sin(psi)
        return 2.0 * left / ((gx - x) ** 2 + (gy - y) ** 2)
