"""Data line of AgOpenGPS: a rig as its steer module and receiver, over UDP or a serial port.

The rig sends ``$PANDA`` with each new fix, a status (group 253) in answer to steer data (254), and
answers to hello (200) and scan (202). Guidance is disengaged when no steer data arrive, or data with
autosteer off.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .. import agopen
from .line import DataLine, Place
from .receiver import Fixes
from .serial_port import Serial
from .wire import Wire

#: UDP ports at which AgIO (program of AgOpenGPS for communication), and at which modules receive.
TO, FROM = 9999, 8888
#: Age beyond which steer data are invalid [s]: they come every 0.1 s, and two in a row may be lost.
STALE = 0.3


class SteerModule(DataLine):
    """Steer module of AgOpenGPS: curvature command of the rig from the received steer angle.

    Arguments:
        wire: connection to AgIO, over UDP or a serial port.
        place: data of the rig; its wheelbase must be that of the vehicle in AgOpenGPS.
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
        """Whether the newest steer data are valid at ``now`` [s]."""
        return now - self._received <= STALE + 1e-9

    def take(self, now: float) -> None:
        """Read frames of AgOpenGPS; ``refused`` counts bad frames and those of other senders."""
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
        """Curvature at the received steer angle [1/m] (0 if not engaged), and "engaged", 1 or 0."""
        meant = self._steer.steer and self.fresh(now) and engage
        curvature = math.tan(max(-1.5, min(1.5, self._steer.angle))) / self._place.wheelbase
        return {"curvature_command": curvature if meant else 0.0, "engaged": float(meant)}

    def send(self, now: float, signals: Callable[[str], Any], engage: bool) -> None:
        """Send pending answers and, if there is one, a new fix."""
        angle = float(signals("steer_angle"))
        answers, self._answers = self._answers, []
        for number in answers:
            if number == agopen.HELLO:
                switches = 0 if engage else agopen.STEER_OFF
                self._wire.send(agopen.hello(angle, switches=switches))
            elif number == agopen.SCAN:
                self._wire.send(agopen.scan_reply(self._wire.address))
            else:
                valve = round(255.0 * min(1.0, abs(float(signals("valve_command")))))
                self._wire.send(agopen.from_steer(angle, steer=engage, pwm=valve))
        motion = self._fixes.new(now, signals)
        if motion is not None:
            fix = motion.fix(self._place.origin, self._place.begun)
            roll, pitch, _ = motion.attitude
            self._wire.send(agopen.panda(fix, roll, pitch, motion.yaw_rate).encode("ascii"))

    def summary(self) -> str:
        """Count of received commands, as text."""
        counts = f"{self.commands} steer data, {self.refused} refused, {self._wire.faults} faults"
        return f"{self.name}: {counts}"

    def close(self) -> None:
        self._wire.close()
