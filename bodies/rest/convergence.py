"""Convergence of a search for equilibrium: stalling, and extrapolation of its slowest motion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

STALL_ROUNDS = 100  # rounds between two compared accelerations
STALL_RATIO = 0.7  # largest ratio of these accelerations without stalling
ROUNDS_BETWEEN_MOVES = 8  # rounds between two compared displacements
LEAST_DECAY_COSINE = 0.98  # least cosine of two changes for one decaying motion
LARGEST_DECAY_RATIO = 0.995  # largest ratio of a decay over ROUNDS_BETWEEN_MOVES; else a drift
LONGEST_EXTRAPOLATION = 0.05  # [m] longest extrapolation
SHORTEST_EXTRAPOLATION = 3e-8  # [m] shortest useful extrapolation
LEAST_DISPLACEMENT_CHANGE = 5e-10  # [m] least significant change of a displacement


class StallMonitor:
    """Detection of accelerations that no longer decrease."""

    def __init__(self, n: int) -> None:
        self.least: NDArray[np.float64] = np.full(n, np.inf)
        self.recent: NDArray[np.float64] = np.full(n, np.inf)
        self.stalled: NDArray[np.bool_] = np.zeros(n, bool)

    def stalls(self, k: int, vehicles: NDArray[Any], worst: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether each vehicle stalls at round k: no decrease in the last hundred rounds."""
        self.recent[vehicles] = np.minimum(self.recent[vehicles], worst)
        if k % STALL_ROUNDS == STALL_ROUNDS - 1:
            self.stalled = self.recent > STALL_RATIO * self.least
            self.least = np.minimum(self.least, self.recent)
            self.recent = np.full_like(self.recent, np.inf)
        return self.stalled[vehicles]


class Extrapolation:
    """Extrapolation of rounds of equal step length with one slow motion left, ``d_k = c + a r^k``.

    Loads locked in by static friction decay through the numerical compliance of the rows only, by
    some per cent a round or less. Three displacements at equal intervals give r and a; all later rounds
    together move by ``a r / (1 - r)`` (Aitken, 1926). A constant drift c is left out, since a direction
    without stiffness has no equilibrium.

    Arguments:
        scale: (n, 6 bodies), factors that make twists of bodies comparable.
    """

    def __init__(self, scale: NDArray[np.float64]) -> None:
        self.scale = scale
        self.age: NDArray[np.int64] = np.zeros(len(scale), np.int64)
        self.seen: NDArray[np.float64] = np.zeros((3, *scale.shape))
        #: Vehicles without significant motion left.
        self.there: NDArray[np.bool_] = np.zeros(len(scale), bool)

    def after(
        self, vehicles: NDArray[Any], by: NDArray[np.float64], steady: NDArray[np.bool_]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Vehicles to extrapolate and their remaining displacements, after the displacements ``by`` of
        ``vehicles`` in a round.

        ``steady``: vehicles with the same step length as in the round before.
        """
        self.age[vehicles] = np.where(steady, self.age[vehicles] + 1, 0)
        age = self.age[vehicles]
        for k in range(3):
            mine = age == (k + 1) * ROUNDS_BETWEEN_MOVES
            self.seen[k, vehicles[mine]] = by[mine]
        mine = np.flatnonzero(age == 3 * ROUNDS_BETWEEN_MOVES)
        if not mine.size:
            return vehicles[:0], by[:0]
        old, mid, new = self.seen[:, vehicles[mine]]
        self.age[vehicles[mine]] = 0
        scale = self.scale[vehicles[mine]]
        before, after = (mid - old) * scale, (new - mid) * scale
        product, small, large = (
            np.sum(x * y, axis=1) for x, y in ((before, after), (after, after), (before, before))
        )
        one = product >= LEAST_DECAY_COSINE * np.sqrt(small * large)
        kept = product / np.where(large > 0.0, large, 1.0)
        one &= (kept < LARGEST_DECAY_RATIO) & (small > LEAST_DISPLACEMENT_CHANGE**2)
        kept = np.clip(kept, 0.0, LARGEST_DECAY_RATIO)
        each = kept ** (1.0 / ROUNDS_BETWEEN_MOVES)
        rounds = kept / (1.0 - kept) * each / (1.0 - each)
        far = rounds * np.max(np.abs(after), axis=1, initial=0.0)
        self.there[vehicles[mine]] = np.where(
            one, far <= SHORTEST_EXTRAPOLATION, small <= SHORTEST_EXTRAPOLATION**2
        )
        leaps = one & (far > SHORTEST_EXTRAPOLATION)
        rounds *= np.minimum(1.0, LONGEST_EXTRAPOLATION / np.maximum(far, LONGEST_EXTRAPOLATION))
        return vehicles[mine[leaps]], -(rounds[:, None] * (new - mid))[leaps]


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
