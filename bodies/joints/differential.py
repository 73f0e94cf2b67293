"""Differential: one input shaft, two outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..kinds import NonZero
from .coupling import Coupling


@dataclass(frozen=True, kw_only=True)
class Differential(Coupling):
    """Coupling ``x_input - ratio (x_left + x_right)/2 = const`` (1 row) of three shafts.

    x: angles of the shafts. Without losses the torques of both outputs are equal, ``-ratio/2`` times
    the torque of the input.

    Arguments:
        input, left, right: coordinates of the three shafts' hinges on a common housing.
        ratio: input speed over the mean of the output speeds (final drive) [-].
    """

    input: str
    left: str
    right: str
    ratio: NonZero = 1.0

    row: ClassVar[str] = "joints.gear"
    measured: ClassVar[bool] = True

    def terms(self) -> tuple[tuple[str, float], ...]:
        half = -0.5 * self.ratio
        return ((self.input, 1.0), (self.left, half), (self.right, half))
