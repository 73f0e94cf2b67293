"""The state: all data that determine the rest of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mlcp.writing import written

from . import checks
from .checks import checked

BROKEN = Exception  # a damaged file can raise any exception in NumPy's reader


@checked.explained
@dataclass(frozen=True, eq=False)
class State:
    """A snapshot from which a run continues bit for bit.

    It fits models of the same structure (names, joints, contacts, inputs). Gravity, masses and soils
    belong to the model, step length, tolerance and solver to the run. In a run with another step
    length the impulses of the last step are scaled to the same forces.

    Attributes:
        floats: state arrays of the float workspace [SI], concatenated (``kernels/data``: positions,
            quaternions, velocities, coordinates with their turns, inputs, last impulses...).
        ints: state arrays of the int workspace (counters, active sets).
        order: (nodes,) present elimination order; a run may renew it.
        scale: (2 rows,) its pivot floors and sizes; pivot: the smallest planned pivot [-].
        model: digest of the model's structure, :attr:`bodies.Model.digest`.
    """

    floats: np.ndarray
    ints: np.ndarray
    order: np.ndarray
    scale: np.ndarray
    pivot: float
    model: str

    def __repr__(self) -> str:
        return (
            f"State of a model {self.model[:8]}: {self.floats.size} numbers, {self.ints.size} counters"
        )

    @checked
    def save(self, path: str | Path) -> None:
        """Write the state to a NumPy ``.npz`` file of exactly this name."""
        # an open file, since NumPy appends ".npz" to names without it
        with written(path) as place, open(place, "wb") as file:
            arrays: dict[str, Any] = {**self.arrays()}
            np.savez(file, **arrays)

    @classmethod
    @checked
    def load(cls, path: str | Path) -> State:
        """Read a state written by :meth:`save`.

        Raises:
            MechanismError: a damaged file, or not a saved state. FileNotFoundError: no such file.
        """
        who = f"state {str(path)!r}"
        with open(path, "rb") as file:
            try:
                data = np.load(file, allow_pickle=False)
                arrays = {name: data[name] for name in ARRAYS}
            except BROKEN:
                raise checks.MechanismError(
                    f"{who}: not a file that State.save wrote, or a torn one."
                ) from None
        return cls.of(who, arrays)

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays for a file, by name."""
        return {name: np.asarray(getattr(self, name)) for name in ARRAYS}

    @classmethod
    def of(cls, who: str, arrays: dict[str, np.ndarray]) -> State:
        """State from a file's arrays, with their types checked."""
        taken: dict[str, Any] = {name: arrays[name] for name in ARRAYS}
        for name in ("pivot", "model"):
            taken[name] = taken[name].item() if taken[name].ndim == 0 else None
        state = cls(**taken)
        state.check(who)
        return state

    def check(self, who: str) -> None:
        """Refuse attributes of wrong types; ``who`` starts the sentence.

        Raises:
            MechanismError: naming the attribute.
        """
        for name, kind in ARRAYS.items():
            value = getattr(self, name)
            right = isinstance(value, np.ndarray) and value.dtype == kind and value.ndim == 1
            if not (isinstance(value, kind) if kind in (float, str) else right):
                raise checks.MechanismError(f"{who}: {name!r} is not what a state holds; it is damaged.")


#: Type of each attribute: element type of a flat array, or float or str.
ARRAYS = {
    "floats": np.float64, "ints": np.int64, "order": np.int64, "scale": np.float64, "pivot": float,
    "model": str,
}  # fmt: skip
