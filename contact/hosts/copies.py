"""Copy and pickle adapters to other multibody codes (hosts) by constructing them anew.

Compiled steps use addresses of memory, which are valid only for the original object and its process.
So a copy is constructed from the same arguments, with memory of its own, and its arrays are filled with
the contents of the original's arrays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from numpy.typing import NDArray


class HostError(ValueError):
    """Invalid input from a host; forces and state stay unchanged in the adapter and in the host."""


def made_again(kind: type, arguments: tuple[Any, ...], settings: dict[str, Any], contents: Any) -> Any:
    """Construct an adapter of class ``kind``; fill its arrays with the ``contents`` of another."""
    made = kind(*arguments, **settings)
    made.fill(contents)
    return made


class Copied(ABC):
    """Base class of adapters that are copied and pickled by constructing them anew."""

    def __reduce__(self) -> tuple[Any, ...]:
        arguments, settings = self.made_of()
        return made_again, (type(self), arguments, settings, self.contents())

    @abstractmethod
    def made_of(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments and settings with which the constructor makes a copy."""

    @abstractmethod
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Arrays whose contents a copy takes over."""

    def contents(self) -> tuple[NDArray[Any], ...]:
        """Copies of the contents of this object's arrays."""
        return tuple(array.copy() for array in self.arrays())

    def fill(self, contents: tuple[NDArray[Any], ...]) -> None:
        """Fill this object's arrays with the ``contents`` of another."""
        for own, theirs in zip(self.arrays(), contents, strict=True):
            own[...] = theirs


class Unique:
    """Base class of adapters that cannot be copied, since the host's objects cannot be copied."""

    def __reduce__(self) -> tuple[Any, ...]:
        raise HostError(
            f"{type(self).__name__}: its host cannot be copied or pickled, and so neither can it; "
            "construct the host and its adapter again"
        )
