"""Opening a bus: a simulated one for sending, a real one for listening unless allowed otherwise."""

from __future__ import annotations

import contextlib
import logging
import socket
from typing import Any

from mlcp.checks import shown
from mlcp.neighbours import need

from ...errors import RigError
from .address import parts

#: Interfaces of python-can that reach no wire.
SIMULATED = ("virtual", "socketcand")
#: Parameter groups that can move a machine: a guidance command, and errors that a steering controller
#: follows.
STEERING = (0xAD00, 0xEF00)


class BusGone(RigError):
    """A bus that was open and no longer is."""


def _gone(error: Exception) -> BusGone:
    """In one sentence; python-can's may carry a traceback."""
    return BusGone(f"the bus has gone: {str(error).partition('Traceback')[0].strip()}")


class Bus:
    """A python-can bus that sends allowed messages only.

    Arguments:
        interface: of python-can: "virtual" within a process, "socketcand" on a hub, "socketcan" and the
            others for hardware.
        channel: of the interface.
        transmit: may send on a real bus.
        allow_steering: allow messages that could steer a real machine.
        options: of the interface, as python-can has them.

    Raises:
        RigError: python-can cannot open it; the host of a hub is not this computer.
    """

    def __init__(
        self, interface: str = "virtual", channel: str = "rig", *, transmit: bool = False,
        allow_steering: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        can = need("can", "the CAN bus", "can")
        log = logging.getLogger("can")
        if log.level == logging.NOTSET:
            log.setLevel(logging.CRITICAL)  # a line for each bad frame; a bus that fails is a BusGone
        host = options.get("host", "127.0.0.1")
        self.real: bool = interface not in SIMULATED or host not in ("127.0.0.1", "::1", "localhost")
        self.transmit: bool = transmit or not self.real
        self.allow_steering: bool = allow_steering or not self.real
        try:
            if interface == "socketcand" and "port" in options:
                # without a server the library would retry for ten seconds
                try:
                    socket.create_connection((host, options["port"]), 0.5).close()
                except ConnectionRefusedError:
                    raise ValueError(f"no hub is on port {options['port']}") from None
            self._bus = can.Bus(interface=interface, channel=channel, **options)
        except (can.CanError, OSError, ValueError, TypeError, ImportError) as error:
            raise RigError(f"bus {shown(interface)}, channel {shown(channel)}: {error}") from None
        self._message = can.Message
        self._broken = (can.CanError, OSError, ValueError)

    def send(self, can_id: int, data: bytes) -> None:
        """Send a frame; RigError where this bus may not, BusGone where there is none any more."""
        if not self.transmit:
            raise RigError(
                "this bus is real and only listened to: a frame too many can stop a machine; "
                "open it with transmit=True to send"
            )
        if parts(can_id)[0] in STEERING and not self.allow_steering:
            raise RigError(
                "this frame could steer a real machine; open the bus with allow_steering=True only "
                "where nobody can be hurt"
            )
        try:
            self._bus.send(self._message(arbitration_id=can_id, data=data, is_extended_id=True))
        except self._broken as error:
            raise _gone(error) from None

    def receive(self) -> list[tuple[int, bytes]]:
        """Everything that has come in, without waiting; at most 1000 frames. BusGone: there is none."""
        found = []
        for _ in range(1000):
            try:
                message = self._bus.recv(0.0)
            except self._broken as error:
                raise _gone(error) from None
            if message is None:
                break
            if message.is_extended_id and not message.is_error_frame:
                found.append((int(message.arbitration_id), bytes(message.data)))
        return found

    def close(self) -> None:
        """Let go of it."""
        with contextlib.suppress(*self._broken):
            self._bus.shutdown()

    def __enter__(self) -> Bus:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
