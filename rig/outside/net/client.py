"""Client of the server over TCP: a controller, an operator's controls or a log in another process."""

from __future__ import annotations

import json
import select
import socket
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import RigError
from .frame import FrameReader, Kind, NetworkFrame
from .schema import Hello, Schema


class Client:
    """Connection to a ``Server``; a context manager.

    Arguments:
        port: port of the server.
        hello: role and wanted signals.
        host: host of the server.

    Raises:
        RigError: no server, or a hello that the server refuses.
    """

    def __init__(self, port: int, hello: Hello, host: str = "127.0.0.1") -> None:
        try:
            self._socket = socket.create_connection((host, port), 5.0)
        except OSError as error:
            raise RigError(f"no server on {host}:{port}: {error}") from None
        self._reader, self._queue, self._sequence = FrameReader(), deque[NetworkFrame](), 0
        self._looks = hello.role == "view"
        self._socket.sendall(NetworkFrame(Kind.HELLO, hello.pack()).pack())
        welcome = self.frame(5.0)
        if welcome is None or welcome.kind != Kind.WELCOME:
            self.close()
            raise RigError("the server gave no welcome")
        self.welcome: dict[str, Any] = json.loads(welcome.payload)
        self.state: Schema = Schema.read(self.welcome["state"])
        self.inputs: Schema = Schema.read(self.welcome["input"])

    def frame(self, timeout: float = 0.0) -> NetworkFrame | None:
        """Next frame within ``timeout`` [s], else None; RigError with the reason if the server ended.

        Clients that only display (role "view") get the newest received state; older ones are skipped.
        """
        while not self._queue or (self._looks and self._ready(0.0)):
            if not self._ready(0.0 if self._queue else timeout):
                return None
            try:
                received = self._socket.recv(1 << 16)
            except ConnectionError:
                received = b""
            if not received and not self._queue:
                raise RigError("the server has gone")
            if not received:
                break
            self._queue.extend(self._reader.feed(received))
        if self._looks:
            newest = max((k for k, f in enumerate(self._queue) if f.kind == Kind.STATE), default=0)
            kept = (f for k, f in enumerate(self._queue) if f.kind != Kind.STATE or k == newest)
            self._queue = deque(kept)
        found = self._queue.popleft()
        if found.kind == Kind.BYE:
            raise RigError(f"the server says: {json.loads(found.payload or b'{}').get('why', 'bye')}")
        return found

    def _ready(self, timeout: float) -> bool:
        return bool(select.select([self._socket], [], [], timeout)[0])

    def newest(self, timeout: float = 0.0) -> tuple[NetworkFrame, dict[str, np.ndarray]] | None:
        """Newest received state frame and its signals; None: none within ``timeout`` [s]."""
        found = None
        while (frame := self.frame(timeout if found is None else 0.0)) is not None:
            if frame.kind == Kind.STATE:
                found = frame
        return None if found is None else (found, self.state.unpack(found.payload))

    def send(self, values: Mapping[str, Any]) -> None:
        """Send values of all inputs named in the hello; RigError for a missing or invalid one."""
        for name in self.inputs.names:
            if name not in values:
                raise RigError(f"the hello named {name!r}, but the sent values lack it")
            self.inputs.bus.signals[name].port.value(f"signal {name!r}", values[name])
        self._sequence += 1
        try:
            self._socket.sendall(
                NetworkFrame(Kind.INPUT, self.inputs.pack(values), self._sequence).pack()
            )
        except OSError as error:
            raise RigError(f"the server has gone: {error.strerror}") from None

    def stop(self, stop: bool = True) -> None:
        """Request a stop, from any role; False cancels it, permitted to the operator only."""
        self._socket.sendall(NetworkFrame(Kind.EVENT, json.dumps({"stop": stop}).encode()).pack())

    def close(self) -> None:
        """Close the connection with a goodbye frame."""
        try:
            self._socket.sendall(NetworkFrame(Kind.BYE).pack())
        except OSError:
            pass
        self._socket.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
