"""Base of the guidance laws: tracking errors and curvature command from a GNSS fix."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import Block

Three = tuple[float, float, float]


class Guidance(Block):
    """Base of a guidance law; a subclass implements ``command``, the curvature [1/m] for a fix."""

    category: ClassVar[str] = "guidance"
    keeps: ClassVar[tuple[str, ...]] = ("along",)

    def begin(self) -> None:
        """Store views of the signals; the nearest point of the path is searched at the first fix."""
        self.along: NDArray[np.float64] = np.array([np.inf])  # arc length s at the last fix [m]
        self._fix = [self.input(n) for n in ("fix_position", "fix_heading", "fix_speed", "fix_quality")]
        self._engage = self.input("engage")
        names = ("off_track", "heading_error", "curvature_command", "engaged")
        self._out = [self.output(n) for n in names]
        self._out[3][0] = 0.0

    def advance(self, time: float, h: float) -> None:
        """Write one command from the newest fix; without a fix only "engaged" changes, to 0."""
        place, heading, speed, quality = self._fix
        if quality[0] < 0.5:
            self._out[3][0] = 0.0
            return
        x, y, psi = float(place[0]), float(place[1]), float(heading[0])
        path, s = self.site.path, float(self.along[0])
        if s == np.inf:
            s = path.nearest(x, y)
        off, error, curvature, s = path.errors(x, y, psi, s)
        self.along[0] = s
        self._out[0][0], self._out[1][0] = off, error
        self._out[2][0] = self.command((x, y, psi), float(speed[0]), (off, error, curvature), s)
        self._out[3][0] = 1.0 if self._engage[0] > 0.5 else 0.0

    @abstractmethod
    def command(self, pose: Three, speed: float, errors: Three, s: float) -> float:
        """Curvature command [1/m], left positive.

        Arguments:
            pose: x, y, heading [m, m, rad].
            speed: forward speed [m/s].
            errors: cross-track error [m], heading error [rad] (both positive to the left), curvature
                of the path [1/m].
            s: distance along the path to the projection [m].
        """
