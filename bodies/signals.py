"""Signals of elements: a constant, a schedule over time, or the name of an input."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from . import checks
from .checks import checked


@dataclass(frozen=True)
@checked
class Schedule:
    """A signal over time, from pairs (time [s], value).

    Arguments:
        points: pairs with increasing time.
        hold: whether each value is constant until the next point's time, as for gears; otherwise values
            are interpolated linearly. Before the first and after the last time the signal is constant.

    Raises:
        MechanismError: naming the field, its value and the reason.
    """

    points: tuple[tuple[float, float], ...]
    hold: bool = False

    def __post_init__(self) -> None:
        array = checks.numbers(self.points)
        if array.shape == (1, 2):
            array = array + np.array([[0.0, 0.0], [1.0, 0.0]])
        points = checks.table("schedule", "points", self.points if array.size == 0 else array)  # type: ignore[arg-type]
        object.__setattr__(self, "points", points)
        if not isinstance(self.hold, bool | np.bool_):
            got = checks.shown(self.hold)
            raise checks.MechanismError(f"schedule: hold must be true or false, got {got}.")
        object.__setattr__(self, "hold", bool(self.hold))

    @classmethod
    def constant(cls, value: float) -> Schedule:
        """Schedule with the same value at all times."""
        return cls(((0.0, value),))

    @classmethod
    def ramp(cls, value: float, duration: float) -> Schedule:
        """Schedule that grows linearly from 0 at t = 0 to ``value`` at ``duration`` [s], then
        constant."""
        return cls(((0.0, 0.0), (duration, value)))


Signal = float | int | str | Schedule


def check_signal(
    who: str,
    field: str,
    value: Signal,
    low: float = -math.inf,
    high: float = math.inf,
    whole: bool = False,
    unit: str = "",
) -> Signal:
    """Return ``value`` if it is a number or a schedule in [low, high], or the name of an input.

    ``whole``: a number, or all values of a schedule's points, must be whole. ``unit`` is only for the
    message.
    """
    if isinstance(value, str):
        return checks.text(who, f"{field}, the name of an input,", value)
    if isinstance(value, Schedule):
        for time, level in value.points:
            checks.number(who, f"{field} at {time:g} s", level, low, high, unit=unit)
            if whole:
                whole_number(who, f"{field} at {time:g} s", level, low, high)
        return value
    found = checks.number(
        who, f"{field} (a number, a Schedule or the name of an input)", value, low, high, unit=unit
    )
    return whole_number(who, field, found, low, high) if whole else found


def whole_number(who: str, field: str, value: float, low: float, high: float) -> float:
    """Return ``value``, such as the number of a gear, if it is whole; MechanismError if not."""
    if value != round(value):
        raise checks.MechanismError(
            f"{who}: {field} = {value:g} must be a whole number, {low:g} to {high:g}"
        )
    return value
