"""Base of the guidance laws: from a fix to errors off the path and a curvature."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import Block

Three = tuple[float, float, float]


class Guidance(Block):
    """Base: ``command(x, y, heading, speed)`` gives the curvature [1/m] once ``errors`` are known."""

    category: ClassVar[str] = "guidance"
    keeps: ClassVar[tuple[str, ...]] = ("along",)

    def begin(self) -> None:
        """Look up the signals; the path's nearest point is found at the first fix."""
        self.along: NDArray[np.float64] = np.array([np.inf])  # s [m] of the last fix; none yet
        self._fix = [self.input(n) for n in ("fix_position", "fix_heading", "fix_speed", "fix_quality")]
        self._engage = self.input("engage")
        names = ("off_track", "heading_error", "curvature_command", "engaged")
        self._out = [self.output(n) for n in names]
        self._out[3][0] = 0.0

    def advance(self, time: float, h: float) -> None:
        """One command from the newest fix; without a fix the last one stays and ``engaged`` falls."""
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
        """Curvature [1/m] from x, y, heading, speed, (off track, heading error, path's curvature) and
        s."""
