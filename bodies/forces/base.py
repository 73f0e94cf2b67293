"""Base class of explicit forces (without a constraint row) on a body or on a joint coordinate."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..body import GROUND
from ..checks import MechanismError, checked
from ..kernels.codes import FORCES
from ..signals import Controlled


@checked
class Force(Controlled):
    """A force on a body (field ``body``) or on a joint coordinate (field ``joint``).

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    kind: ClassVar[int] = -1  # index in the table ``FORCES`` of ``kernels/codes.py``

    def __init_subclass__(cls) -> None:
        room, _, file = cls.__module__.rpartition(".")
        if room == __package__:
            cls.kind = FORCES.index(file)

    def __post_init__(self) -> None:
        if getattr(self, "body", None) == GROUND:
            raise MechanismError(f"{self.who}: body must be one that moves, got 'ground'.")
        super().__post_init__()

    def numbers(self, centre: np.ndarray, axes: np.ndarray) -> tuple[float, ...]:
        """Parameters of the force for its kernels, at most seven; points and directions in the axes of
        its body.

        ``centre`` [m], ``axes``: pose of the body in the description.
        """
        return ()
