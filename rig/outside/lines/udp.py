"""Connection (wire) over UDP: datagrams to one address, and from any sender."""

from __future__ import annotations

import socket
from typing import Any

from ...errors import RigError
from .wire import LARGEST, Wire

#: Largest number of datagrams in one call of ``receive``.
MOST = 100


class Udp(Wire):
    """UDP socket that sends to one address and receives from any sender.

    Arguments:
        host: host to send to; with a loopback address only this computer's datagrams are received.
        port: port to send to, 1 to 65535.
        listen: port to listen on; 0: a free one, on which answers are received.

    Raises:
        RigError: no such address, or a port in use.
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
        """IP address of this computer on the network through which ``host`` is reached."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:  # its connect() sends nothing
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            try:
                probe.connect(self._to)
            except OSError:
                return super().address
            return probe.getsockname()[0]

    def send(self, what: bytes) -> None:
        """Send one datagram, whether or not there is a receiver."""
        try:
            self._socket.sendto(what, self._to)
        except OSError:
            self.fault()

    def receive(self) -> list[tuple[Any, bytes]]:
        """Received datagrams, truncated to ``LARGEST`` bytes."""
        found = []
        for _ in range(MOST):
            try:
                received, whom = self._socket.recvfrom(LARGEST)
            except BlockingIOError:
                break
            except OSError:  # nobody has received an earlier datagram ("connection refused")
                self.fault()
                continue
            found.append((whom, received))
        return found

    def close(self) -> None:
        self._socket.close()
