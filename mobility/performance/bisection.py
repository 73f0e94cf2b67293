"""Zeros of many increasing functions at once, each in its own bracket."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

NEAR = 2e-3  # half width of the bracket around a guess, in the unit of the margin's argument
Margin = Callable[[np.ndarray, np.ndarray], np.ndarray]


def zero_between(
    margin: Margin, bad: np.ndarray, good: np.ndarray, to: float, guess: np.ndarray | None = None
) -> np.ndarray:
    """Zeros of a margin between ``bad`` (margin below 0) and ``good`` (at least 0), shapes (n,).

    Method: false position, with a bisection in every third step, to a bracket of width ``to``. A result
    is nan if the margin is below 0 even at ``good``, and ``bad`` if it is at least 0 even at ``bad``.

    Arguments:
        margin: function of arguments (k,) and their indices in the arrays ``bad`` and ``good``.
        to: width of the final bracket [unit of the argument]. guess: initial guesses of the zeros (n,).
    """
    bad, good = bad.copy(), good.copy()
    below, above = np.full(bad.size, -np.inf), np.full(bad.size, np.inf)
    known_bad, known_good = np.zeros(bad.size, bool), np.zeros(bad.size, bool)

    def evaluate(at: np.ndarray, index: np.ndarray) -> None:
        if not index.size:
            return
        found = margin(at, index)
        well, ill = index[found >= 0.0], index[found < 0.0]
        good[well], above[well], known_good[well] = at[found >= 0.0], found[found >= 0.0], True
        bad[ill], below[ill], known_bad[ill] = at[found < 0.0], found[found < 0.0], True

    if guess is not None:
        for hair in (NEAR, -NEAR):
            at = guess + hair * np.sign(good - bad)
            index = np.flatnonzero(((bad < at) & (at < good)) | ((good < at) & (at < bad)))
            evaluate(at[index], index)
    start = bad.copy()
    evaluate(good[~known_good], np.flatnonzero(~known_good))
    nowhere = ~known_good
    bad[nowhere] = good[nowhere]  # a bracket of width 0 ends the search for this zero
    evaluate(bad[~known_bad & ~nowhere], np.flatnonzero(~known_bad & ~nowhere))
    everywhere = ~known_bad & ~nowhere
    good[everywhere] = bad[everywhere] = start[everywhere]
    for round_ in range(40):
        open_ = np.flatnonzero(np.abs(good - bad) > to)
        if not open_.size:
            break
        width = good[open_] - bad[open_]
        share = -below[open_] / (above[open_] - below[open_])
        share = np.full(open_.size, 0.5) if round_ % 3 == 2 else share
        hair = to / np.abs(width)
        share = share + 0.4 * hair * (1.0 if round_ % 2 else -1.0)
        evaluate(bad[open_] + width * np.clip(share, 0.3 * hair, 1.0 - 0.3 * hair), open_)
    return np.where(nowhere, np.nan, good)
