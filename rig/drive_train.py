"""Drive trains: speed command of the chassis from the speed that the operator wants."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from .block import Block, parameter
from .catalogue import register


@register
@dataclass
class Ideal(Block):
    """Drive train without delay: the speed command is the wanted speed."""

    category: ClassVar[str] = "drive_train"
    name: ClassVar[str] = "ideal"
    about: ClassVar[str] = "the wanted speed at once"

    def begin(self) -> None:
        self._in, self._out = self.input("wanted_speed"), self.output("speed_command")

    def advance(self, time: float, h: float) -> None:
        """Copy the wanted speed to the speed command."""
        self._out[0] = self._in[0]


@register
@dataclass
class FirstOrderSpeed(Ideal):
    """Drive train with a lag of the speed u and limited acceleration: tau du/dt = u_wanted - u.

    Arguments:
        lag: time constant tau [s].
        acceleration: largest acceleration and deceleration [m/s^2].

    Raises:
        RigError: a number out of its range.
    """

    name: ClassVar[str] = "first-order"
    about: ClassVar[str] = "the wanted speed with a lag and a limit of acceleration"
    lag: float = parameter(1.0, "s", "time constant", low=1e-3, high=1e3)
    acceleration: float = parameter(1.5, "m/s^2", "largest acceleration", low=1e-3, high=1e3)

    def advance(self, time: float, h: float) -> None:
        """Exact response over a tick, within the largest acceleration."""
        step = (float(self._in[0]) - float(self._out[0])) * -math.expm1(-h / self.lag)
        self._out[0] += max(-self.acceleration * h, min(self.acceleration * h, step))
