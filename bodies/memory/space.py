"""Interface of a workspace for snapshots and refusals."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..model import Model
from .elimination import Elimination


class Space(Protocol):
    """Arrays of one run by path, its model and its elimination order."""

    model: Model
    plan: Elimination
    F: np.ndarray
    N: np.ndarray

    @property
    def machine(self) -> Any:
        """Records of the step."""
        ...

    def f(self, path: str) -> np.ndarray:
        """Float array of a path."""
        ...

    def i(self, path: str) -> np.ndarray:
        """Integer array of a path."""
        ...

    def contact(self) -> Any:
        """Arrays of the contact of wheels on soil."""
        ...

    def install(self, plan: Elimination) -> None:
        """Allocate the tables and panels of an elimination order."""
        ...
