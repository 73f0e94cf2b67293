"""Where many margins turn from bad to good, each in its own bracket, all in one sweep."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

NEAR = 2e-3  # how near a guess is
Margin = Callable[[np.ndarray, np.ndarray], np.ndarray]


def turn(
    margin: Margin, bad: np.ndarray, good: np.ndarray, to: float, guess: np.ndarray | None = None
) -> np.ndarray:
    """Where a margin turns from below 0 to at least 0, between ``bad`` and ``good`` (n,), to ``to``.

    False position, every third time the middle; a hair to the other side closes the bracket. Nan
    where the margin is nowhere good, the bad end where it is everywhere.

    Arguments:
        margin: of places (k,) and their numbers in the arrays.
        guess: places near which it is looked first.
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
    bad[nowhere] = good[nowhere]  # nothing to look for
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
