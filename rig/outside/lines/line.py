"""Line: a protocol on its wire or bus, run by the front's process."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..geodesy import Origin


@dataclass(frozen=True)
class Place:
    """Data of the rig that all lines use.

    Arguments:
        origin: of the rig's world on the ellipsoid.
        begun: UTC at the rig's time 0.
        receiver: the rig has a receiver, whose fix is sent instead of the true position.
        wheelbase: of the machine [m].
        tick: of the rig [s].
    """

    origin: Origin
    begun: dt.datetime
    receiver: bool = False
    wheelbase: float = 2.9
    tick: float = 0.01


class Line(ABC):
    """Called once a tick, and whenever something may have come in.

    ``gives`` names the signals that it may give, ``name`` is how sentences call it.
    """

    name: str
    gives: tuple[str, ...] = ()

    @abstractmethod
    def take(self, now: float) -> None:
        """Read the bytes received, at the rig's time [s]."""

    @abstractmethod
    def signals(self, now: float, engage: bool) -> dict[str, float]:
        """Signals for the rig at its time [s]; ``engage``: the operator's switch."""

    @abstractmethod
    def send(self, now: float, signals: Callable[[str], Any], engage: bool) -> None:
        """Send the messages due at the rig's time [s]; ``signals`` gives a signal by name."""

    def frames(self) -> list[tuple[int, bytes]]:
        """Frames of a bus that came in since the last call, for the journal."""
        return []

    @abstractmethod
    def summary(self) -> str:
        """How it went, in a few words."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""
