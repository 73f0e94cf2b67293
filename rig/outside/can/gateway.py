"""Gateway: the machine of a rig as a unit on an ISO 11783 bus, for a guidance controller on that bus."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import RigError
from ..geodesy import Origin
from ..motion import Motion
from . import address, messages
from .fast_packet import split

#: States in their order; the state "fault" ends with the withdrawal of the steering command.
STATES = ("silent", "claiming", "announcing", "ready", "steering", "fault")
#: Codes of ISO 11783-7 for the end of guidance: no further commands, operator.
STOPPED_COMING, OPERATOR = 5, 3
#: Age beyond which a command is invalid [s]: one and a half periods of 100 ms.
STALE = 0.15
#: Periods of the sent messages [s].
PERIODS = {
    "GuidanceMachineInfo": 0.1, "PositionRapid": 0.1, "CourseSpeed": 0.25, "Heading": 0.1,
    "RateOfTurn": 0.1, "Attitude": 0.1, "WheelSpeed": 0.1, "GroundSpeed": 0.1, "GnssPosition": 0.1,
}  # fmt: skip
#: Messages sent together with each fix of the receiver.
WITH_A_FIX = ("PositionRapid", "CourseSpeed", "Heading", "GnssPosition")


@dataclass
class Gateway:
    """Translator between a bus and a rig, called once a tick: frames to signals, signals to frames.

        silent -> claiming -> announcing -> ready -> steering
                                               ^        |  no command for 150 ms, operator's switch off
                                               +------ fault   until the command is withdrawn

    A withdrawn command leads from "steering" to "ready", a lost address to "claiming".

    Arguments:
        origin: geographic origin of the rig's world.
        begun: UTC at the rig's time 0.
        name: NAME of the unit.
        preferred: preferred address.
        announce: duration of the state "announcing" [s], in which every message is sent at least once.
        receiver: True: the fix of the rig's receiver is sent; False: the true position.
        tick: tick of the rig [s].

    Raises:
        RigError: ``begun`` without a time zone.
    """

    origin: Origin
    begun: dt.datetime = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    name: address.Name = field(default_factory=lambda: address.Name(function=address.STEERING))
    preferred: int = 0xF0
    announce: float = 0.3
    receiver: bool = False
    tick: float = 0.01

    def __post_init__(self) -> None:
        if self.begun.tzinfo is None:
            raise RigError("begun must have its time zone, such as datetime.timezone.utc")
        self.state: str = "silent"
        self.exit_reason: int = 0
        self.refused: int = 0
        self.claim: address.AddressClaim = address.AddressClaim(self.name, self.preferred)
        self._command: tuple[float, float, bool] = (-math.inf, 0.0, False)
        self._master: int = address.NULL
        self._since, self._sequence, self._distance, self._last = 0.0, 0, 0.0, 0.0
        self._fixed = -math.inf
        self._due: dict[str, float] = dict.fromkeys(PERIODS, 0.0)
        self._answers: list[tuple[int, bytes]] = []
        self._fresh: dict[str, float] = {}
        self._requested: set[str] = set()

    def receive(self, can_id: int, data: bytes, now: float) -> None:
        """Process a frame received at the rig's time ``now`` [s]; ``refused`` counts invalid ones.

        Commands of a second controller are refused while those of the first are fresh.
        """
        self._answers += self.claim.receive(can_id, data, now)
        if address.parts(can_id)[0] == address.REQUEST and len(data) >= 3:
            self._request(can_id, int.from_bytes(data[:3], "little"))
        try:
            found = messages.decode(can_id, data)
        except RigError:
            self.refused += 1
            return
        if found is None:
            return
        name, values = found
        if name == "GuidanceSystemCommand":
            curvature, steer = -1e-3 * values.get("Curvature", math.inf), values["Status"] == 1.0
            second = address.parts(can_id)[1] != self._master and now - self._command[0] <= STALE
            if abs(curvature) > messages.SHARPEST or second:
                self.refused += 1
                return
            self._command, self._master = (now, curvature, steer), address.parts(can_id)[1]
        elif name == "GuidanceErrors":
            names = {"OffTrack": "off_track", "HeadingError": "heading_error"}
            self._fresh |= {names[key]: value for key, value in values.items()}

    def _request(self, can_id: int, number: int) -> None:
        """Answer a request: with the message at the next tick, or with a negative acknowledgement.

        Requests to all units for an unsupported message are ignored.
        """
        _, source, destination, _ = address.parts(can_id)
        if number == address.CLAIM or destination not in (address.ALL, self.claim.address):
            return
        name = messages.name_of(number)
        if name in PERIODS:
            self._requested.add(name)
        elif destination != address.ALL:
            self._answers.append(address.acknowledgement(number, source, self.claim.address))

    def outside(self, now: float, engage: bool = True) -> dict[str, float]:
        """Update the state, and return the signals for the rig, see ``outside`` of ``Rig.run``.

        Arguments:
            now: the rig's time [s].
            engage: state of the operator's switch.
        """
        received, curvature, meant = self._command
        fresh = now - received <= STALE + 1e-9
        self._go_on(now, fresh, meant, engage)
        steering = self.state == "steering"
        signals, self._fresh = self._fresh, {}
        return {
            "curvature_command": curvature if steering else 0.0,
            "engaged": float(steering),
            **signals,
        }

    def _go_on(self, now: float, fresh: bool, meant: bool, engage: bool) -> None:
        state = self.state
        if state == "silent":
            self._answers += self.claim.start(now)
            self._to("claiming", now)
        elif self.claim.address == address.NULL:
            self._to("claiming", now)
        elif state == "claiming" and self.claim.good(now):
            self._to("announcing", now)
        elif state == "announcing" and now - self._since >= self.announce:
            self._to("ready", now)
        elif state == "ready" and fresh and meant and engage:
            self.exit_reason = 0
            self._to("steering", now)
        elif state == "steering" and not (fresh and engage):
            self.exit_reason = OPERATOR if fresh else STOPPED_COMING
            self._to("fault", now)
        elif state == "steering" and not meant:
            self._to("ready", now)
        elif state == "fault" and fresh and not meant:
            self._to("ready", now)

    def _to(self, state: str, now: float) -> None:
        if state != self.state:
            self.state, self._since = state, now

    def send(
        self, now: float, signals: Callable[[str], Any], engage: bool = True
    ) -> list[tuple[int, bytes]]:
        """Frames that are due at the rig's time.

        Arguments:
            now: the rig's time [s].
            signals: function that returns a signal by name, such as ``rig.__getitem__``.
            engage: state of the operator's switch.
        """
        out, self._answers = self._answers, []
        if self.state in ("silent", "claiming"):
            return out
        due = [name for name, at in self._due.items() if now >= at - 1e-9]
        motion = Motion.of(signals, now, self.receiver, self.tick)
        if self.receiver:
            due = [name for name in due if name not in WITH_A_FIX]
            due += WITH_A_FIX if motion.taken > self._fixed + 1e-6 else ()
            self._fixed = motion.taken
        requested, self._requested = self._requested, set()
        due = [name for name in PERIODS if name in requested.union(due)]
        if not due:
            return out
        for name in due:
            self._due[name] = now + PERIODS[name]
        return out + self._frames(now, due, motion, engage)

    def _frames(self, now: float, due: list[str], m: Motion, engage: bool) -> list[tuple[int, bytes]]:
        source = self.claim.address
        self._distance += abs(m.speed) * (now - self._last)
        self._last = now
        fix = m.fix(self.origin, self.begun)
        made: Mapping[str, tuple[int, bytes]] = messages.motion(
            fix, m.attitude, m.yaw_rate, m.speed, self._distance, source
        )
        out = [made[name] for name in due if name in made]
        if "GuidanceMachineInfo" in due:
            curvature = m.yaw_rate / m.speed if abs(m.speed) > 0.05 else 0.0
            out.append(messages.machine_info(
                curvature, source, ready=self.state in ("ready", "steering"), engage=engage,
                exit_reason=self.exit_reason, reset=self.state == "fault",
            ))  # fmt: skip
        if "GnssPosition" in due:
            self._sequence = (self._sequence + 1) % 8
            can_id = address.identifier(messages.GNSS_POSITION, source, priority=3)
            packet = messages.gnss_position(fix, self._sequence)
            out += [(can_id, part) for part in split(packet, self._sequence)]
        return out
