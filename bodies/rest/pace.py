"""How a search for rest gets on: whether it still does, and where its slowest motion leads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LOOK, BETTER = 100, 0.7  # rounds after which an acceleration should be that much smaller
APART = 8  # rounds between two moves that are compared
ALIKE = 0.98  # cosine of two changes from which on they are one motion that dies away
SLOWEST = 0.995  # what such a motion may keep over these rounds; one that keeps all is a drift
FARTHEST = 0.05  # [m] and no leap is longer
THERE = 3e-8  # [m] nor worth while below
FAINT = 5e-10  # [m] change of a move below which it says nothing


class Watch:
    """Whether accelerations still get smaller."""

    def __init__(self, n: int) -> None:
        self.least: NDArray[np.float64] = np.full(n, np.inf)
        self.recent: NDArray[np.float64] = np.full(n, np.inf)
        self.stalled: NDArray[np.bool_] = np.zeros(n, bool)

    def stalls(self, k: int, who: NDArray[Any], worst: NDArray[np.float64]) -> NDArray[np.bool_]:
        """After round k: those whose last hundred rounds were no better than the ones before."""
        self.recent[who] = np.minimum(self.recent[who], worst)
        if k % LOOK == LOOK - 1:
            self.stalled = self.recent > BETTER * self.least
            self.least = np.minimum(self.least, self.recent)
            self.recent = np.full_like(self.recent, np.inf)
        return self.stalled[who]


class Leap:
    """Where rounds of one step lead that have one slow motion left, ``d_k = c + a r^k``.

    Friction that locks lets go of its loads by the numerical compliance of the rows alone, some per cent
    a round or less. Three moves, equally far apart, give r and a, and all rounds to come move by
    ``a r / (1 - r)`` (Aitken, 1926), a steady drift c left out: in a direction without stiffness nothing
    is to be found.

    Arguments:
        scale: (n, 6 bodies), what makes twists of bodies comparable.
    """

    def __init__(self, scale: NDArray[np.float64]) -> None:
        self.scale = scale
        self.age: NDArray[np.int64] = np.zeros(len(scale), np.int64)
        self.seen: NDArray[np.float64] = np.zeros((3, *scale.shape))
        #: Those of whom nothing is left to come.
        self.there: NDArray[np.bool_] = np.zeros(len(scale), bool)

    def after(
        self, who: NDArray[Any], by: NDArray[np.float64], steady: NDArray[np.bool_]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """After a round that has moved ``who`` by these twists: which of them leap, and by which.

        ``steady``: whose step was as long as the one before.
        """
        self.age[who] = np.where(steady, self.age[who] + 1, 0)
        age = self.age[who]
        for k in range(3):
            mine = age == (k + 1) * APART
            self.seen[k, who[mine]] = by[mine]
        mine = np.flatnonzero(age == 3 * APART)
        if not mine.size:
            return who[:0], by[:0]
        old, mid, new = self.seen[:, who[mine]]
        self.age[who[mine]] = 0
        scale = self.scale[who[mine]]
        before, after = (mid - old) * scale, (new - mid) * scale
        ahead, small, large = (
            np.sum(x * y, axis=1) for x, y in ((before, after), (after, after), (before, before))
        )
        one = ahead >= ALIKE * np.sqrt(small * large)
        kept = ahead / np.where(large > 0.0, large, 1.0)
        one &= (kept < SLOWEST) & (small > FAINT**2)
        kept = np.clip(kept, 0.0, SLOWEST)
        each = kept ** (1.0 / APART)
        rounds = kept / (1.0 - kept) * each / (1.0 - each)
        far = rounds * np.max(np.abs(after), axis=1, initial=0.0)
        self.there[who[mine]] = np.where(one, far <= THERE, small <= THERE**2)
        leaps = one & (far > THERE)
        rounds *= np.minimum(1.0, FARTHEST / np.maximum(far, FARTHEST))
        return who[mine[leaps]], -(rounds[:, None] * (new - mid))[leaps]


def moved(x: NDArray[np.float64], q: NDArray[np.float64], by: NDArray[np.float64]) -> None:
    """Move poses (n, 3 bodies), (n, 4 bodies) in place by twists times a time, ``q <- exp(by/2) q``."""
    n = len(x)
    by = by.reshape(n, -1, 6)
    x += by[:, :, :3].reshape(n, -1)
    half = 0.5 * by[:, :, 3:]
    size = np.sqrt(np.sum(half * half, axis=2))
    c, s = np.cos(size), np.sinc(size / np.pi)
    a, b = half * s[:, :, None], q.reshape(n, -1, 4)
    turned = np.empty_like(b)
    turned[:, :, 0] = c * b[:, :, 0] - np.sum(a * b[:, :, 1:], axis=2)
    turned[:, :, 1:] = c[:, :, None] * b[:, :, 1:] + b[:, :, :1] * a + np.cross(a, b[:, :, 1:])
    turned /= np.sqrt(np.sum(turned * turned, axis=2))[:, :, None]
    q[:] = turned.reshape(n, -1)
