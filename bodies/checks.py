"""Checks of user input: every complaint is one sentence with field, value and allowed range."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mlcp.checks import nearest, numbers, shown
from mlcp.checks import number as real


class MechanismError(ValueError):
    """A description that no mechanism can have; the message says which field and why."""


class UnknownName(MechanismError):
    """A name that nothing in the mechanism carries.

    Attributes:
        name: the name that was asked for.
        known: the names that exist.
    """

    def __init__(self, where: str, name: str, known: Iterable[str]) -> None:
        self.name: str = name
        self.known: list[str] = sorted(known)
        super().__init__(f"{where}: {shown(name)} is unknown; {nearest(name, self.known)}")


class SimulationError(RuntimeError):
    """A run that cannot go on; the message says when and why.

    Attributes:
        trajectory: what :func:`bodies.simulate` had recorded by then, its last record that of the end of
            the last chunk that went well; None where nothing was recorded.
    """

    trajectory: Any = None


class SimulationWarning(UserWarning):
    """A run that came to its end, but not as it should; the message says what was missed."""


def flag(owner: str, field: str, value: object) -> bool:
    """Return ``value`` if it is true or false."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise MechanismError(f"{owner}: {field} = {shown(value)} must be True or False")


WHOLE = 1e-9  # relative: a float this near to a whole number, as 0.7 / 1e-3, is one


def whole(owner: str, field: str, value: object, low: int = 0, high: float = 2.0**53) -> int:
    """Return ``value`` as an int in [low, high]; a float counts if it is whole within 1e-9 of itself."""
    x = number(owner, field, value, low, high)
    if abs(x - round(x)) > WHOLE * max(abs(x), 1.0):
        raise MechanismError(f"{owner}: {field} = {shown(value)} must be a whole number, {low} or more")
    return round(x)


def number(
    owner: str,
    field: str,
    value: object,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    open_low: bool = False,
    finite: bool = True,
) -> float:
    """Return ``value`` as a float inside [low, high] (or (low, high] with ``open_low``)."""
    return real(
        f"{owner}: {field}", value, low, high, open_low=open_low, finite=finite, error=MechanismError
    )


def vector(owner: str, field: str, value: object, size: int = 3) -> tuple[float, ...]:
    """Return ``value`` as a tuple of ``size`` finite floats."""
    array = numbers(value)
    if array.shape != (size,) or not np.all(np.isfinite(array)):
        raise MechanismError(f"{owner}: {field} must be {size} finite numbers, got {shown(value)}.")
    return tuple(float(x) for x in array)


def unit_vector(owner: str, field: str, value: object) -> tuple[float, ...]:
    """Return ``value`` normalised; a zero vector has no direction and is refused."""
    array = np.array(vector(owner, field, value))
    length = float(np.linalg.norm(array))
    if length < 1e-12:
        raise MechanismError(f"{owner}: {field} must be a direction, got the zero vector.")
    return tuple(float(x) for x in array / length)


def table(owner: str, field: str, value: Sequence[Sequence[float]]) -> tuple[tuple[float, float], ...]:
    """Return ``value`` as pairs (x, y) with strictly increasing x, at least two of them."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.ndim != 2 or array.shape[0] < 2 or array.shape[1] != 2 or not np.isfinite(array).all():
        raise MechanismError(
            f"{owner}: {field} must be at least two pairs of finite numbers, got {value!r}."
        )
    steps = np.diff(array[:, 0])
    if np.any(steps <= 0.0):
        k = int(np.argmax(steps <= 0.0))
        raise MechanismError(
            f"{owner}: {field} must increase in its first column, but "
            f"{array[k + 1, 0]:g} follows {array[k, 0]:g}."
        )
    return tuple((float(x), float(y)) for x, y in array)
