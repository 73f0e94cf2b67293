"""Base class of the forces that are not rows: they act on a body or on a joint coordinate."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..checks import checked
from ..kernels.codes import FORCES


@checked
class Force:
    """A force on a body (field ``body``) or on a joint coordinate (field ``joint``)."""

    name: str

    kind: ClassVar[int] = -1  # place in the table of forces, ``kernels/codes.py``

    def __init_subclass__(cls) -> None:
        room, _, file = cls.__module__.rpartition(".")
        if room == __package__:
            cls.kind = FORCES.index(file)

    @property
    def who(self) -> str:
        """Name of this force in messages."""
        return f"{type(self).__name__.lower()} {self.name!r}"

    def numbers(self) -> tuple[float, ...]:
        """Up to seven parameters for its kernels."""
        return ()

    def numbers_on(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        """Parameters in the axes of the body, whose described pose is ``centre`` [m] and ``axes``."""
        return self.numbers()

    def signals(self) -> dict[str, Any]:
        """Input signal of the element, if any, by the name of its field."""
        return {}
