"""The state: everything that decides the future of a run."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import checks

BROKEN = (ValueError, TypeError, EOFError, OSError, KeyError, IndexError, OverflowError)
BROKEN += (zipfile.BadZipFile, NotImplementedError, RuntimeError)


@dataclass(frozen=True, eq=False)
class State:
    """A snapshot from which a run goes on bit for bit.

    It fits models of the structure that it was taken from (the same names, joints, contacts, inputs);
    gravity, masses, soils, and the run's step, tolerance and solver are theirs, not the state's. In a
    run with another step the impulses of the last step are taken over as forces.

    Attributes:
        floats: the state arrays of the float workspace [SI], joined (``kernels/layout``: positions,
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

    def save(self, path: str | Path) -> None:
        """Write the state to a NumPy ``.npz`` file of just this name."""
        with open(path, "wb") as file:  # given a name, NumPy appends ".npz" to others
            np.savez(file, **self.arrays())

    @classmethod
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
        for name, (kind, dimensions) in ARRAYS.items():
            array = arrays[name]
            if array.dtype.kind != kind or array.ndim != dimensions:
                raise checks.MechanismError(f"{who}: {name!r} is not what State.save writes.")
        taken: dict[str, Any] = dict(arrays)
        taken |= {"pivot": float(arrays["pivot"]), "model": str(arrays["model"])}
        return cls(**taken)


#: Kind and dimensions of the arrays in a file.
ARRAYS = {
    "floats": ("f", 1), "ints": ("i", 1), "order": ("i", 1), "scale": ("f", 1), "pivot": ("f", 0),
    "model": ("U", 0),
}  # fmt: skip
