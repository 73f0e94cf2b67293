"""Steering with a first-order lag."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..block import parameter
from ..catalogue import register
from .perfect import Perfect


@register
@dataclass
class FirstOrder(Perfect):
    """Steering with a lag of its angle delta: tau d(delta)/dt = command - delta, exact over a tick.

    Arguments:
        lag: time constant tau [s].
        limit: largest command [rad].

    Raises:
        RigError: a number out of its range.
    """

    name: ClassVar[str] = "first-order"
    about: ClassVar[str] = "the commanded angle with a lag"
    lag: float = parameter(0.2, "s", "time constant", low=1e-6, high=1e3)

    def advance(self, time: float, h: float) -> None:
        """Exact response over a tick to the constant command."""
        wanted = max(-self.limit, min(self.limit, float(self._in[0])))
        self._out[0] += (wanted - float(self._out[0])) * -math.expm1(-h / self.lag)
