"""Front: a separate process with the sockets, the buses and the journal's file of a simulation.

The simulation never waits for the front. It sends a datagram in each tick, the front one for received
signals, over the loopback and with the key of the session:

    to the front    key (16 bytes), tick u64, time f64, the bus and poses of bodies as float64
    back            key (16 bytes), JSON of the received signals and their senders

A lost datagram leaves the values unchanged. Records of the journal and events must not be lost: they are
lines of JSON in a pipe; lines that the pipe does not accept at once are sent later. If the front dies,
the simulation continues and its inputs become stale. If the simulation dies, the front informs its
clients within a second and completes the journal.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import hmac
import json
import os
import pathlib
import secrets
import select
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from ..rig import Rig
from ..timing.clock import SECOND
from .body_poses import with_bodies
from .geodesy import Origin

HEAD = struct.Struct("<16sQd")
#: Largest backlog of the pipe [bytes]; beyond it the journal ends.
BACKLOG = 1 << 24
#: Time between two writes to the pipe [s].
STATE_INTERVAL = 0.05
#: Time limit for the front's last writes at the end [s].
PATIENCE = 10.0


def _wheelbase(rig: Rig) -> float:
    """Wheelbase of the rig's steering controller, else of its chassis, else a default [m]."""
    for category in ("steering_controller", "chassis"):
        found = getattr(rig.blocks.get(category), "wheelbase", None)
        if found is not None:
            return float(found)
    return 2.9


class Front:
    """Connection of the simulation to the front (the process with all connections of a rig); a context
    manager.

        with Front(rig) as front:
            rig.run(60.0, clock=WallClock(), outside=front, after=front.show)

    Arguments:
        rig: rig whose bus is published and whose signals may be received.
        poses: function that returns position [m] and quaternion of every body, shape (n, 7), for the
            signal "body_poses"; None: no such signal.
        journal: file written by ``Journal(front, rig)``; None: none.
        origin: geographic origin of the rig's world, for fixes in the journal and on data lines;
            None: no fixes in the journal.
        lines: data lines by kind, texts as for ``open_lines``: {"can": ["hub"], "nmea": ["udp"]}.
        transmit: True: messages may be sent on a real bus; False: listen only.
        options: options of the front's ``Server``: host, port, web_port, token, origins, and machine,
            which is sent to clients in the welcome message.

    Raises:
        RigError: the front cannot listen, or cannot write the journal; one sentence.
    """

    def __init__(
        self, rig: Rig, *, poses: Callable[[], NDArray[np.float64]] | None = None,
        journal: str | pathlib.Path | None = None, origin: Origin | None = None,
        lines: Mapping[str, Sequence[str]] | None = None, transmit: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        self.rig: Rig = rig
        self._poses = poses
        self._order = {
            "server": options,
            "takes": [name for name in rig.bus.signals if name not in rig.wiring.written],
            "reads": sorted({name for block in rig.blocks.values() for name in block.inputs}),
            "bus": with_bodies(rig.bus, 0 if poses is None else len(poses())).table(),
            "tick": round(rig.tick * SECOND),
            "journal": None if journal is None else os.fspath(journal),
            "origin": None if origin is None else dataclasses.astuple(origin),
            "lines": dict(lines or {}),
            "transmit": transmit,
            "receiver": "gnss" in rig.blocks,
            "wheelbase": _wheelbase(rig),
            "begun": dt.datetime.now(dt.UTC).isoformat(),
        }
        self.lost: int = 0
        self.port: int = -1
        self.web_port: int = -1
        self.token: str | None = None
        #: Sender of each received signal, by name.
        self.sources: dict[str, str] = {}
        #: Names of the data lines (after the run their summaries); port of the front's CAN hub or -1.
        self.lines: list[str] = []
        self.hub: int = -1
        #: Reason for an early end of the journal; "": none.
        self.failed: str = ""
        self._waiting = bytearray()
        self._every = max(1, round(STATE_INTERVAL / rig.tick))
        self._seen, self._reported, self._shown = 0, 0, -1
        self._open = False

    def __enter__(self) -> Front:
        self._line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._line.bind(("127.0.0.1", 0))
        self._line.setblocking(False)
        self._key = secrets.token_bytes(16)
        order = {"key": self._key.hex(), "port": self._line.getsockname()[1], **self._order}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rig.outside.front_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C then reaches the simulation only, which ends the front
        )
        self._pipe, self._answers = cast(IO, self._process.stdin), cast(IO, self._process.stdout)
        with contextlib.suppress(BrokenPipeError):  # a dead process sends no reply: an error below
            self._pipe.write(json.dumps(order).encode() + b"\n")
        reply = self._answer() or {"error": "the front did not start"}
        if "error" in reply:
            self.__exit__()
            raise RigError(reply["error"])
        with contextlib.suppress(AttributeError, OSError):  # some systems have no non-blocking pipes
            os.set_blocking(self._pipe.fileno(), False)
        self._to = ("127.0.0.1", reply["line"])
        self.port, self.web_port, self.token = reply["port"], reply["web_port"], reply["token"]
        self.lines, self.hub = reply["lines"], reply["hub"]
        self._open = True
        return self

    def prepare(self, readying: Callable[[], object]) -> None:
        """Call ``readying``, a long preparation before the first tick, while clients see its progress.

        Meanwhile clients also see the machine in its initial state, and their commands are dropped.
        """
        from bodies.memory.compiled import compilation_listener

        def compiles(what: str, done: int, parts: int) -> None:
            why = (
                f"compiling {what}, once per installation, some 20 s of two free cores, longer beside "
                f"other work: {done} of {parts} parts"
            )
            self._wait(why, done / parts)

        self._wait("the machine is made ready")
        with compilation_listener(compiles):
            readying()
        self._wait("")

    def _wait(self, why: str, share: float = 0.0) -> None:
        self._send({"waiting": why, "share": share})
        self._flush()
        if why:
            self.show(self.rig.time)

    def _answer(self) -> dict[str, Any]:
        line = bytearray()
        while not line.endswith(b"\n") and (more := self._answers.read(1 << 16)):
            line += more
        return json.loads(line) if line.endswith(b"\n") else {}

    def __call__(self, time: float) -> Mapping[str, Any] | None:
        """Argument ``outside`` of ``Rig.run``: values received since the last tick; never waits.

        Raises:
            RigError: a call outside the ``with`` block.
        """
        if not self._open:
            raise RigError("a front is there within its `with` block, which is not open here")
        if self._shown != self.rig.ticks:
            self.show(time)
        self._report(time)
        fresh: dict[str, Any] = {}
        for _ in range(100):
            try:
                received, source = self._line.recvfrom(1 << 16)
            except BlockingIOError:
                break
            except OSError:  # the front has died: its port is closed
                self.lost += 1
                break
            if source == self._to and hmac.compare_digest(received[:16], self._key):
                found = json.loads(received[16:])
                fresh |= found["values"]
                self.sources.update(found["from"])
        return fresh

    def show(self, time: float) -> None:
        """Send the present bus and the poses of the bodies to the front; ``time`` [s].

        Pass this method as ``after`` to ``Rig.run``, so that the data are sent at the end of each tick.
        """
        self._shown = self.rig.ticks
        body = HEAD.pack(self._key, self.rig.ticks, time) + self.rig.wiring.values.tobytes()
        if self._poses is not None:
            body += self._poses().tobytes()
        try:
            self._line.sendto(body, self._to)
        except OSError:
            self.lost += 1

    def _report(self, time: float) -> None:
        """Send events: stale and fresh signals since the last tick; each second the counts of late ticks
        and of shifts of the schedule, if they have changed.
        """
        events, pace = self.rig.events, self.rig.pace
        for _, what, name in events[min(self._seen, len(events)) :]:
            self._send({"event": {what: name}, "time": time})
        self._seen = len(events)
        if pace is not None and self.rig.ticks % max(1, SECOND // pace.tick) == 0:
            overruns = {"late": int(pace.overruns.sum()), "slips": len(pace.slips)}
            if sum(overruns.values()) != self._reported:
                self._reported = sum(overruns.values())
                self._send({"event": overruns, "time": time})
        if self.rig.ticks % self._every == 0:  # not in each tick: a write wakes the front
            self._flush()

    def take(self, record: Mapping[str, Any]) -> None:
        """Send a record for the journal, see ``JournalFile``."""
        if not self.failed:
            self._send({"record": record})

    def _send(self, what: Mapping[str, Any]) -> None:
        if len(self._waiting) > BACKLOG:
            self.failed = self.failed or "the journal ended early: the front was too slow to write it"
            return
        self._waiting += json.dumps(what, separators=(",", ":")).encode() + b"\n"

    def _flush(self) -> None:
        """Write as many waiting lines as the pipe accepts now."""
        while self._waiting:
            try:
                written = os.write(self._pipe.fileno(), memoryview(self._waiting)[: 1 << 16])
            except BlockingIOError:
                return
            except OSError:
                self._waiting.clear()
                if self._order["journal"]:
                    self.failed = self.failed or "the journal ended early: the front has gone"
                return
            del self._waiting[:written]

    def __exit__(self, *error: object) -> None:
        self._open = False
        end = time.monotonic() + PATIENCE
        self._flush()
        while self._waiting and time.monotonic() < end:
            select.select([], [self._pipe], [], 0.1)
            self._flush()
        try:
            self._pipe.close()  # the process ends at the end of its input
            self._process.wait(max(0.1, end - time.monotonic()))
            reply = self._answer()
            self.failed = self.failed or reply.get("failed", "")
            self.lines = reply.get("lines", self.lines)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._answers.close()
        self._line.close()
