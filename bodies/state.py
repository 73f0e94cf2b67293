"""The state: everything that decides the future of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, eq=False)
class State:
    """A snapshot from which a run goes on bit for bit.

    Attributes:
        floats: the state arrays of the float workspace [SI], joined (``kernels/layout``: positions,
            quaternions, velocities, coordinates with their turns, inputs, last impulses...).
        ints: the state arrays of the int workspace (counters, active sets).
        plan: table and scale of the elimination order in use, which a run may have renewed.
    """

    floats: np.ndarray
    ints: np.ndarray
    plan: tuple[np.ndarray, np.ndarray, int, float]

    def save(self, path: str | Path) -> None:
        """Write the state to a NumPy ``.npz`` file."""
        np.savez(
            path,
            floats=self.floats,
            ints=self.ints,
            table=self.plan[0],
            scale=self.plan[1],
            sizes=np.array([self.plan[2]]),
            pivot=np.array([self.plan[3]]),
        )

    @classmethod
    def load(cls, path: str | Path) -> State:
        """Read a state written by :meth:`save`."""
        with np.load(path) as data:
            return cls(
                data["floats"],
                data["ints"],
                (data["table"], data["scale"], int(data["sizes"][0]), float(data["pivot"][0])),
            )
