"""Lines of JSON from and to the parent process, and a wake-up from another thread, for ``select``."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from typing import Any


def answer(reply: dict[str, Any]) -> None:
    """Send a line of JSON to the parent process, if it still runs."""
    with contextlib.suppress(OSError):
        os.write(1, json.dumps(reply).encode() + b"\n")


class Pipe:
    """Reader of JSON lines from the simulation's pipe; incomplete lines are stored."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._have = descriptor, bytearray()
        self.ended: bool = False

    def fileno(self) -> int:
        """File descriptor of the pipe, for ``select.select``."""
        return self._descriptor

    def first(self) -> dict[str, Any]:
        """Wait for the first line and return it; empty if the pipe has ended."""
        while not self.ended and (found := next(self.lines(), None)) is None:
            self.read()
        return {} if self.ended else found

    def read(self) -> None:
        """Read the available bytes; blocks if there are none."""
        more = os.read(self._descriptor, 1 << 20)
        self.ended = not more
        self._have += more

    def lines(self) -> Iterator[dict[str, Any]]:
        """Complete lines read so far, each returned once."""
        while (end := self._have.find(b"\n")) >= 0:
            line = bytes(self._have[:end])
            del self._have[: end + 1]
            yield json.loads(line)


class Bell:
    """Wake-up of a thread in ``select.select`` by another thread, over a pair of sockets."""

    def __init__(self) -> None:
        self._cord, self._ear = socket.socketpair()
        self._cord.setblocking(False)
        self._ear.setblocking(False)

    def fileno(self) -> int:
        """File descriptor of the receiving end, for ``select.select``."""
        return self._ear.fileno()

    def ring(self) -> None:
        """Wake the waiting thread; a full buffer is ignored, since the thread then wakes anyway."""
        with contextlib.suppress(OSError):
            self._cord.send(b"!")

    def clear(self) -> None:
        """Read the pending wake-ups."""
        with contextlib.suppress(OSError):
            self._ear.recv(1 << 12)

    def close(self) -> None:
        """Close both sockets."""
        self._cord.close()
        self._ear.close()
