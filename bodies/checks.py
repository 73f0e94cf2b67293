"""Checks of user input: every complaint is one sentence with field, value and allowed range."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mlcp import checks
from mlcp.checks import nearest, numbers, shown
from mlcp.checks import number as real
from mlcp.kinds import Checking
from mlcp.warned import SentenceWarning


class MechanismError(ValueError):
    """A description that no mechanism can have; the message says which field and why."""


#: What is handed to a class or function of this package, checked after its annotations.
checked: Checking = Checking(MechanismError, ": ")


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
        state: the best state so far of a search for rest; None elsewhere.
    """

    trajectory: Any = None
    state: Any = None


class SimulationWarning(SentenceWarning):
    """A run that came to its end, but not as it should; the message says what was missed."""


def flag(owner: str, field: str, value: object) -> bool:
    """Return ``value`` if it is true or false."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise MechanismError(f"{owner}: {field} = {shown(value)} must be True or False")


def angle(owner: str, field: str, value: object) -> float:
    """Return ``value`` as a float above 0, at most a right angle."""
    found = number(owner, field, value, 0.0, open_low=True)
    if found > 0.5 * math.pi:
        meant = f"; {found:g} degrees are {math.radians(found):.4g} rad" if found <= 90.0 else ""
        raise MechanismError(
            f"{owner}: {field} = {shown(value)} must be above 0 and at most pi/2 = 1.5708{meant}"
        )
    return found


def whole(owner: str, field: str, value: object, low: int = 0, high: float = 2.0**53) -> int:
    """Return ``value`` as an int in [low, high]; a float counts if it is whole within 1e-9 of itself."""
    return checks.whole(f"{owner}: {field}", value, low, high, MechanismError)


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


def unit_vector(owner: str, field: str, value: object, size: int = 3) -> tuple[float, ...]:
    """Return ``value`` normalised; a zero vector has no direction and is refused.

    What has length 1 to round-off stays as it is: normalised twice is the same as once.
    """
    array = np.array(vector(owner, field, value, size))
    most = float(np.max(np.abs(array)))
    if most < 1e-12:
        raise MechanismError(f"{owner}: {field} must be a direction, got the zero vector.")
    if abs(np.linalg.norm(array) - 1.0) > 1e-15:
        array = array / most  # so that no square overflows
        array = array / np.linalg.norm(array)
    return tuple(float(x) for x in array)


def table(
    owner: str, field: str, value: Sequence[Sequence[float]], *, rising: bool = False
) -> tuple[tuple[float, float], ...]:
    """Return ``value`` as pairs (x, y) with strictly increasing x, at least two of them.

    ``rising``: the second column may not fall, as in a damper, which else drives what it should damp.
    """
    array = numbers(value)
    if array.ndim != 2 or array.shape[0] < 2 or array.shape[1] != 2 or not np.isfinite(array).all():
        raise MechanismError(
            f"{owner}: {field} must be at least two pairs of finite numbers, got {shown(value)}."
        )
    for column, bad in ((0, np.diff(array[:, 0]) <= 0.0), (1, np.diff(array[:, 1]) < 0.0)):
        if np.any(bad) and (column == 0 or rising):
            k = int(np.argmax(bad))
            must = ("increase in its first", "not fall in its second")[column]
            raise MechanismError(
                f"{owner}: {field} must {must} column, but "
                f"{array[k + 1, column]:g} follows {array[k, column]:g}."
            )
    return tuple((float(x), float(y)) for x, y in array)


def text(owner: str, field: str, value: object, *, empty: bool = False) -> str:
    """Return ``value`` if it is a text that a file and a screen can show."""
    if not isinstance(value, str) or not (value or empty):
        kind = "a text" if empty else "a non-empty text"
        raise MechanismError(f"{owner}: {field} must be {kind}, got {shown(value)}.")
    return value


def one_of(owner: str, field: str, value: object, known: Iterable[str]) -> str:
    """Return ``value`` if it is one of the known words."""
    known = list(known)
    if not isinstance(value, str) or value not in known:
        raise MechanismError(f"{owner}: {field} {shown(value)} is unknown; {nearest(value, known)}")
    return value
