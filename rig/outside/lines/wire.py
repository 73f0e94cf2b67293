"""Wire: bytes out and in over UDP, TCP or serial; a broken one is counted and opened again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

#: Largest datagram, and most that is taken of a stream at a time [bytes].
LARGEST = 1 << 11


class Wire(ABC):
    """Bytes out and in, without waiting.

    ``faults`` counts failed sends and receives, ``name`` is the text of the option.
    """

    def __init__(self, name: str) -> None:
        self.name: str = name
        self.faults: int = 0

    def fault(self) -> None:
        """Count one."""
        self.faults += 1

    @property
    def address(self) -> str:
        """Of this end, as numbers; of none but UDP."""
        return "0.0.0.0"

    @abstractmethod
    def send(self, what: bytes) -> None:
        """Send."""

    @abstractmethod
    def receive(self) -> list[tuple[Any, bytes]]:
        """Sender and bytes of every datagram received."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""
