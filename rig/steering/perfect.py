"""Steering without delay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..block import Block, parameter
from ..catalogue import register


@register
@dataclass
class Perfect(Block):
    """Steering without delay: the commanded angle, within the limit.

    Arguments:
        limit: largest steer angle [rad].

    Raises:
        RigError: a limit out of its range.
    """

    category: ClassVar[str] = "steering"
    name: ClassVar[str] = "perfect"
    about: ClassVar[str] = "the commanded angle at once"
    limit: float = parameter(0.663, "rad", "largest angle", low=0.0, high=1.5)

    def begin(self) -> None:
        self._in, self._out = self.input("steer_command"), self.output("steer_angle")

    def advance(self, time: float, h: float) -> None:
        """Copy the commanded angle, clipped to the limit."""
        self._out[0] = max(-self.limit, min(self.limit, float(self._in[0])))
