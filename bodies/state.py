"""The state: all data that determine the further steps of a run."""

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

    A state can be restored in models of the same structure (names, joints, contacts, inputs). Gravity,
    masses and soils are data of the model; step length, tolerance and solver are settings of the run. In
    a run with another step length the impulses of the last step are scaled to the same forces.

    Attributes:
        floats: floats of the state [SI], flat (see ``kernels/data``: positions, quaternions, velocities,
            joint angles counted over full turns, inputs, last impulses, ...).
        ints: integers of the state, flat (counters, active sets).
        order: present elimination order of the mass blocks and constraint groups, (nodes,); a run may
            choose a new one.
        scale: least compliance of each constraint row, then reference size of its pivot, (2 rows,).
        pivot: smallest scaled pivot when the order was chosen [-].
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
        # an open file instead of its name, since NumPy would append ".npz" to a name without it
        with written(path) as place, open(place, "wb") as file:
            arrays: dict[str, Any] = {**self.arrays()}
            np.savez(file, **arrays)

    @classmethod
    @checked
    def load(cls, path: str | Path) -> State:
        """Read a state written by :meth:`save`.

        Raises:
            MechanismError: a damaged file, or a file that is no saved state. FileNotFoundError: no such
                file.
        """
        who = f"state {str(path)!r}"
        with open(path, "rb") as file:
            try:
                data = np.load(file, allow_pickle=False)
                arrays = {name: data[name] for name in ARRAYS}
            except BROKEN:
                raise checks.MechanismError(
                    f"{who}: not a file that State.save wrote, or a damaged one."
                ) from None
        return cls.of(who, arrays)

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays for a file, by name."""
        return {name: np.asarray(getattr(self, name)) for name in ARRAYS}

    @classmethod
    def of(cls, who: str, arrays: dict[str, np.ndarray]) -> State:
        """State from the arrays of a file; their types are checked. ``who``: start of the message."""
        taken: dict[str, Any] = {name: arrays[name] for name in ARRAYS}
        for name in ("pivot", "model"):
            taken[name] = taken[name].item() if taken[name].ndim == 0 else None
        state = cls(**taken)
        state.check(who)
        return state

    def check(self, who: str) -> None:
        """Check the types of all attributes; ``who``: start of the message.

        Raises:
            MechanismError: naming the attribute of a wrong type.
        """
        for name, kind in ARRAYS.items():
            value = getattr(self, name)
            right = isinstance(value, np.ndarray) and value.dtype == kind and value.ndim == 1
            if not (isinstance(value, kind) if kind in (float, str) else right):
                raise checks.MechanismError(f"{who}: {name!r} is not of a state's type; it is damaged.")


#: Type of each attribute: element type of a flat array, or float or str.
ARRAYS = {
    "floats": np.float64,
    "ints": np.int64,
    "order": np.int64,
    "scale": np.float64,
    "pivot": float,
    "model": str,
}
