"""Ages of external signals: without a refresh in time a signal gets its safe value."""

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
    """External values with the times of their last refresh [ns on the run's clock].

    Arguments:
        bus: table with the timeout and safe value of each signal.
        written: names of the signals written by blocks, which external values cannot replace.
    """

    def __init__(self, bus: Bus, written: frozenset[str] = frozenset()) -> None:
        self.bus: Bus = bus
        self.written: frozenset[str] = written
        self.since: dict[str, int] = {}
        self.stale: set[str] = set()
        self._last: dict[str, NDArray[np.float64]] = {}

    def refresh(self, values: Mapping[str, Any], now: int) -> list[tuple[str, str]]:
        """Store values received at ``now`` [ns]; returns ("fresh", name) for each that was stale.

        Raises:
            RigError: an unknown signal, one written by a block, a value out of its port's range.
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
        """Events ("stale", name) of signals past their timeout at ``now`` [ns], each once."""
        gone = []
        for name, since in self.since.items():
            timeout = self.bus.signals[name].timeout
            if timeout is None or name in self.stale or now - since <= round(timeout * SECOND):
                continue
            self.stale.add(name)
            gone.append(("stale", name))
        return gone

    def values(self) -> dict[str, NDArray[np.float64]]:
        """Values for the rig: last received ones, or safe values of stale signals."""
        return {
            name: np.full_like(last, self.bus.signals[name].safe) if name in self.stale else last
            for name, last in self._last.items()
        }
