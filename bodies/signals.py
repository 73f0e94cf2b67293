"""Signals: a constant, a schedule over time, or a named input that a callback sets."""

from __future__ import annotations

from dataclasses import dataclass

from . import checks


@dataclass(frozen=True)
class Schedule:
    """A signal over time, from pairs (time [s], value).

    Arguments:
        points: pairs with increasing time.
        hold: keep each value until the next time (gears) instead of interpolating linearly.
            Before the first and after the last time the end values hold.
    """

    points: tuple[tuple[float, float], ...]
    hold: bool = False

    def __post_init__(self) -> None:
        points = tuple(tuple(p) for p in self.points)
        if len(points) == 1:
            points = (*points, (points[0][0] + 1.0, points[0][1]))
        object.__setattr__(self, "points", checks.table("schedule", "points", points))


Signal = float | int | str | Schedule


def check_signal(who: str, field: str, value: Signal) -> Signal:
    """Return ``value`` if it is a finite number, a schedule or the name of an input."""
    if isinstance(value, str | Schedule):
        return value
    return checks.number(who, f"{field} (a number, a Schedule or the name of an input)", value)
