"""Main loop of the front's process (the process with all connections of a rig): sockets, data lines to
other programs, journal."""

from __future__ import annotations

import hmac
import json
import select
import socket
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..bus import Bus
from .body_poses import POSES
from .front import HEAD
from .journal_file import JournalFile
from .lines import DataLine
from .net.server import Server
from .waiting import Bell, Pipe

#: Time without a datagram after which the simulation counts as dead [s].
DEAD = 0.5
#: Longest wait for incoming bytes [s].
PATIENCE = 0.05
#: Before the first tick: time between two publications of initial state and elapsed time [s].
AGAIN = 0.1
#: Rate at which the bodies' poses are recorded in a journal [1/s].
RATE = 50.0


class FrontLoop:
    """Main loop of the front's process: exchange between simulation, clients, data lines and journal."""

    def __init__(
        self, order: dict[str, Any], bus: Bus, pipe: Pipe, server: Server,
        journal_file: JournalFile | None, lines: Sequence[DataLine], bell: Bell,
    ) -> None:  # fmt: skip
        self.pipe: Pipe = pipe
        self.server: Server = server
        self.journal_file: JournalFile | None = journal_file
        self.lines: Sequence[DataLine] = lines
        self._bell = bell
        self._given: dict[str, float] = {}
        self._next_poses = 0.0
        self._ended: dict[str, str] = {}
        self._waiting: dict[str, Any] = {}
        self._since = self._next_look = 0.0
        self._standing: tuple[int, float, dict[str, Any]] | None = None
        self.line: socket.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.line.bind(("127.0.0.1", 0))
        self.line.setblocking(False)
        self._key, self._to = bytes.fromhex(order["key"]), ("127.0.0.1", order["port"])
        self._bus = bus
        self.tick: int = 0
        self.time: float = 0.0

    def serve(self) -> None:
        """Exchange data between simulation, clients and data lines until the simulation has ended."""
        last, gone = time.monotonic(), False
        while not self.pipe.ended:
            ready = select.select([self.pipe, self.line, self._bell], [], [], PATIENCE)[0]
            self._bell.clear()
            if self.pipe in ready:
                self.pipe.read()
                for message in self.pipe.lines():
                    self._take(message)
            if self._newest():
                last = time.monotonic()
                if gone:
                    self._event(stopped="", keep=True)
                gone = False
            elif self._waiting:
                last = time.monotonic()
                self._wait(last)
            elif time.monotonic() - last > DEAD and not gone:
                self._event(stopped="nothing comes from the simulation any more", keep=True)
                gone = True
            self._hand_in()
        if not gone:
            self._event(stopped="the simulation has ended", keep=True)

    def _newest(self) -> bool:
        """Publish the newest received state; False if none was received."""
        newest = None
        for _ in range(100):
            try:
                received, source = self.line.recvfrom(1 << 16)
            except OSError:  # no further datagram, or the simulation has ended
                break
            good = len(received) > HEAD.size and source == self._to
            if good and hmac.compare_digest(received[:16], self._key):
                newest = received
        if newest is None:
            return False
        _, self.tick, self.time = HEAD.unpack_from(newest)
        values = self._bus.split(np.frombuffer(newest, "<f8", offset=HEAD.size))
        self.server.publish(self.tick, self.time, values)
        if self._waiting:
            self._standing = self.tick, self.time, values
            return True
        self._drive_lines(values)
        self._write_poses(values)
        return True

    def _wait(self, now: float) -> None:
        """Publish initial state and elapsed time repeatedly, until the machine is ready for its
        first tick.
        """
        if now < self._next_look:
            return
        self._next_look = now + AGAIN
        if self._standing is not None:
            self.server.publish(*self._standing)
        seconds = int(now - self._since)
        if self._waiting["seconds"] != seconds:
            self._waiting["seconds"] = seconds
            self._event(**self._waiting, keep=True)

    def _write_poses(self, values: dict[str, Any]) -> None:
        """Record the poses of all bodies in the journal, at ``RATE``, rounded to 0.1 mm."""
        if self.journal_file is None or POSES not in values or self.time < self._next_poses - 1e-9:
            return
        self._next_poses = self.time + 1.0 / RATE
        poses = np.asarray(values[POSES]).reshape(-1, 7)
        rows = zip(np.round(poses[:, :3], 4).tolist(), np.round(poses[:, 3:], 6).tolist(), strict=True)
        written = [(f"body {k}", *row) for k, row in enumerate(rows)]
        self.journal_file.take({"tick": self.tick, "poses": written})

    def _drive_lines(self, values: dict[str, Any]) -> None:
        """Advance all data lines by a tick; a requested stop disengages steering commands from them."""
        engage = bool(values["engage"] > 0.5) and not self.server.stopped
        for line in self.lines:
            if line.name in self._ended:
                continue
            try:
                line.take(self.time)
                given = line.signals(self.time, engage)
                line.send(self.time, values.__getitem__, engage)
            except Exception as error:  # e.g. a position of nan: ends only this data line
                self._ended[line.name] = f"{line.name} has ended: {type(error).__name__} {error}"[:200]
                self._event(line=self._ended[line.name])
                continue
            frames = line.frames()
            if frames and self.journal_file is not None:
                written = [[can_id, data.hex()] for can_id, data in frames]
                self.journal_file.take({"tick": self.tick, "can": written})
            self._given |= given
            self.server.sources.update(dict.fromkeys(given, line.name))

    def summary(self) -> list[str]:
        """Summary of each data line, or the error that ended it."""
        return [self._ended.get(line.name) or line.summary() for line in self.lines]

    def _take(self, message: dict[str, Any]) -> None:
        if "record" in message and self.journal_file is not None:
            before = self.journal_file.failed
            self.journal_file.take(message["record"])
            if self.journal_file.failed != before:
                self._event(journal=self.journal_file.failed, keep=True)
        elif "event" in message:
            self._event(**message["event"])
        elif "waiting" in message:
            if not self._waiting:
                self._since = time.monotonic()
            seconds = int(time.monotonic() - self._since)
            self._waiting = {**message, "seconds": seconds} if message["waiting"] else {}
            self._event(**(self._waiting or message), keep=True)
            self.server.inputs()  # drop commands received so far

    def _event(self, *, keep: bool = False, **what: Any) -> None:
        self.server.event(self.tick, self.time, keep=keep, **what)

    def _hand_in(self) -> None:
        """Send values received from clients and data lines to the simulation."""
        inputs = self.server.inputs()
        if self._waiting:  # commands before the first tick are dropped
            return
        if not self.server.stopped:
            inputs |= {name: value for name, value in self._given.items() if name in self.server.takes}
        self._given = {}
        if inputs:
            values = {name: np.asarray(v).tolist() for name, v in inputs.items()}
            whom = {name: self.server.sources[name] for name in values if name in self.server.sources}
            try:
                text = json.dumps({"values": values, "from": whom})
                self.line.sendto(self._key + text.encode(), self._to)
            except OSError:  # the simulation has ended: the pipe ends as well
                pass
