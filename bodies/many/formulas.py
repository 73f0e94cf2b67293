"""Numbers of a compiled model as formulas of its parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .parameter_names import Floats
from .traced import Tape

Key = tuple[str, int]  # array of a model, and index in it
Compiled = Mapping[int, Mapping[Key, float]]  # changed numbers of compiled vehicles


@dataclass(frozen=True)
class Formulas:
    """Changed numbers of a model as functions of its parameters.

    Attributes:
        keys: of the numbers.
        found: for each its number on the tape (an int), a constant (a float), or None: of a table.
        low, high: range of each parameter, over which the formulas were checked.
    """

    keys: list[Key]
    found: list[int | float | None]
    tape: Tape
    low: Floats
    high: Floats

    @property
    def tables(self) -> bool:
        """Whether tables of the normal force are among the numbers."""
        return None in self.found

    def covers(self, i: int, value: float) -> bool:
        """Whether a value of parameter i is in the checked range."""
        return bool(self.low[i] <= value <= self.high[i])

    def widened(
        self, columns: Sequence[Floats], compiled: Compiled, right: Callable[..., Floats]
    ) -> Formulas | None:
        """Formulas for a wider range, checked against compiled vehicles; None: they do not hold."""
        low = np.minimum(self.low, [c.min() for c in columns])
        high = np.maximum(self.high, [c.max() for c in columns])
        if ((self.low == self.high) & (low < high)).any():  # this parameter was a constant
            return None
        rows = sorted(compiled)
        values, valid_rows = self.evaluate([c[rows] for c in columns])
        known = np.array([k is not None for k in self.found], bool)
        for j, mine, valid in zip(rows, values, valid_rows, strict=True):
            if not compiled[j].keys() <= set(self.keys) or (
                valid and not np.array_equal(mine[known], right(self.keys, compiled[j])[known])
            ):
                return None
        return dataclasses.replace(self, low=low, high=high)

    def evaluate(self, columns: Sequence[Floats]) -> tuple[Floats, NDArray[np.bool_]]:
        """Numbers (n, keys), and whether their conditions hold, for parameters (n,) each."""
        wanted = sorted({k for k in self.found if isinstance(k, int)})
        results, valid_rows = self.tape.evaluate(columns, wanted)
        by_number = dict(zip(wanted, results, strict=True))
        values = np.empty((len(columns[0]), len(self.keys)))
        for i, k in enumerate(self.found):
            values[:, i] = by_number[k] if isinstance(k, int) else np.nan if k is None else k
        return values, valid_rows
