"""The state: everything that decides the future of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mlcp.writing import written

from . import checks
from .checks import checked

BROKEN = Exception  # NumPy's reader raises whatever a damaged file happens to make of it


@checked.explained
@dataclass(frozen=True, eq=False)
class State:
    """A snapshot from which a run goes on bit for bit.

    It fits models of the structure that it was taken from (the same names, joints, contacts, inputs);
    gravity, masses, soils, and the run's step, tolerance and solver are theirs, not the state's. In a
    run with another step the impulses of the last step are taken over as forces.

    Attributes:
        floats: the state arrays of the float workspace [SI], joined (``kernels/data``: positions,
            quaternions, velocities, coordinates with their turns, inputs, last impulses...).
        ints: the state arrays of the int workspace (counters, active sets).
        order: (nodes,) elimination order in use, which a run may have renewed.
        scale: (2 rows,) its floors and pivot sizes; pivot: the smallest planned [-].
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
        """Write the state to a NumPy ``.npz`` file of just this name."""
        # given a name, NumPy appends ".npz" to others
        with written(path) as place, open(place, "wb") as file:
            arrays: dict[str, Any] = {**self.arrays()}
            np.savez(file, **arrays)

    @classmethod
    @checked
    def load(cls, path: str | Path) -> State:
        """Read a state written by :meth:`save`.

        Raises:
            MechanismError: the file is torn, or no saved state. FileNotFoundError: there is none.
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
        """What goes into a file, by name."""
        return {name: np.asarray(getattr(self, name)) for name in ARRAYS}

    @classmethod
    def of(cls, who: str, arrays: dict[str, np.ndarray]) -> State:
        """The state of a file's arrays, each of the kind it must be."""
        taken: dict[str, Any] = {name: arrays[name] for name in ARRAYS}
        for name in ("pivot", "model"):
            taken[name] = taken[name].item() if taken[name].ndim == 0 else None
        state = cls(**taken)
        state.check(who)
        return state

    def check(self, who: str) -> None:
        """Refuse attributes of other kinds than they are to be; begins the sentence with ``who``.

        Raises:
            MechanismError: naming the attribute.
        """
        for name, kind in ARRAYS.items():
            value = getattr(self, name)
            right = isinstance(value, np.ndarray) and value.dtype == kind and value.ndim == 1
            if not (isinstance(value, kind) if kind in (float, str) else right):
                raise checks.MechanismError(f"{who}: {name!r} is not what a state holds; it is damaged.")


#: Kinds of the attributes: of flat arrays, or plain.
ARRAYS = {
    "floats": np.float64, "ints": np.int64, "order": np.int64, "scale": np.float64, "pivot": float,
    "model": str,
}  # fmt: skip
