"""The front: a process of its own that has the sockets; the simulation does nothing but simulate.

Between the two goes a datagram a tick each way over the loopback, with the key of the session:

    to the front    key (16 bytes), tick u64, time f64, the bus and poses of bodies as float64
    back            key (16 bytes), JSON of signals that came in

A lost one means "as before". The front may die: the simulation goes on and inputs grow stale. The
simulation may die: the front tells its clients within a second.
"""

from __future__ import annotations

import dataclasses
import hmac
import json
import secrets
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from ..bus import Bus, Signal, core
from ..errors import RigError
from ..port import Port
from ..rig import Rig
from .net.server import Server

HEAD = struct.Struct("<16sQd")
#: The simulation is taken for dead after this long without a datagram [s].
DEAD = 0.5
#: Signal that carries where every body is; the bus of a rig has it not, since no block reads it.
POSES = "body_poses"


class Front:
    """A front for a rig, from the simulation's side; a context manager.

        with Front(rig) as front:
            rig.run(60.0, clock=WallClock(), outside=front)

    Arguments:
        rig: whose bus is shown, and whose signals come in.
        poses: gives position [m] and quaternion of every body, shape (n, 7), for the signal
            "body_poses"; None: there is none.
        host, port, web_port, token, origins: of its ``Server``.
        machine: told to clients in the welcome.

    Raises:
        RigError: the front cannot listen; one sentence says why.
    """

    def __init__(
        self, rig: Rig, *, poses: Callable[[], NDArray[np.float64]] | None = None, **options: Any
    ) -> None:
        self.rig: Rig = rig
        self._poses = poses
        self._options = options
        self.lost: int = 0
        self.port: int = -1
        self.web_port: int = -1
        self.token: str | None = None

    def __enter__(self) -> Front:
        self._line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._line.bind(("127.0.0.1", 0))
        self._line.setblocking(False)
        self._key = secrets.token_bytes(16)
        places = {name: [p.start, p.stop] for name, p in self.rig.wiring.places.items()}
        bodies = 0 if self._poses is None else len(self._poses())
        order = {"key": self._key.hex(), "port": self._line.getsockname()[1], "places": places,
                 "bodies": bodies, "server": self._options}  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rig.outside.front"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._orders, self._answers = cast(IO, self._process.stdin), cast(IO, self._process.stdout)
        self._orders.write(json.dumps(order).encode() + b"\n")
        self._orders.flush()
        answer = self._answers.readline()
        told: dict[str, Any] = json.loads(answer) if answer else {"error": "the front did not start"}
        if "error" in told:
            self.__exit__()
            raise RigError(told["error"])
        self._to = ("127.0.0.1", told["line"])
        self.port, self.web_port, self.token = told["port"], told["web_port"], told["token"]
        return self

    def __call__(self, time: float) -> Mapping[str, Any] | None:
        """The hook for ``Rig.run``: shows the bus, takes what came in; never waits."""
        body = HEAD.pack(self._key, self.rig.ticks, time) + self.rig.wiring.values.tobytes()
        if self._poses is not None:
            body += self._poses().tobytes()
        try:
            self._line.sendto(body, self._to)
        except OSError:
            self.lost += 1
        fresh: dict[str, Any] = {}
        for _ in range(100):
            try:
                received, source = self._line.recvfrom(1 << 16)
            except BlockingIOError:
                break
            except OSError:  # the front has gone: its port answers so
                self.lost += 1
                break
            if source == self._to and hmac.compare_digest(received[:16], self._key):
                fresh |= json.loads(received[16:])
        return fresh

    def __exit__(self, *error: object) -> None:
        try:
            self._orders.close()  # it ends when its input does
            self._process.wait(3.0)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._answers.close()
        self._line.close()


def with_bodies(bus: Bus, bodies: int) -> Bus:
    """The table of signals and, where there are bodies, one more: where each of them is."""
    if bodies == 0:
        return bus
    port = Port("", (7 * bodies,), about="x, y, z [m] and quaternion w, x, y, z of every body")
    return dataclasses.replace(bus, signals={**bus.signals, POSES: Signal(POSES, port, "chassis")})


def main() -> None:
    """The process: reads its orders from its input, tells its ports, and serves until that ends."""
    order = json.loads(sys.stdin.readline())
    key, places = bytes.fromhex(order["key"]), {n: slice(*p) for n, p in order["places"].items()}
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.bind(("127.0.0.1", 0))
    line.settimeout(0.05)
    options: dict[str, Any] = order["server"]
    options["origins"] = tuple(options.get("origins", ()))
    bus = with_bodies(core(), order["bodies"])
    if order["bodies"]:
        size = max(place.stop for place in places.values())
        places[POSES] = slice(size, size + 7 * order["bodies"])
    try:
        with Server(bus=bus, **options) as server:
            told = {"line": line.getsockname()[1], "port": server.port, "web_port": server.web_port,
                    "token": server.token}  # fmt: skip
            print(json.dumps(told), flush=True)
            _pass_on(server, line, ("127.0.0.1", order["port"]), key, places)
    except RigError as error:
        print(json.dumps({"error": str(error)}), flush=True)


def _pass_on(
    server: Server, line: socket.socket, to: tuple[str, int], key: bytes, places: Mapping[str, slice]
) -> None:
    """Datagrams to frames and back until the simulation has ended."""
    import select

    last, tick, now, gone = time.monotonic(), 0, 0.0, False
    while not select.select([sys.stdin], [], [], 0.0)[0]:
        try:
            received, source = line.recvfrom(1 << 16)
        except TimeoutError:
            received, source = b"", to
        except OSError:
            received, source = b"", to
        if len(received) > HEAD.size and source == to and hmac.compare_digest(received[:16], key):
            _, tick, now = HEAD.unpack_from(received)
            flat = np.frombuffer(received, "<f8", offset=HEAD.size)
            server.publish(tick, now, {name: flat[place] for name, place in places.items()})
            last, gone = time.monotonic(), False
        elif time.monotonic() - last > DEAD and not gone:
            server.event(tick, now, stopped="nothing comes from the simulation any more")
            gone = True
        inputs = server.inputs()
        if inputs:
            values = {name: np.asarray(v).tolist() for name, v in inputs.items()}
            line.sendto(key + json.dumps(values).encode(), to)
    if not gone:
        server.event(tick, now, stopped="the simulation has ended")


if __name__ == "__main__":
    main()
