"""UDP: datagrams to an address, and from whoever answers."""

from __future__ import annotations

import socket
from typing import Any

from ...errors import RigError
from .wire import LARGEST, Wire

#: Most datagrams that are taken at a time.
MOST = 100


class Udp(Wire):
    """Datagrams to an address and, where there is a port to listen on, from anybody there.

    Arguments:
        host: to send to; where it is this computer, nothing is heard from beyond it.
        port: to send to, 1 to 65535.
        listen: port to listen on; 0: none of its own, answers come back nonetheless.

    Raises:
        RigError: no such address, or a port that is taken.
    """

    def __init__(self, host: str, port: int, listen: int = 0) -> None:
        super().__init__(f"udp:{host}:{port}")
        try:
            self._to = (socket.gethostbyname(host), port)
        except OSError as error:
            raise RigError(f"no host {host!r}: {error.strerror or error}") from None
        own = "127.0.0.1" if self._to[0].startswith("127.") else "0.0.0.0"
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            self._socket.bind((own, listen))
        except OSError as error:
            self._socket.close()
            raise RigError(f"UDP port {listen} of {own} is not free: {error.strerror}") from None
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]

    @property
    def address(self) -> str:
        """Of this end, as who is sent to sees it."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:  # sends nothing
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            try:
                probe.connect(self._to)
            except OSError:
                return super().address
            return probe.getsockname()[0]

    def send(self, what: bytes) -> None:
        """One datagram; nobody need be there."""
        try:
            self._socket.sendto(what, self._to)
        except OSError:
            self.fault()

    def receive(self) -> list[tuple[Any, bytes]]:
        """Datagrams that have come in; those that are too long are cut."""
        found = []
        for _ in range(MOST):
            try:
                received, whom = self._socket.recvfrom(LARGEST)
            except BlockingIOError:
                break
            except OSError:  # "nobody there" of an earlier datagram
                self.fault()
                continue
            found.append((whom, received))
        return found

    def close(self) -> None:
        """Close it."""
        self._socket.close()
