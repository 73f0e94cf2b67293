"""Copies and pickles of adapters to other multibody codes (hosts): constructed anew, with own memory.

Compiled steps use addresses of memory, which are valid for the original object in its own process
only. So a copy is constructed from the same arguments, and its arrays are filled with the contents of
the original's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class HostError(ValueError):
    """Invalid input from a host; results and state are unchanged, here and in the host."""


def made_again(kind: type, arguments: tuple[Any, ...], settings: dict[str, Any], contents: Any) -> Any:
    """Construct a host object, and fill its arrays with the contents of another's."""
    made = kind(*arguments, **settings)
    made.fill(contents)
    return made


class Copied(ABC):
    """Base of host objects that are copied and pickled by construction."""

    def __reduce__(self) -> tuple[Any, ...]:
        arguments, settings = self.made_of()
        return made_again, (type(self), arguments, settings, self.contents())

    @abstractmethod
    def made_of(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments and settings of the constructor for a copy."""

    @abstractmethod
    def contents(self) -> Any:
        """Copies of the arrays' contents."""

    @abstractmethod
    def fill(self, contents: Any) -> None:
        """Fill the arrays with the contents of another object's arrays."""


class Unique:
    """Base of host objects that cannot be copied, since their host's objects cannot."""

    def __reduce__(self) -> tuple[Any, ...]:
        raise HostError(
            f"{type(self).__name__}: its host cannot be copied or pickled, nor can it be; describe the "
            "host again in the other process and make another"
        )
