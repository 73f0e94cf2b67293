"""Copies and pickles of host objects: made anew, with memory of their own.

Compiled steps follow addresses, and a copied address still leads to the original's memory, or in another
process to nobody's. So a host object is copied as what it was made of and what its arrays hold.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class HostError(ValueError):
    """What a host handed over cannot be used; neither results nor state have changed, here or there."""


def made_again(kind: type, arguments: tuple[Any, ...], settings: dict[str, Any], held: Any) -> Any:
    """Make a host object and fill its arrays with what another's held."""
    made = kind(*arguments, **settings)
    made.fill(held)
    return made


class Copied(ABC):
    """A host object that is copied and pickled by making it again."""

    def __reduce__(self) -> tuple[Any, ...]:
        arguments, settings = self.made_of()
        return made_again, (type(self), arguments, settings, self.held())

    @abstractmethod
    def made_of(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments and settings of the constructor that makes another."""

    @abstractmethod
    def held(self) -> Any:
        """Copies of what its arrays hold."""

    @abstractmethod
    def fill(self, held: Any) -> None:
        """Take over what another's arrays held."""


class Unique:
    """A host object that belongs to a host which cannot be copied."""

    def __reduce__(self) -> tuple[Any, ...]:
        raise HostError(
            f"{type(self).__name__}: its host cannot be copied or pickled, nor can it be; describe the "
            "host again in the other process and make another"
        )
