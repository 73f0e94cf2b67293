"""Receiver: NMEA 0183 of a rig's machine over UDP or a serial line, ten times a second."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..motion import Motion
from ..nmea import sentences
from .line import Line, Place
from .wire import Wire

#: Time between two fixes where the rig has no receiver of its own [s].
PERIOD = 0.1
#: Port of UDP that programs for charts and guidance listen on.
PORT = 10110


class Fixes:
    """When there is something new to tell: a new fix of the rig's receiver, or every so often.

    Arguments:
        place: of the rig.
    """

    def __init__(self, place: Place) -> None:
        self._receiver, self._tick = place.receiver, place.tick
        self._last = -PERIOD

    def new(self, now: float, signals: Callable[[str], Any]) -> Motion | None:
        """The motion to tell at the rig's time [s]; None: nothing new."""
        motion = Motion.of(signals, now, self._receiver, self._tick)
        if motion.taken < self._last + (1e-6 if self._receiver else PERIOD - 1e-6):
            return None
        self._last = motion.taken
        return motion


class Receiver(Line):
    """Sender of NMEA sentences; incoming bytes, such as commands to a receiver, are dropped and counted.

    Arguments:
        wire: to tell them on.
        place: of the rig.
        kinds: of sentences.
    """

    def __init__(
        self, wire: Wire, place: Place, kinds: tuple[str, ...] = ("GGA", "VTG", "RMC", "HDT")
    ) -> None:
        self.name: str = f"NMEA 0183 on {wire.name}"
        self._wire, self._place, self._kinds = wire, place, kinds
        self._fixes = Fixes(place)
        self.fixes: int = 0
        self.dropped: int = 0

    def take(self, now: float) -> None:
        """Drop the bytes received."""
        self.dropped += sum(len(received) for _, received in self._wire.receive())

    def signals(self, now: float, engage: bool) -> dict[str, float]:
        """None."""
        return {}

    def send(self, now: float, signals: Callable[[str], Any], engage: bool) -> None:
        """The sentences of a new fix, in one datagram."""
        motion = self._fixes.new(now, signals)
        if motion is not None:
            fix = motion.fix(self._place.origin, self._place.begun)
            self._wire.send("".join(sentences(fix, self._kinds)).encode("ascii"))
            self.fixes += 1

    def summary(self) -> str:
        """How many fixes."""
        return f"{self.name}: {self.fixes} fixes told, {self._wire.faults} faults"

    def close(self) -> None:
        """Close the wire."""
        self._wire.close()
