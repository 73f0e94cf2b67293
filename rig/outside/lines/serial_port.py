"""Connection (wire) over a serial port, which is reopened after an interruption."""

from __future__ import annotations

import contextlib
import time
from typing import Any

from mlcp.neighbours import need

from ...errors import RigError
from .wire import LARGEST, Wire

#: Time between two attempts to reopen a lost serial port [s].
AGAIN = 1.0


class Serial(Wire):
    """Serial port, reopened after an interruption such as an unplugged cable.

    Arguments:
        device: device, such as /dev/ttyUSB0.
        baud: rate [bit/s].

    Raises:
        RigError: the port cannot be opened.
    """

    def __init__(self, device: str, baud: int = 38_400) -> None:
        super().__init__(f"serial:{device}:{baud}")
        self._serial = need("serial", "a serial line", "serial")
        self._device, self._baud = device, baud
        self._port: Any = None
        self._tried = -AGAIN
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
        """Write the bytes that the port accepts at once; a dropped rest is counted as a fault."""
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
        """Received bytes in one piece, at most ``LARGEST``."""
        if not self._there():
            return []
        try:
            received = self._port.read(LARGEST)
        except OSError:
            self._gone()
            return []
        return [(self._device, bytes(received))] if received else []

    def close(self) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None
