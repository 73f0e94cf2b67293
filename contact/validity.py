"""Outside its validity a law says so once, by name and value, and what it does there."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from mlcp.warned import SentenceWarning


class OutsideValidity(SentenceWarning):
    """A ground law is asked where its source does not vouch for it."""


_SAID: set[tuple] = set()


def outside(
    law: str, quantity: str, value: ArrayLike, low: float, high: float, unit: str, then: str
) -> None:
    """Warn once a process, for each law, quantity and side, when ``value`` leaves [low, high].

    Arguments:
        law: name of the law. quantity, unit: what is out of range.
        value: of any shape; the worst one is named.
        then: what the law does there, as the end of a sentence.
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
    """Warn once a process of what nobody said and is taken for granted."""
    if (sentence,) not in _SAID:
        _SAID.add((sentence,))
        warnings.warn(sentence, OutsideValidity, stacklevel=5)


def forget() -> None:
    """Make every law say again what it has said."""
    _SAID.clear()
