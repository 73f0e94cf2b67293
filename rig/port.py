"""Port: an input or output of a block, with its unit, shape and range."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import numbers, shown

from .errors import RigError, checked


@dataclass(frozen=True)
@checked
class Port:
    """Unit, shape and range of one signal of a block.

    Arguments:
        unit: SI unit as text ("m/s", "rad"); "": none.
        shape: () for a number, (n,) for n of them.
        start: value before the first tick, broadcast to the shape [unit].
        low, high: range of every entry [unit].
        about: short description: axis, sign, frame.

    Raises:
        RigError: a start that does not fit the shape or lies out of the range.
    """

    unit: str = ""
    shape: tuple[int, ...] = ()
    start: float | tuple[float, ...] = 0.0
    low: float = -math.inf
    high: float = math.inf
    about: str = ""

    def __post_init__(self) -> None:
        if len(self.shape) > 1:
            raise RigError(f"shape = {self.shape} of a port must be () or (n,)")
        if not self.low <= self.high:
            raise RigError(f"the range [{self.low:g}, {self.high:g}] of a port is empty")
        self.value("a port's start", self.start)

    @property
    def size(self) -> int:
        """Count of the signal's numbers: 1, or n for the shape (n,)."""
        return math.prod(self.shape)

    def value(self, what: str, given: ArrayLike) -> NDArray[np.float64]:
        """``given`` as a flat array of ``size`` numbers [unit]; RigError for a mismatch."""
        if type(given) is float and self.shape == () and math.isfinite(given):
            if self.low <= given <= self.high:  # shortcut for numbers: the general case is slower
                return np.array([given])
        found = numbers(given)
        if found.shape not in ((), self.shape) or not np.isfinite(found).all():
            wanted = "a finite number" if self.size == 1 else f"{self.size} finite numbers"
            raise RigError(
                f"{what} = {shown(given)} must be {wanted}" + (f" [{self.unit}]" * bool(self.unit))
            )
        if ((found < self.low) | (found > self.high)).any():
            span = f"{self.low:g} to {self.high:g} {self.unit}".rstrip()
            raise RigError(f"{what} = {shown(given)} must be within {span}")
        return np.broadcast_to(found, self.shape).astype(float).ravel()
