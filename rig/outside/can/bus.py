"""CAN bus with permissions: simulated buses for all messages, real ones for listening by default."""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Callable
from typing import Any

from mlcp import renamed
from mlcp.checks import shown
from mlcp.neighbours import need

from ...errors import RigError
from .address import parts

#: Interfaces of python-can without hardware.
SIMULATED = ("virtual", "socketcand")
#: Parameter groups that can move a machine: guidance command (PGN 44288), and tracking errors for the
#: steering (PGN 61184, proprietary).
STEERING = (0xAD00, 0xEF00)


class BusGone(RigError):
    """Error of a bus that has failed after it was opened."""


def _gone(error: Exception) -> BusGone:
    """``BusGone`` with the first line of an error of python-can, which may include a traceback."""
    return BusGone(f"the bus has gone: {str(error).partition('Traceback')[0].strip()}")


class CanBus:
    """Bus of python-can that sends permitted messages only.

    Arguments:
        interface: interface of python-can: "virtual" within a process, "socketcand" on a hub (a real bus
            if the hub is on another computer), "socketcan" and others for hardware.
        channel: channel of the interface.
        transmit: permission to send on a real bus.
        allow_steering: permission to send messages that could steer a real machine.
        options: options of python-can's interface.

    Raises:
        RigError: a bus that python-can cannot open, or a port without a hub.
    """

    def __init__(
        self, interface: str = "virtual", channel: str = "rig", *, transmit: bool = False,
        allow_steering: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        can = need("can", "the CAN bus", "can")
        log = logging.getLogger("can")
        if log.level == logging.NOTSET:
            log.setLevel(logging.CRITICAL)  # no line for each bad frame; failures raise BusGone
        host = options.get("host", "127.0.0.1")
        self.real: bool = interface not in SIMULATED or host not in ("127.0.0.1", "::1", "localhost")
        self.transmit: bool = transmit or not self.real
        self.allow_steering: bool = allow_steering or not self.real
        try:
            if interface == "socketcand" and "port" in options:
                # check first: without a server python-can retries for ten seconds
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
        """Send a frame; RigError without permission, BusGone for a failed bus."""
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
        """Received frames, at most 1000, without waiting; BusGone for a failed bus."""
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
        """Close the bus."""
        with contextlib.suppress(*self._broken):
            self._bus.shutdown()

    def __enter__(self) -> CanBus:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


__getattr__: Callable[[str], Any] = renamed.names(__name__, Bus="CanBus")
