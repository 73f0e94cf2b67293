"""Interface of a workspace for the modules ``snapshot`` and ``refusal``."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..model import Model
from .elimination import Elimination


class Space(Protocol):
    """Memory of one run: arrays by path (name), the model and the elimination order."""

    model: Model
    plan: Elimination
    F: np.ndarray
    N: np.ndarray

    @property
    def machine(self) -> Any:
        """Records and arrays of the step with named fields, ``kernels.data.RunData``."""
        ...

    def f(self, path: str) -> np.ndarray:
        """Array of float64 with the name ``path`` in the workspace, flat."""
        ...

    def i(self, path: str) -> np.ndarray:
        """Array of int64 with the name ``path`` in the workspace, flat."""
        ...

    def contact(self) -> Any:
        """Arrays of the contact problem of wheels on soil."""
        ...

    def install(self, plan: Elimination) -> None:
        """Move all arrays to new memory, with the tables of an elimination order and zeroed factors."""
        ...
