"""Base of the data lines: connections of a rig with other programs, each a protocol on a wire or bus."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..geodesy import Origin


@dataclass(frozen=True)
class Place:
    """Data of the rig that all data lines use.

    Arguments:
        origin: geographic origin of the rig's world.
        begun: UTC at the rig's time 0.
        receiver: True: the rig has a receiver; its fix is sent instead of the true position.
        wheelbase: wheelbase of the machine [m].
        tick: tick of the rig [s].
    """

    origin: Origin
    begun: dt.datetime
    receiver: bool = False
    wheelbase: float = 2.9
    tick: float = 0.01


class DataLine(ABC):
    """Base of a data line; its methods are called once a tick: take, signals, send, frames.

    ``gives``: names of the signals that it may provide. ``name``: its name in messages.
    """

    name: str
    gives: tuple[str, ...] = ()

    @abstractmethod
    def take(self, now: float) -> None:
        """Read the received bytes, at the rig's time [s]."""

    @abstractmethod
    def signals(self, now: float, engage: bool) -> dict[str, float]:
        """Signals for the rig at its time [s]; ``engage``: state of the operator's switch."""

    @abstractmethod
    def send(self, now: float, signals: Callable[[str], Any], engage: bool) -> None:
        """Send the messages due at the rig's time [s]; ``signals``: function from name to value."""

    def frames(self) -> list[tuple[int, bytes]]:
        """CAN frames received since the last call, for the journal."""
        return []

    @abstractmethod
    def summary(self) -> str:
        """State of the data line and counts of messages or faults, as text."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""
