"""Data line of NMEA 0183: the fixes of a rig's receiver over UDP, TCP or a serial port."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..motion import Motion
from ..nmea import sentences
from .line import DataLine, Place
from .wire import Wire

#: Time between two fixes of a rig without a receiver [s].
PERIOD = 0.1
#: Default UDP port of programs for navigation.
PORT = 10110


class Fixes:
    """Source of new fixes: those of the rig's receiver, or the true motion every ``PERIOD``.

    Arguments:
        place: data of the rig.
    """

    def __init__(self, place: Place) -> None:
        self._receiver, self._tick = place.receiver, place.tick
        self._last = -PERIOD

    def new(self, now: float, signals: Callable[[str], Any]) -> Motion | None:
        """New motion to send at the rig's time [s]; None: no new one."""
        motion = Motion.of(signals, now, self._receiver, self._tick)
        if motion.taken < self._last + (1e-6 if self._receiver else PERIOD - 1e-6):
            return None
        self._last = motion.taken
        return motion


class NmeaSender(DataLine):
    """Sender of NMEA sentences; incoming bytes, such as commands to a receiver, are dropped and counted.

    Arguments:
        wire: connection over UDP, TCP or a serial port, for the sentences.
        place: data of the rig.
        kinds: kinds of sentences, see ``nmea.sentences``.
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
        """Drop the received bytes."""
        self.dropped += sum(len(received) for _, received in self._wire.receive())

    def signals(self, now: float, engage: bool) -> dict[str, float]:
        """No signals: the line only sends."""
        return {}

    def send(self, now: float, signals: Callable[[str], Any], engage: bool) -> None:
        """Send the sentences of a new fix in one datagram."""
        motion = self._fixes.new(now, signals)
        if motion is not None:
            fix = motion.fix(self._place.origin, self._place.begun)
            self._wire.send("".join(sentences(fix, self._kinds)).encode("ascii"))
            self.fixes += 1

    def summary(self) -> str:
        """Count of sent fixes, as text."""
        return f"{self.name}: {self.fixes} fixes sent, {self._wire.faults} faults"

    def close(self) -> None:
        self._wire.close()
