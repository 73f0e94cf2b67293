"""Checks of what a user hands over: one sentence with the field, the value and the allowed range."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable


def finite(owner: str, field: str, value: float) -> float:
    """Return ``value`` as float; raise ``ValueError`` unless it is a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{owner}.{field} = {value!r} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{owner}.{field} = {value!r} must be a finite number")
    return number


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
    """Return ``value``; raise ``ValueError`` unless ``low <= value <= high`` (``<`` if open)."""
    number = finite(owner, field, value)
    below = number <= low if open_low else number < low
    if below or number > high:
        unit = f" {unit}" if unit else ""
        lower = "" if low == -math.inf else f"{'above' if open_low else 'at least'} {low:g}"
        upper = "" if high == math.inf else f"at most {high:g}"
        allowed = " and ".join(part for part in (lower, upper) if part)
        raise ValueError(f"{owner}.{field} = {value!r}{unit} must be {allowed}{unit}")
    return number


def positive(owner: str, field: str, value: float, *, unit: str = "") -> float:
    """Return ``value``; raise ``ValueError`` unless it is finite and above zero."""
    return within(owner, field, value, 0.0, unit=unit, open_low=True)


def known(kind: str, name: str, names: Iterable[str]) -> str:
    """Return ``name``; raise ``ValueError`` naming the nearest known one if it is unknown."""
    choices = list(names)
    if name in choices:
        return name
    near = difflib.get_close_matches(str(name), choices, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    listing = ", ".join(choices)
    raise ValueError(f"unknown {kind} {name!r}{hint} (known: {listing})")
