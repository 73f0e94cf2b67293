"""What snapshots and refusals need of a workspace."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..model import Model
from .elimination import Elimination


class Space(Protocol):
    """Arrays of one run by their paths, its model and its elimination order."""

    model: Model
    plan: Elimination
    F: np.ndarray
    N: np.ndarray

    @property
    def machine(self) -> Any:
        """The records of the step."""
        ...

    def f(self, path: str) -> np.ndarray:
        """A float array."""
        ...

    def i(self, path: str) -> np.ndarray:
        """An array of integers."""
        ...

    def contact(self) -> Any:
        """The arrays of the soft wheels' contact."""
        ...

    def install(self, plan: Elimination) -> None:
        """Make room for the tables and panels of an elimination order."""
        ...
