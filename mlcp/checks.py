"""Checks of a user's arguments; every error is one sentence with the argument's name and the fault."""

from __future__ import annotations

import difflib
import math
import reprlib
import warnings
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

PASSED: set[type] = {float}  # types whose values ``number`` returns without conversion
MOST = 20  # largest number of names listed in a message
LONGEST = 160  # largest number of characters of a value quoted in a message
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 40


def shown(value: object) -> str:
    """Text of a value for a message: on one line, long texts, lists and integers cut short."""
    text = " ".join(_SHORT.repr(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"


def number(
    what: str,
    value: object,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    unit: str = "",
    open_low: bool = False,
    open_high: bool = False,
    finite: bool = True,
    error: type[ValueError] = ValueError,
) -> float:
    """Return ``value`` as a float in [low, high]; ``open_low`` and ``open_high`` exclude an end.

    Arguments:
        what: the value's name for the message, e.g. ``Tyre.width``.
        value: anything; texts and truth values, which Python's ``float`` accepts, are refused.
        low, high: allowed range of the value; ``unit`` is only for the message.
        finite: True to refuse infinite numbers (NaN is always refused).
        error: exception to raise.

    Raises:
        error: not a number, or a number outside the range; the message names ``what``.
    """
    if isinstance(value, str | bytes | bool | np.bool_):
        raise error(f"{what} = {shown(value)} is not a number")
    try:
        x: float = value if type(value) in PASSED else float(value)  # type: ignore
    except OverflowError:
        raise error(f"{what} is an integer beyond the largest float, 1.8e308") from None
    except (TypeError, ValueError):
        raise error(f"{what} = {shown(value)} is not a number") from None
    if math.isnan(x) or (finite and math.isinf(x)):
        raise error(f"{what} = {shown(value)} must be a {'finite ' if finite else ''}number")
    if x < low or x > high or (open_low and x == low) or (open_high and x == high):
        unit = f" {unit}" if unit else ""
        lower = "" if low == -math.inf else f"{'above' if open_low else 'at least'} {low:g}"
        upper = "" if high == math.inf else f"{'below' if open_high else 'at most'} {high:g}"
        allowed = " and ".join(part for part in (lower, upper) if part)
        angle = math.radians(x) if "rad" in (unit[1:], what[-4:-1]) else math.nan
        meant = f"; {x:g} degrees are {angle:.4g} rad" if low <= angle <= high else ""
        raise error(f"{what} = {shown(value)}{unit} must be {allowed}{unit}{meant}")
    return x


def whole(
    what: str, value: object, low: float = 0, high: float = 2.0**53, error: type[ValueError] = ValueError
) -> int:
    """Return ``value`` as an int in [low, high]; a float x may be off an integer by 1e-9 max(|x|, 1).

    Arguments and exceptions: those of :func:`number`.
    """
    x = number(what, value, low, high, error=error)
    if isinstance(value, int | np.integer):
        return int(value)
    # relative tolerance, since round-off takes quotients such as 0.7 / 1e-3 off the integer 700
    if abs(x - round(x)) > 1e-9 * max(abs(x), 1.0):
        least = f", {low} or more" if low > -(2.0**53) else ""
        raise error(f"{what} = {shown(value)} must be a whole number{least}")
    return round(x)


def real_array(what: str, value: object, error: type[ValueError] = ValueError) -> np.ndarray:
    """Return a new float64 array of real numbers.

    Arguments:
        what: the value's name for the message.
        value: anything; error: exception to raise.

    Raises:
        error: complex numbers, masked entries, integers beyond the largest float, or not an array of
            numbers.
    """
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise error(f"{what} has masked entries; every entry must be a number.")
    wrong = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            array = np.array(value)
            if np.iscomplexobj(array):
                wrong = " must be real; it holds complex numbers."
            elif array.dtype.kind == "O" and any(x is None for x in array.flat):
                wrong = " must be an array of real numbers; it holds None."
            elif array.dtype.kind not in "biufO":
                wrong = f" must be an array of real numbers; it holds {array.dtype}."
            else:
                return np.array(array, dtype=np.float64, order="C")
    except OverflowError:
        wrong = " holds an integer beyond the largest float, 1.8e308."
    except (TypeError, ValueError, np.exceptions.ComplexWarning) as why:
        wrong = f" must be an array of real numbers: {' '.join(str(why).split()).rstrip('.')}."
    raise error(what + wrong)


def numbers(value: object) -> NDArray[np.float64]:
    """``value`` as an array of floats, of size 0 if it is ragged or holds anything but numbers."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "iuf":
            return array.astype(float)
        if array.dtype.kind == "O" and all(type(x) in (int, float) for x in array.reshape(-1)):
            return array.astype(float)  # NumPy holds integers beyond 64 bits as objects
    except (TypeError, ValueError, OverflowError):
        pass
    return np.empty(0)


def nearest(name: object, known: Iterable[str]) -> str:
    """Text with the nearest known name, if one is close, and a list of up to ``MOST`` known names."""
    known = sorted(known)
    small = {word.lower(): word for word in known}
    close = difflib.get_close_matches(str(name).lower(), small, n=1, cutoff=0.4)
    hint = f"did you mean {small[close[0]]!r}? " if close else ""
    if len(known) > MOST:
        known = [*known[:MOST], f"and {len(known) - MOST} more"]
    listed = f"known: {', '.join(known) if known else 'none at all'}"
    return f"{hint}({listed})" if hint else listed
