"""Checks of user input; each error is one sentence with field, value and allowed range."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp import checks
from mlcp.checks import nearest, number, numbers, shown

Pair = tuple[float, float]


def finite(owner: str, field: str, value: float) -> float:
    """Return ``value`` as float; raise ``ValueError`` unless it is a finite number."""
    return number(f"{owner}.{field}", value)


def within(
    owner: str,
    field: str,
    value: float,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    unit: str = "",
    open_low: bool = False,
) -> float:
    """Return ``value``; raise ``ValueError`` unless it is finite and ``low <= value <= high``.

    ``open_low``: ``low`` itself is refused too.
    """
    return number(f"{owner}.{field}", value, low, high, unit=unit, open_low=open_low)


def positive(owner: str, field: str, value: float, *, unit: str = "") -> float:
    """Return ``value``; raise ``ValueError`` unless it is finite and above zero."""
    return within(owner, field, value, 0.0, unit=unit, open_low=True)


def grade(owner: str, field: str, value: float) -> float:
    """Return ``value``, rise over run [-]; raise ``ValueError`` unless it is within ±2 (63 degrees)."""
    found = finite(owner, field, value)
    if abs(found) > 2.0:
        degrees = math.tan(math.radians(found)) if abs(found) < 90.0 else math.inf
        meant = f"; {found:g} degrees are {degrees:.4g}" if abs(degrees) <= 2.0 else ""
        raise ValueError(
            f"{owner}.{field} = {shown(value)} is rise over run, -2 to 2{meant}; {found:g} % are "
            f"{0.01 * found:g}"
        )
    return found


def whole(owner: str, field: str, value: object, low: int = 0, high: float = 2.0**53) -> int:
    """Return ``value`` as int; raise ``ValueError`` unless it is whole (to 1e-9), ``low`` to
    ``high``."""
    return checks.whole(f"{owner}.{field}", value, low, high)


def known(kind: str, name: str, names: Iterable[str]) -> str:
    """Return ``name``; raise ``ValueError`` with the nearest of ``names`` if it is not one of them."""
    choices = list(names)
    if isinstance(name, str) and name in choices:
        return name
    raise ValueError(f"unknown {kind} {shown(name)}; {nearest(name, choices)}")


def vector(owner: str, field: str, value: object, size: int) -> tuple[float, ...]:
    """Return ``value`` as ``size`` finite floats; raise ``ValueError`` if it is anything else."""
    array = numbers(value)
    if array.shape != (size,) or not np.isfinite(array).all():
        raise ValueError(f"{owner}.{field} = {shown(value)} must be {size} finite numbers")
    return tuple(float(x) for x in array)


def array(owner: str, field: str, value: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return ``value`` as finite floats of the given shape; raise ``ValueError`` if it is not that."""
    try:
        if np.iscomplexobj(value):
            raise TypeError
        found = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{owner}: {field} = {shown(value)} must be numbers of shape {shape}") from None
    if found.shape != shape:
        raise ValueError(f"{owner}: {field} has shape {found.shape}, needs {shape}")
    if not np.isfinite(found).all():
        place = tuple(int(k) for k in np.argwhere(~np.isfinite(found))[0])
        raise ValueError(f"{owner}: {field}{list(place)} = {found[place]} is not finite")
    return found


def spread(
    name: str, value: ArrayLike, shape: tuple[int, ...], error: type[ValueError] = ValueError
) -> NDArray[np.float64]:
    """Return ``value`` as finite floats broadcast to ``shape``; raise ``error`` otherwise."""
    try:
        found = np.ascontiguousarray(np.broadcast_to(np.asarray(value, dtype=float), shape))
    except (TypeError, ValueError, OverflowError):
        found = np.full(1, np.nan)
    if not np.isfinite(found).all():
        raise error(f"{name} = {shown(value)} must be finite, one for all or of shape {shape}")
    return found


def grid_in_words(
    owner: str, values: NDArray[np.float64], unit: str, spacing: Pair, origin: Pair
) -> str:
    """Describe a gridded map for messages: number of nodes, range of values [unit], spacing, origin."""
    size, step, start = (" x ".join(map(str, values.shape)), *map(_pair, (spacing, origin)))
    least, most = np.nanmin(values), np.nanmax(values)
    return f"{owner}({size} nodes, {least:.4g} to {most:.4g} {unit}, spacing {step} m from {start} m)"


def _pair(values: Pair) -> str:
    return f"({values[0]:g}, {values[1]:g})"


def spacing(owner: str, values: Pair) -> None:
    """Raise ``ValueError`` unless both spacings of a grid's nodes [m] are above 0."""
    for k, value in enumerate(values):
        positive(owner, f"spacing[{k}]", value, unit="m")


def grid(owner: str, field: str, value: object) -> NDArray[np.float64]:
    """Return ``value`` as a table of at least 2 x 2 finite numbers; else raise ``ValueError``."""
    array = numbers(value)
    if array.ndim != 2 or min(array.shape) < 2:
        raise ValueError(
            f"{owner}.{field} must be a table of finite numbers, it needs at least (2, 2), got "
            f"{shown(value)}"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{owner}.{field} has numbers that are not finite: {shown(value)}")
    return array
