"""What forces that are no rows share: they act on a body or on a joint coordinate."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..checks import checked
from ..kernels.codes import FORCES


@checked
class Force:
    """A force on a body or coordinate, whichever of the fields ``body`` and ``joint`` it has."""

    name: str

    kind: ClassVar[int] = -1  # place in the table of forces, ``kernels/codes.py``

    def __init_subclass__(cls) -> None:
        room, _, file = cls.__module__.rpartition(".")
        if room == __package__:
            cls.kind = FORCES.index(file)

    @property
    def who(self) -> str:
        """How messages name this force."""
        return f"{type(self).__name__.lower()} {self.name!r}"

    def numbers(self) -> tuple[float, ...]:
        """Up to seven parameters that its kernels read."""
        return ()

    def numbers_on(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        """The same, of a force on a body that lies at ``centre`` [m] with ``axes`` when described."""
        return self.numbers()

    def signals(self) -> dict[str, Any]:
        """The signal it listens to, if any, by the name of its field."""
        return {}
