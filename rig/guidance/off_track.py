"""Guidance by linear feedback of cross-track and heading error, plus the path's curvature."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..block import parameter
from ..catalogue import register
from .law import Guidance, Three


@register
@dataclass
class OffTrack(Guidance):
    """Guidance law with linear feedback of cross-track error e and heading error psi_e:

        curvature = k_path - k_e e - sgn(u) k_psi psi_e

    e [m] and psi_e [rad] are positive to the left. k_path: curvature of the path [1/m], u: speed [m/s].
    With a first-order steering lag tau [s] and u > 0 the eigenvalues s [1/s] follow from tau s^3 + s^2 +
    u k_psi s + u^2 k_e = 0; the loop is stable if and only if k_psi > u tau k_e.

    Arguments:
        k_e: gain of the cross-track error [1/m^2].
        k_psi: gain of the heading error [1/m].
        period: time between two commands [s]; None: every tick.

    Raises:
        RigError: a number out of its range.
    """

    name: ClassVar[str] = "off-track"
    about: ClassVar[str] = "linear feedback of off-track and heading error"
    k_e: float = parameter(0.08, "1/m^2", "of the off-track error", low=0.0, high=1e4)
    k_psi: float = parameter(0.4, "1/m", "of the heading error", low=0.0, high=1e4)
    period: float | None = None

    def command(self, pose: Three, speed: float, errors: Three, s: float) -> float:
        off, error, curvature = errors
        return curvature - self.k_e * off - math.copysign(self.k_psi, speed) * error
