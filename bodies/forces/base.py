"""Base class of explicit forces (without a constraint row) on a body or on a joint coordinate."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..checks import checked
from ..kernels.codes import FORCES


@checked
class Force:
    """A force on a body (field ``body``) or on a joint coordinate (field ``joint``)."""

    name: str

    kind: ClassVar[int] = -1  # index in the table ``FORCES`` of ``kernels/codes.py``

    def __init_subclass__(cls) -> None:
        room, _, file = cls.__module__.rpartition(".")
        if room == __package__:
            cls.kind = FORCES.index(file)

    @property
    def who(self) -> str:
        """Name of this force in messages."""
        return f"{type(self).__name__.lower()} {self.name!r}"

    def numbers(self) -> tuple[float, ...]:
        """Parameters of the force for its kernels, at most seven."""
        return ()

    def numbers_on(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        """Parameters of the force, with points and directions in the axes of its body.

        ``centre`` [m], ``axes``: pose of the body in the description.
        """
        return self.numbers()

    def signals(self) -> dict[str, Any]:
        """Input signal of the force by the name of its field; empty without one."""
        return {}
