"""Connection (wire) over TCP: a port for other programs to connect to."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from ...errors import RigError
from .wire import LARGEST, Wire

#: Largest number of connected programs.
LISTENERS = 8


class Tcp(Wire):
    """TCP port for other programs, like that of a receiver on a network; all get the same bytes.

    A client that does not read is disconnected; beyond ``LISTENERS`` clients new ones are rejected. Both
    are counted in ``faults``.

    Arguments:
        host: address of this computer to listen on.
        port: port; 0: a free one.

    Raises:
        RigError: no such address, or a port in use.
    """

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"tcp:{host}:{port}")
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, port))
            self._socket.listen(LISTENERS)
        except OSError as error:
            self._socket.close()
            raise RigError(
                f"TCP port {port} of {host} cannot be listened on: {error.strerror}"
            ) from None
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]
        self._listeners: dict[socket.socket, Any] = {}

    def send(self, what: bytes) -> None:
        """Send bytes to all connected programs, if any."""
        self._let_in()
        for line in list(self._listeners):
            try:
                whole = line.send(what) == len(what)
            except OSError:  # the client has disconnected or does not read
                whole = False
            if not whole:
                self.fault()
                self._let_go(line)

    def receive(self) -> list[tuple[Any, bytes]]:
        """Received bytes, one piece for each client."""
        self._let_in()
        found = []
        for line, whom in list(self._listeners.items()):
            try:
                received = line.recv(LARGEST)
            except BlockingIOError:
                continue
            except OSError:
                received = b""
            if received:
                found.append((whom, received))
            else:  # no bytes: the client has closed the connection
                self._let_go(line)
        return found

    def _let_in(self) -> None:
        with contextlib.suppress(OSError):  # no further client waits for a connection
            while True:
                line, whom = self._socket.accept()
                if len(self._listeners) >= LISTENERS:
                    self.fault()
                    line.close()
                    continue
                line.setblocking(False)
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
                self._listeners[line] = whom

    def _let_go(self, line: socket.socket) -> None:
        self._listeners.pop(line)
        line.close()

    def close(self) -> None:
        for line in list(self._listeners):
            self._let_go(line)
        self._socket.close()
