"""Wires: bytes over UDP or a serial port; what breaks is counted and opened again."""

from __future__ import annotations

import contextlib
import socket
import time
from abc import ABC, abstractmethod
from typing import Any

from mlcp.checks import shown

from ...errors import RigError
from ..need import need

#: Largest datagram, and most that is taken of a serial line at a time [bytes].
LARGEST = 1 << 11
#: Most datagrams that are taken at a time.
MOST = 100
#: A serial port that has gone is tried again after this [s].
AGAIN = 1.0


class Wire(ABC):
    """Bytes out and in, without waiting.

    ``faults`` counts what could not be sent or received, ``name`` is what was asked for.
    """

    def __init__(self, name: str) -> None:
        self.name: str = name
        self.faults: int = 0

    def fault(self) -> None:
        """Count one."""
        self.faults += 1

    @abstractmethod
    def send(self, what: bytes) -> None:
        """Send."""

    @abstractmethod
    def receive(self) -> list[tuple[Any, bytes]]:
        """What has come in: from whom, and the bytes; a piece for each datagram."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""


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


class Serial(Wire):
    """A serial port; one that goes away is opened again when it is back.

    Arguments:
        device: such as /dev/ttyUSB0.
        baud: bits a second.

    Raises:
        RigError: it cannot be opened.
    """

    def __init__(self, device: str, baud: int = 38_400) -> None:
        super().__init__(f"serial:{device}:{baud}")
        self._serial = need("serial", "a serial line")
        self._device, self._baud = device, baud
        self._port: Any = None
        self._tried = -AGAIN
        self._wanted = True
        try:
            self._open()
        except (OSError, ValueError) as error:
            raise RigError(f"{device} cannot be opened as a serial line: {error}") from None

    def _open(self) -> None:
        self._tried = time.monotonic()
        self._port = self._serial.Serial(self._device, self._baud, timeout=0.0, write_timeout=0.0)

    def _there(self) -> bool:
        if self._port is None and time.monotonic() - self._tried > AGAIN:
            with contextlib.suppress(OSError, ValueError):
                self._open()
        return self._port is not None

    def _gone(self) -> None:
        self.fault()
        port, self._port = self._port, None
        with contextlib.suppress(OSError):
            port.close()

    def send(self, what: bytes) -> None:
        """Bytes, as far as the port takes them now: what does not fit is dropped and counted."""
        if not self._there():
            return
        try:
            if self._port.write(what) != len(what):
                self.fault()
        except self._serial.SerialTimeoutException:
            self.fault()
        except OSError:
            self._gone()

    def receive(self) -> list[tuple[Any, bytes]]:
        """What has come in, in one piece."""
        if not self._there():
            return []
        try:
            received = self._port.read(LARGEST)
        except OSError:
            self._gone()
            return []
        return [(self._device, bytes(received))] if received else []

    def close(self) -> None:
        """Close it."""
        if self._port is not None:
            self._port.close()
            self._port = None


def number(text: str, what: str, least: int, most: int) -> int:
    """A whole number in a range; RigError says what it is of."""
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise RigError(f"{what} = {shown(text)} must be a whole number from {least} to {most}")
    return int(text)


def open_wire(text: str, *, port: int, listen: int = 0) -> Wire:
    """The wire of a text: ``udp``, ``udp:HOST``, ``udp:HOST:PORT``, ``serial:DEVICE`` or
    ``serial:DEVICE:BAUD``.

    Arguments:
        text: as above.
        port, listen: of UDP, where the text names none.

    Raises:
        RigError: another text, or what ``Udp`` and ``Serial`` raise.
    """
    kind, _, rest = text.partition(":")
    if kind == "udp":
        host, _, to = rest.partition(":")
        return Udp(host or "127.0.0.1", number(to, "port", 1, 65535) if to else port, listen)
    if kind == "serial" and rest:
        device, sign, baud = rest.rpartition(":")
        if sign and baud.isdigit():
            return Serial(device, number(baud, "baud", 50, 10_000_000))
        return Serial(rest)
    raise RigError(
        f"{text!r} is no wire; one is udp, udp:HOST:PORT, serial:DEVICE or serial:DEVICE:BAUD"
    )
