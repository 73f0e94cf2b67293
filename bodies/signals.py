"""Signals: a constant, a schedule over time, or a named input that a callback sets."""

from __future__ import annotations

from dataclasses import dataclass

from mlcp.checks import shown

from . import checks


@dataclass(frozen=True)
class Schedule:
    """A signal over time, from pairs (time [s], value).

    Arguments:
        points: pairs with increasing time.
        hold: keep each value until the next time (gears) instead of interpolating linearly.
            Before the first and after the last time the end values hold.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    points: tuple[tuple[float, float], ...]
    hold: bool = False

    def __post_init__(self) -> None:
        try:
            points = tuple(tuple(p) for p in self.points)
        except TypeError:
            points = self.points
        if not isinstance(points, tuple):
            raise checks.MechanismError(f"schedule: points must be pairs, got {shown(self.points)}.")
        if len(points) == 1 and len(points[0]) == 2:
            points = (*points, (points[0][0] + 1.0, points[0][1]))
        object.__setattr__(self, "points", checks.table("schedule", "points", points))

    @classmethod
    def constant(cls, value: float) -> Schedule:
        """The same value at all times."""
        return cls(((0.0, value),))

    @classmethod
    def ramp(cls, value: float, duration: float) -> Schedule:
        """From 0 at t = 0 linearly to ``value`` at ``duration`` [s], then constant."""
        return cls(((0.0, 0.0), (duration, value)))


Signal = float | int | str | Schedule


def check_signal(who: str, field: str, value: Signal) -> Signal:
    """Return ``value`` if it is a finite number, a schedule or the name of an input."""
    if isinstance(value, str | Schedule):
        return value
    return checks.number(who, f"{field} (a number, a Schedule or the name of an input)", value)
