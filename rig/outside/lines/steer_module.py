"""Steer module: a rig as AgOpenGPS' steer module and receiver, over UDP or a serial line.

Ten times a second ``$PANDA`` goes out; for every steer data (254) that comes in, its answer (253) goes
out; a hello (200) and a scan (202) are answered. Steer data that stop coming, or come without autosteer,
release the steering.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .. import agopen
from .line import Line, Place
from .receiver import Fixes
from .serial_port import Serial
from .wire import Wire

#: Ports of UDP: AgIO listens on the first, modules on the second.
TO, FROM = 9999, 8888
#: Steer data older than this are none [s]: two of ten a second may get lost.
STALE = 0.3


class SteerModule(Line):
    """Takes a steer angle and gives its curvature, so that any steering controller of a rig can follow.

    Arguments:
        wire: to AgIO.
        place: of the rig; the wheelbase is that of the machine as AgOpenGPS is told it.
    """

    gives: tuple[str, ...] = ("curvature_command", "engaged")

    def __init__(self, wire: Wire, place: Place) -> None:
        self.name: str = f"AgOpenGPS on {wire.name}"
        self._wire, self._place = wire, place
        self._fixes = Fixes(place)
        self._reader = agopen.Reader(stream=isinstance(wire, Serial))
        self._received, self._whom = -math.inf, None
        self._steer = agopen.SteerData(0.0, False, 0.0)
        self._answers: list[int] = []
        self.settings: dict[int, bytes] = {}
        self.commands: int = 0
        self.refused: int = 0
        self._second = 0

    def fresh(self, now: float) -> bool:
        """Steer data have come lately."""
        return now - self._received <= STALE + 1e-9

    def take(self, now: float) -> None:
        """Frames of AgOpenGPS; other bytes are counted in ``refused``, as is a second master."""
        for whom, received in self._wire.receive():
            found = self._reader.feed(received)
            self.refused = self._second + self._reader.refused
            for source, number, data in found:
                self._frame(now, whom, source, number, data)

    def _frame(self, now: float, whom: Any, source: int, number: int, data: bytes) -> None:
        if source != agopen.AGIO or (self.fresh(now) and whom != self._whom):
            self._second += 1
            self.refused += 1
        elif number == agopen.STEER_DATA:
            self._steer, self._received, self._whom = agopen.SteerData.read(data), now, whom
            self.commands += 1
            self._answers.append(number)
        elif number in (agopen.HELLO, agopen.SCAN):
            self._answers.append(number)
        elif number in (agopen.STEER_SETTINGS, agopen.STEER_CONFIG):
            self.settings[number] = data

    def signals(self, now: float, engage: bool) -> dict[str, float]:
        """The curvature of the wanted angle, and whether it is meant."""
        meant = self._steer.steer and self.fresh(now) and engage
        curvature = math.tan(max(-1.5, min(1.5, self._steer.angle))) / self._place.wheelbase
        return {"curvature_command": curvature if meant else 0.0, "engaged": float(meant)}

    def send(self, now: float, signals: Callable[[str], Any], engage: bool) -> None:
        """Answers, and a new fix."""
        angle = float(signals("steer_angle"))
        answers, self._answers = self._answers, []
        for number in answers:
            if number == agopen.HELLO:
                switches = 0 if engage else agopen.STEER_OFF
                self._wire.send(agopen.hello(angle, switches=switches))
            elif number == agopen.SCAN:
                self._wire.send(agopen.scanned(self._wire.address))
            else:
                valve = round(255.0 * min(1.0, abs(float(signals("valve_command")))))
                self._wire.send(agopen.from_steer(angle, steer=engage, pwm=valve))
        motion = self._fixes.new(now, signals)
        if motion is not None:
            fix = motion.fix(self._place.origin, self._place.begun)
            roll, pitch, _ = motion.attitude
            self._wire.send(agopen.panda(fix, roll, pitch, motion.yaw_rate).encode("ascii"))

    def summary(self) -> str:
        """How many commands."""
        counts = f"{self.commands} steer data, {self.refused} refused, {self._wire.faults} faults"
        return f"{self.name}: {counts}"

    def close(self) -> None:
        """Close the wire."""
        self._wire.close()
