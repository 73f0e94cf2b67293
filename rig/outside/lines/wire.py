"""Base of the wires: connections that send and receive bytes over UDP, TCP or a serial port."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

#: Largest datagram, and largest piece read from a stream at once [bytes].
LARGEST = 1 << 11


class Wire(ABC):
    """Base of a wire, which sends and receives bytes without waiting.

    ``faults``: count of failed sends and receives. ``name``: text from which it was opened.
    """

    def __init__(self, name: str) -> None:
        self.name: str = name
        self.faults: int = 0

    def fault(self) -> None:
        """Count a failed send or receive."""
        self.faults += 1

    @property
    def address(self) -> str:
        """IP address of this end; "0.0.0.0" except for UDP."""
        return "0.0.0.0"

    @abstractmethod
    def send(self, what: bytes) -> None:
        """Send bytes without waiting."""

    @abstractmethod
    def receive(self) -> list[tuple[Any, bytes]]:
        """Sender and bytes of every received datagram, or piece of a stream."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""
