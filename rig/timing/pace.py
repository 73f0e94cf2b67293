"""Real-time schedule of ticks: deadlines on a clock, and policies for overruns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mlcp import renamed

from ..errors import RigError, checked, known
from .clock import SECOND, Clock, nanoseconds
from .deficit import Accounts

#: catch-up: ticks without waiting until there is no lag; a lag above ``max_lag`` shifts the schedule (a
#: slip). slip: every lag shifts the schedule. strict: the first late tick ends the run.
POLICIES = ("catch-up", "slip", "strict")


@renamed.attributes(late="overruns")
@checked
class Pace:
    """Schedule of a run: tick k is due at ``origin + k tick``, late if it ends after tick k + 1 is due.

    Arguments:
        clock: clock of the schedule.
        tick: time between two ticks [s].
        policy: one of ``POLICIES``.
        max_lag: lag above which "catch-up" shifts the schedule [s].

    Raises:
        RigError: an unknown policy, a tick or lag that is not positive.
    """

    def __init__(
        self, clock: Clock, tick: float, policy: str = "catch-up", max_lag: float = 0.05
    ) -> None:
        known("unknown policy", policy, POLICIES)
        self.clock: Clock = clock
        self.policy: str = policy
        self.tick: int = nanoseconds("tick", tick)
        self.max_lag: int = nanoseconds("max_lag", max_lag)
        self.begin(0)

    def begin(self, ticks: int, blocks: Sequence[str] = ()) -> None:
        """Allocate the records for a number of ticks and for blocks; the schedule begins now."""
        self.blocks: tuple[str, ...] = tuple(blocks)
        self.spent: NDArray[np.int64] = np.zeros((ticks, len(self.blocks)), np.int64)
        self._tick = 0
        self.cost: NDArray[np.int64] = np.zeros(ticks, np.int64)
        self.wake: NDArray[np.int64] = np.zeros(ticks, np.int64)
        self.behind: NDArray[np.int64] = np.zeros(ticks, np.int64)
        self.overruns: NDArray[np.bool_] = np.zeros(ticks, bool)
        self.slips: list[tuple[int, int]] = []
        self.first: int = self.clock.now()
        self.origin: int = self.first
        self.began: int = self.origin  # time at which the newest tick began
        self._mark = self.origin

    def wait(self, k: int) -> int:
        """Block until tick k is due; returns the time [ns]."""
        due = self.origin + k * self.tick
        if self.clock.now() < due:
            self.clock.wait_until(due)
        self.began = self._mark = self.clock.now()
        self._tick = k
        self.wake[k] = max(0, self.began - due)
        return self.began

    def ready(self) -> None:
        """Record the end of the input and the beginning of the first block."""
        self._mark = self.clock.now()

    def lap(self, block: int) -> None:
        """Record the end of a block's step in this tick; ``block``: its index."""
        now = self.clock.now()
        self.spent[self._tick, block] = now - self._mark
        self._mark = now

    def end(self, k: int) -> None:
        """Record the end of tick k; RigError for a late tick under the policy "strict"."""
        self.clock.worked()
        now = self.clock.now()
        lag = now - (self.origin + (k + 1) * self.tick)
        self.cost[k] = now - self.began
        self.behind[k] = now - self.first - (k + 1) * self.tick
        self.overruns[k] = lag > 0
        if lag > 0 and self.policy == "strict":
            raise RigError(
                f"tick {k} ended {1e3 * lag / SECOND:g} ms late (it took "
                f"{1e3 * self.cost[k] / SECOND:g} ms "
                f"of {1e3 * self.tick / SECOND:g} ms); policy 'catch-up' or 'slip' would go on"
            )
        if lag > (self.max_lag if self.policy == "catch-up" else 0):
            self.origin += lag
            self.slips.append((k, lag))

    def accounts(self, ticks: int) -> Accounts:
        """Timing of the first ``ticks`` ticks."""
        n = slice(0, ticks)
        return Accounts(
            self.tick, self.cost[n], self.wake[n], self.behind[n], self.overruns[n], list(self.slips),
            {name: self.spent[n, i] for i, name in enumerate(self.blocks)},
        )  # fmt: skip
