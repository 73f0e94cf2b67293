"""Warnings of laws used outside their range of validity, each given once with the law's behaviour."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from mlcp.warned import SentenceWarning


class OutsideValidity(SentenceWarning):
    """Warning that a ground law is used outside the range of its source."""


_SAID: set[tuple] = set()


def outside(
    law: str, quantity: str, value: ArrayLike, low: float, high: float, unit: str, then: str
) -> None:
    """Warn, once in a process per law, quantity and end of the range, if ``value`` leaves [low, high].

    Arguments:
        law: name of the law. quantity, unit: name and unit of the value.
        value: values of any shape; the message has the worst one.
        then: behaviour of the law outside the range, as the end of a sentence.
    """
    values = np.asarray(value, dtype=float)
    if values.size == 0:
        return
    for side, worst, bad in (
        ("below", float(values.min()), bool(np.any(values < low))),
        ("above", float(values.max()), bool(np.any(values > high))),
    ):
        if bad and (law, quantity, side) not in _SAID:
            _SAID.add((law, quantity, side))
            unit_ = f" {unit}" if unit else ""
            warnings.warn(
                f"{law}: {quantity} = {worst:.4g}{unit_} lies outside the validity "
                f"{low:g} to {high:g}{unit_}; there {then}",
                OutsideValidity,
                stacklevel=3,
            )


def assumed(sentence: str) -> None:
    """Warn of an assumption, once in a process."""
    if (sentence,) not in _SAID:
        _SAID.add((sentence,))
        warnings.warn(sentence, OutsideValidity, stacklevel=5)


def forget() -> None:
    """Reset all warnings, so that they are given again."""
    _SAID.clear()
