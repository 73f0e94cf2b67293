"""Clocks in whole nanoseconds: that of the computer, and a scripted clock for tests."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Annotated

from mlcp.checks import shown
from mlcp.kinds import within

from ..errors import RigError, checked

SECOND = 1_000_000_000


def nanoseconds(what: str, seconds: float) -> int:
    """Time [s] in whole nanoseconds; RigError unless it is at least one nanosecond."""
    if not isinstance(seconds, int | float) or not 1e-9 <= seconds < 1e9:
        raise RigError(f"{what} = {shown(seconds)} must be a time of 1e-9 to 1e9 s")
    return round(seconds * SECOND)


def multiple(name: str, large: float, of: str, small: float, least: int = 1) -> int:
    """Ratio of two times [s]; RigError unless it is whole and at least ``least``, with the nearest time.

    name, of: names of both times in the message, such as "duration" and "the tick".
    """
    ratio = large / small
    near = max(least, round(ratio) if math.isfinite(ratio) else least)
    if not abs(ratio - near) <= 1e-6:
        raise RigError(f"{name} = {large:g} s is no multiple of {of} {small:g} s; {near * small:g} s is")
    return near


class Clock(ABC):
    """Base of the clocks of runs in real time."""

    @abstractmethod
    def now(self) -> int:
        """Present time of the clock [ns]."""

    @abstractmethod
    def wait_until(self, instant: int) -> None:
        """Block until ``now()`` is ``instant`` [ns] or later."""

    @abstractmethod
    def worked(self) -> None:
        """Hook after the computation of every tick, at which a scripted clock advances."""


@checked
class WallClock(Clock):
    """Monotonic clock of the computer; it waits by sleep and then by polling.

    Polling begins a margin before the instant: 10 us more than the delay that 99 of the last 100 sleeps
    did not exceed, at most ``spin``.

    Arguments:
        spin: longest time of polling [s]; 0: sleep only.

    Raises:
        RigError: a time below 0 or above 0.01 s.
    """

    def __init__(self, spin: Annotated[float, within(0.0, 0.01, "s")] = 1e-3) -> None:
        self._most = round(spin * SECOND)
        self._delays: list[int] = []
        self._margin = min(self._most, 100_000)

    def now(self) -> int:
        return time.perf_counter_ns()

    def wait_until(self, instant: int) -> None:
        """Block until ``instant`` [ns]."""
        left = instant - self._margin - time.perf_counter_ns()
        if left > 0:
            due = instant - self._margin
            time.sleep(left / SECOND)
            self._learn(time.perf_counter_ns() - due)
        while time.perf_counter_ns() < instant:
            if not self._most:
                time.sleep(max(0, instant - time.perf_counter_ns()) / SECOND)

    def _learn(self, delay: int) -> None:
        """Record the delay of a sleep [ns]; after every hundred the margin is updated."""
        self._delays.append(delay)
        if len(self._delays) == 100:
            self._margin = min(self._most, sorted(self._delays)[98] + 10_000)
            self._delays.clear()

    def worked(self) -> None:
        """Do nothing: the clock runs by itself."""


@checked
class FakeClock(Clock):
    """Scripted clock with exact delays, for tests.

    Arguments:
        costs: computing times of successive ticks [s]; the last one is repeated.
        wake: delays at the end of successive waits [s]; the last one is repeated.
        start: initial time [s].

    Raises:
        RigError: a negative time.
    """

    def __init__(
        self,
        costs: Iterable[float] = (0.0,),
        wake: Iterable[float] = (0.0,),
        start: Annotated[float, within(-1e9, 1e9, "s")] = 0.0,
    ) -> None:
        self._costs = [round(float(c) * SECOND) for c in costs] or [0]
        self._wake = [round(float(w) * SECOND) for w in wake] or [0]
        if min(self._costs + self._wake) < 0:
            raise RigError("costs and wake-up errors of a clock must not be negative")
        self._now = round(start * SECOND)
        self._ticks = self._waits = 0

    def now(self) -> int:
        return self._now

    def wait_until(self, instant: int) -> None:
        """Set the time to ``instant`` [ns] plus the next delay."""
        error = self._wake[min(self._waits, len(self._wake) - 1)]
        self._waits += 1
        self._now = max(self._now, instant + error)

    def worked(self) -> None:
        """Advance by the next computing time."""
        self._now += self._costs[min(self._ticks, len(self._costs) - 1)]
        self._ticks += 1
