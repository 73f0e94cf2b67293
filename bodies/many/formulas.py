"""Numbers of a compiled model as formulas of its parameters."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .parameter_names import Floats
from .traced import Tape

Key = tuple[str, int]  # array of a model, and index in it
# For each vehicle, the numbers of its compiled model that differ from those of the unchanged model.
Compiled = Mapping[int, Mapping[Key, float]]


@dataclass(frozen=True)
class Formulas:
    """The numbers of a compiled model that change with its parameters, as functions of the parameters.

    Attributes:
        keys: array and index of each number.
        found: for each number its place on the tape (an int), its constant value (a float), or None if
            it belongs to a table of the normal force.
        tape: recorded operations, see :class:`~bodies.many.traced.Tape`.
        low, high: range of each parameter over which the formulas were checked.
    """

    keys: list[Key]
    found: list[int | float | None]
    tape: Tape
    low: Floats
    high: Floats

    @functools.cached_property
    def in_tables(self) -> list[int]:
        """Positions in ``keys`` of the numbers that belong to tables of the normal force."""
        return [j for j, k in enumerate(self.found) if k is None]

    @functools.cached_property
    def _on_tape(self) -> dict[int, list[int]]:
        """For each used place on the tape, the positions in ``keys`` of the numbers evaluated there."""
        found: dict[int, list[int]] = {}
        for j, k in enumerate(self.found):
            if isinstance(k, int):
                found.setdefault(k, []).append(j)
        return found

    @functools.cached_property
    def _constants(self) -> Floats:
        """Constant value of each number, (keys,); NaN for a number on the tape or in a table."""
        return np.array([k if isinstance(k, float) else np.nan for k in self.found])

    def covers(self, i: int, value: float) -> bool:
        """Whether a value of parameter i is in the checked range."""
        return bool(self.low[i] <= value <= self.high[i])

    def widened(
        self, columns: Sequence[Floats], compiled: Compiled, right: Callable[..., Floats]
    ) -> Formulas | None:
        """Formulas for a range widened to the parameter values ``columns``; None if they contradict a
        vehicle that was compiled in full, or if a parameter varies that was not traced.

        ``compiled``: for each such vehicle, its numbers that differ from the unchanged model; ``right``:
        function of keys and these numbers that returns the vehicle's numbers at the keys.
        """
        low = np.minimum(self.low, [c.min() for c in columns])
        high = np.maximum(self.high, [c.max() for c in columns])
        # a parameter with the same value in all vehicles up to now has not been traced
        if ((self.low == self.high) & (low < high)).any():
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
        """Numbers (n, keys) of n vehicles, NaN in tables of the normal force, and whether the conditions
        of the tape hold for each vehicle, (n,).

        ``columns``: values of each parameter, (n,).
        """
        results, valid_rows = self.tape.evaluate(columns, sorted(self._on_tape))
        values = np.tile(self._constants, (len(columns[0]), 1))
        for k, column in zip(sorted(self._on_tape), results, strict=True):
            values[:, self._on_tape[k]] = column[:, None]
        return values, valid_rows
