"""Convergence of a search for equilibrium: detection of stalls, extrapolation of the slowest motion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

STALL_RATIO = 0.7  # fraction to which the least acceleration must fall between checks; else a stall
ROUNDS_BETWEEN_MOVES = 8  # rounds between two compared displacements
LARGEST_DECAY_RATIO = 0.995  # largest ratio of successive displacements of a decay; above it: a drift
SHORTEST_EXTRAPOLATION = 3e-8  # [m] shortest useful extrapolation


class StallMonitor:
    """Detection of vehicles whose accelerations no longer decrease from round to round.

    Arguments:
        n: number of vehicles.
        rounds: rounds between two checks.
    """

    def __init__(self, n: int, rounds: int) -> None:
        self.rounds: int = rounds
        self.least: NDArray[np.float64] = np.full(n, np.inf)
        self.recent: NDArray[np.float64] = np.full(n, np.inf)
        self.stalled: NDArray[np.bool_] = np.zeros(n, bool)

    def stalls(self, k: int, vehicles: NDArray[Any], worst: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether each of ``vehicles`` stalled at the last check; ``worst``: its largest acceleration in
        round k.

        A check at every ``rounds``-th round finds that a vehicle stalls if the least acceleration since
        the check before exceeds ``STALL_RATIO`` times the least acceleration before that check.
        """
        self.recent[vehicles] = np.minimum(self.recent[vehicles], worst)
        if k % self.rounds == self.rounds - 1:
            self.stalled = self.recent > STALL_RATIO * self.least
            self.least = np.minimum(self.least, self.recent)
            self.recent = np.full_like(self.recent, np.inf)
        return self.stalled[vehicles]


class Extrapolation:
    """Extrapolation of a slow exponential decay of the pose over rounds of equal step length.

    A round is one step of the search. The displacement in round k is ``d_k = c + a r^k``: loads that
    static friction has locked in decay only through the numerical compliance of the constraint rows, by
    some per cent a round or less. r and a follow from three displacements at equal intervals; the sum of
    all later displacements is ``a r / (1 - r)`` (Aitken, 1926). The constant drift c is not
    extrapolated, since a direction without stiffness has no equilibrium.

    Arguments:
        scale: (n, 6 bodies), factors on the bodies' velocities and angular velocities that make them
            comparable.
    """

    def __init__(self, scale: NDArray[np.float64]) -> None:
        self.scale = scale
        self.age: NDArray[np.int64] = np.zeros(len(scale), np.int64)
        self.seen: NDArray[np.float64] = np.zeros((3, *scale.shape))
        #: Whether the remaining motion of each vehicle is negligible, (n,).
        self.negligible: NDArray[np.bool_] = np.zeros(len(scale), bool)

    def after(
        self, vehicles: NDArray[Any], by: NDArray[np.float64], steady: NDArray[np.bool_]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Vehicles to extrapolate after a round, and their extrapolated displacements (m, 6 bodies).

        ``by``: displacements of ``vehicles`` in the round; ``steady``: whether a vehicle's step length
        was that of the round before.
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
        # 0.98: least cosine between two successive changes of the displacement in a decay
        one = product >= 0.98 * np.sqrt(small * large)
        kept = product / np.where(large > 0.0, large, 1.0)
        one &= (kept < LARGEST_DECAY_RATIO) & (small > 5e-10**2)  # [m] changes above round-off
        kept = np.clip(kept, 0.0, LARGEST_DECAY_RATIO)
        each = kept ** (1.0 / ROUNDS_BETWEEN_MOVES)
        rounds = kept / (1.0 - kept) * each / (1.0 - each)
        far = rounds * np.max(np.abs(after), axis=1, initial=0.0)
        self.negligible[vehicles[mine]] = np.where(
            one, far <= SHORTEST_EXTRAPOLATION, small <= SHORTEST_EXTRAPOLATION**2
        )
        leaps = one & (far > SHORTEST_EXTRAPOLATION)
        rounds *= np.minimum(1.0, 0.05 / np.maximum(far, 0.05))  # moves by at most 0.05 m
        return vehicles[mine[leaps]], -(rounds[:, None] * (new - mid))[leaps]


def moved(x: NDArray[np.float64], q: NDArray[np.float64], by: NDArray[np.float64]) -> None:
    """Move poses in place by displacements and rotation vectors: ``x += by``, ``q <- exp(by/2) q``.

    Shapes: x (n, 3 bodies), q (n, 4 bodies), by (n, 6 bodies).
    """
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
