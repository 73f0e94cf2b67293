"""Ages of external signals: one that is not refreshed in time gets its safe value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bus import Bus
from ..errors import RigError, checked
from .clock import SECOND


@checked
class Ages:
    """Values from outside with the time they were last refreshed; times in ns on the run's clock.

    Arguments:
        bus: table with a timeout and a safe value for each signal.
        written: names that a block of the rig writes: these cannot come from outside.
    """

    def __init__(self, bus: Bus, written: frozenset[str] = frozenset()) -> None:
        self.bus: Bus = bus
        self.written: frozenset[str] = written
        self.since: dict[str, int] = {}
        self.stale: set[str] = set()
        self._last: dict[str, NDArray[np.float64]] = {}

    def refresh(self, values: Mapping[str, Any], now: int) -> list[tuple[str, str]]:
        """Take fresh values in at ``now`` [ns]; returns ("fresh", name) of those that were stale.

        Raises:
            RigError: an unknown signal, one that a block writes, a value out of its port's range.
        """
        back = []
        for name, value in values.items():
            signal = self.bus.signal(name, "from outside: ")
            if name in self.written:
                raise RigError(
                    f"signal {name!r} cannot come from outside: a {signal.by} block writes it"
                )
            self._last[name] = signal.port.value(f"signal {name!r}", value)
            self.since[name] = now
            if name in self.stale:
                self.stale.discard(name)
                back.append(("fresh", name))
        return back

    def check(self, now: int) -> list[tuple[str, str]]:
        """("stale", name) of the signals whose age is now beyond their timeout, each once."""
        gone = []
        for name, since in self.since.items():
            timeout = self.bus.signals[name].timeout
            if timeout is None or name in self.stale or now - since <= round(timeout * SECOND):
                continue
            self.stale.add(name)
            gone.append(("stale", name))
        return gone

    def values(self) -> dict[str, NDArray[np.float64]]:
        """Values for the rig: the last received, safe ones where stale."""
        return {
            name: np.full_like(last, self.bus.signals[name].safe) if name in self.stale else last
            for name, last in self._last.items()
        }
