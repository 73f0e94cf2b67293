"""Signals of elements: a constant, a schedule over time, or the name of an input."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

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


class Controlled:
    """Base class of elements with input signals; the constructor checks the signals."""

    name: str

    #: Range (least, largest value) of each signal, by field.
    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {}
    signal_unit: ClassVar[str] = ""  # unit of the signals
    whole_signals: ClassVar[tuple[str, ...]] = ()  # fields of integer signals, such as a gear

    def __post_init__(self) -> None:
        for field, (low, high) in self.signal_ranges.items():
            whole = field in self.whole_signals
            check_signal(self.who, field, getattr(self, field), low, high, whole, self.signal_unit)

    @property
    def who(self) -> str:
        """Name of this element in messages."""
        return f"{type(self).__name__.lower()} {self.name!r}"

    def signals(self) -> dict[str, Any]:
        """Input signals by the name of their field."""
        return {field: getattr(self, field) for field in self.signal_ranges}


def whole_number(who: str, field: str, value: float, low: float, high: float) -> float:
    """Return ``value``, such as the number of a gear, if it is whole; MechanismError if not."""
    if value != round(value):
        raise checks.MechanismError(
            f"{who}: {field} = {value:g} must be a whole number, {low:g} to {high:g}"
        )
    return value
