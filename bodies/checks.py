"""Checks of user input; each error is one sentence with field, value and allowed range."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from mlcp import checks
from mlcp.checks import nearest, numbers, shown
from mlcp.checks import number as real
from mlcp.kinds import Checking
from mlcp.warned import SentenceWarning


class MechanismError(ValueError):
    """An invalid description of a mechanism; the message names the field and the reason."""


#: Decorator that checks the arguments of a class or function against its annotations.
checked: Checking = Checking(MechanismError, ": ")


class UnknownName(MechanismError):
    """A name that does not exist in the mechanism.

    Attributes:
        name: the unknown name.
        known: the existing names.
    """

    def __init__(self, where: str, name: Any, known: Iterable[str]) -> None:
        self.name: str = name
        self.known: list[str] = sorted(known)
        super().__init__(f"{where}: {shown(name)} is unknown; {nearest(name, self.known)}")


def need_known(where: str, name: object, known: Collection[str]) -> None:
    """Raise UnknownName if ``name`` is none of the names ``known``; ``where``: start of the message."""
    if not isinstance(name, str) or name not in known:
        raise UnknownName(where, name, known)


class SimulationError(RuntimeError):
    """A run that cannot continue, or a failed search for equilibrium; the message has the reason.

    Attributes:
        trajectory: records of :func:`bodies.simulate` up to the last valid step; None without records.
        state: final state of a failed search for static equilibrium; None for a run.
    """

    trajectory: Any = None
    state: Any = None


class SimulationWarning(SentenceWarning):
    """Warning of a defect of a completed run, such as missed tolerances; the message names it."""


def flag(owner: str, field: str, value: object) -> bool:
    """Return ``value`` if it is a bool."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise MechanismError(f"{owner}: {field} = {shown(value)} must be True or False")


def whole(owner: str, field: str, value: object, low: int = 0, high: float = 2.0**53) -> int:
    """Return ``value`` as an int in [low, high]; a float must be whole to a relative 1e-9."""
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
    unit: str = "",
) -> float:
    """Return ``value`` as a float inside [low, high] (or (low, high] with ``open_low``)."""
    return real(
        f"{owner}: {field}",
        value,
        low,
        high,
        unit=unit,
        open_low=open_low,
        finite=finite,
        error=MechanismError,
    )


def vector(owner: str, field: str, value: object, size: int | None = 3) -> tuple[float, ...]:
    """Return ``value`` as a tuple of ``size`` finite floats (None: of one or more)."""
    array = numbers(value)
    if array.shape != (size or max(array.size, 1),) or not np.all(np.isfinite(array)):
        count = size or "one or more"
        raise MechanismError(f"{owner}: {field} must be {count} finite numbers, got {shown(value)}.")
    return tuple(float(x) for x in array)


def unit_vector(owner: str, field: str, value: object, size: int = 3) -> tuple[float, ...]:
    """Return ``value`` normalised; MechanismError if all components are below 1e-12 (zero vector).

    A vector of length 1 up to round-off is returned unchanged, so that a second normalisation changes
    nothing.
    """
    array = np.array(vector(owner, field, value, size))
    most = float(np.max(np.abs(array)))
    if most < 1e-12:
        raise MechanismError(f"{owner}: {field} must be a direction, got the zero vector.")
    if abs(np.linalg.norm(array) - 1.0) > 1e-15:
        array = array / most  # prevents overflow of the squares
        array = array / np.linalg.norm(array)
    return tuple(float(x) for x in array)


def table(
    owner: str, field: str, value: Sequence[Sequence[float]], *, rising: bool = False
) -> tuple[tuple[float, float], ...]:
    """Return ``value`` as a tuple of at least two pairs (x, y) with strictly increasing x.

    ``rising``: y must not fall, for example in a damper, where a fall is negative damping.
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
    """Return ``value`` if it is a text; an empty text only with ``empty``."""
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
