"""Sources for ``select``: lines of JSON down a pipe, and a bell that another thread rings."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from typing import Any


class Pipe:
    """Lines of JSON from the simulation, without waiting for one."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._have = descriptor, bytearray()
        self.ended: bool = False

    def fileno(self) -> int:
        """For ``select``."""
        return self._descriptor

    def first(self) -> dict[str, Any]:
        """The first line, waited for."""
        while not self.ended and (found := next(self.lines(), None)) is None:
            self.read()
        return {} if self.ended else found

    def read(self) -> None:
        """Read the bytes received; waits if there are none."""
        more = os.read(self._descriptor, 1 << 20)
        self.ended = not more
        self._have += more

    def lines(self) -> Iterator[dict[str, Any]]:
        """The whole lines that were read."""
        while (end := self._have.find(b"\n")) >= 0:
            line = bytes(self._have[:end])
            del self._have[: end + 1]
            yield json.loads(line)


class Bell:
    """Wakes who waits in ``select`` from another thread."""

    def __init__(self) -> None:
        self._cord, self._ear = socket.socketpair()
        self._cord.setblocking(False)
        self._ear.setblocking(False)

    def fileno(self) -> int:
        """For ``select``."""
        return self._ear.fileno()

    def ring(self) -> None:
        """Wake who waits; where it has been rung often already, it will be."""
        with contextlib.suppress(OSError):
            self._cord.send(b"!")

    def clear(self) -> None:
        """It is silent until the next ring."""
        with contextlib.suppress(OSError):
            self._ear.recv(1 << 12)

    def close(self) -> None:
        """No ring is heard any more."""
        self._cord.close()
        self._ear.close()
