"""A quantity over time, linear between given points and constant outside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contact import checks


@dataclass(frozen=True)
class Schedule:
    """Piecewise linear ``value(t)``.

    Arguments:
        times: [s], rising.
        values: one for each time, in the unit of the quantity.

    Raises:
        ValueError: different lengths, no points, times that do not rise, numbers not finite.
    """

    times: Sequence[float] = (0.0,)
    values: Sequence[float] = (0.0,)

    def __post_init__(self) -> None:
        if len(self.times) != len(self.values) or not self.times:
            raise ValueError(
                f"Schedule: {len(self.times)} times and {len(self.values)} values; "
                "give one value for each time, and at least one"
            )
        for name in ("times", "values"):
            for number in getattr(self, name):
                checks.finite("Schedule", name, number)
        if np.any(np.diff(np.asarray(self.times, dtype=float)) <= 0.0):
            raise ValueError(f"Schedule.times = {tuple(self.times)} s must rise")

    def at(self, time: float) -> float:
        """The value at ``time`` [s]."""
        return float(np.interp(time, self.times, self.values))

    def table(self) -> NDArray[np.float64]:
        """Points as the kernels take them, shape (n, 2): time, value."""
        return np.stack([np.asarray(self.times, float), np.asarray(self.values, float)], axis=1)

    @classmethod
    def constant(cls, value: float) -> Schedule:
        """The same value at all times."""
        return cls((0.0,), (value,))

    @classmethod
    def ramp(cls, value: float, duration: float) -> Schedule:
        """From 0 at t = 0 to ``value`` at ``duration`` [s], then constant."""
        return cls((0.0, duration), (0.0, value))
