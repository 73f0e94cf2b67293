"""Data line of ISO 11783: the gateway of a rig on a CAN bus, or on a hub that the line opens."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ...errors import RigError
from ..can.bus import BusGone, CanBus
from ..can.gateway import Gateway
from ..can.hub import Hub
from .line import DataLine, Place
from .opening import number

#: Time between two attempts to reopen a failed bus [s].
AGAIN = 1.0


class Isobus(DataLine):
    """Gateway of a rig on a bus of python-can.

    Arguments:
        text: ``hub`` or ``hub:PORT``: a new bus on the loopback for other programs;
            ``socketcand:PORT``: the hub of another program; else ``INTERFACE:CHANNEL`` of python-can,
            such as ``socketcan:can0``.
        place: data of the rig.
        transmit: permission to send on a real bus; False: listen only.
        options: options of python-can's interface.

    Raises:
        RigError: a bus that cannot be opened.
    """

    gives: tuple[str, ...] = ("curvature_command", "engaged", "off_track", "heading_error")

    def __init__(self, text: str, place: Place, *, transmit: bool = False, **options: Any) -> None:
        kind, _, channel = text.partition(":")
        self._hub: Hub | None = None
        self.port: int = -1
        if kind == "hub":
            wanted = number(channel, "port", 0, 65535) if channel else 0
            self._hub = Hub(wanted).__enter__()
            self.port = self._hub.port
            kind, channel = "socketcand", str(self.port)
        if kind == "socketcand" and channel.isdigit():
            options = {"host": "127.0.0.1", "port": number(channel, "port", 1, 65535), **options}
            channel = "rig"
        self._open = lambda: CanBus(kind, channel or "rig", transmit=transmit, **options)
        try:
            self._bus: CanBus | None = self._open()
        except RigError:
            self._end_hub()
            raise
        self.name: str = f"ISO 11783 on {text}"
        self.real: bool = self._bus.real
        self.silent: bool = not self._bus.transmit
        self.gateway: Gateway = Gateway(
            place.origin, place.begun, receiver=place.receiver, tick=place.tick
        )
        self.faults: int = 0
        self._tried = 0.0
        self._came: list[tuple[int, bytes]] = []

    def _there(self) -> CanBus | None:
        if self._bus is None and time.monotonic() - self._tried > AGAIN:
            self._tried = time.monotonic()
            try:
                self._bus = self._open()
            except RigError:
                self.faults += 1
        return self._bus

    def _gone(self) -> None:
        self.faults += 1
        self._tried = time.monotonic()
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def take(self, now: float) -> None:
        """Pass received frames to the gateway; a failed bus is reopened when possible."""
        bus = self._there()
        if bus is None:
            return
        try:
            frames = bus.receive()
        except BusGone:
            self._gone()
            return
        for can_id, data in frames:
            self.gateway.receive(can_id, data, now)
        self._came = (self._came + frames)[-10_000:]

    def signals(self, now: float, engage: bool) -> dict[str, float]:
        """Signals of the gateway for the rig."""
        return self.gateway.outside(now, engage)

    def send(self, now: float, signals: Callable[[str], Any], engage: bool) -> None:
        """Send the frames that are due; none without permission to send."""
        frames = self.gateway.send(now, signals, engage)
        bus = self._there()
        if self.silent or bus is None:
            return
        try:
            for can_id, data in frames:
                bus.send(can_id, data)
        except BusGone:
            self._gone()

    def frames(self) -> list[tuple[int, bytes]]:
        """Frames received since the last call."""
        came, self._came = self._came, []
        return came

    def summary(self) -> str:
        """State of the gateway and counts of refused frames and faults, as text."""
        only = " (only listened to)" if self.silent else ""
        gate = self.gateway
        return f"{self.name}{only}: {gate.state}, {gate.refused} refused, {self.faults} faults"

    def close(self) -> None:
        """Close the bus, and the hub if this line has opened one."""
        if self._bus is not None:
            self._bus.close()
        self._end_hub()

    def _end_hub(self) -> None:
        if self._hub is not None:
            self._hub.__exit__()
