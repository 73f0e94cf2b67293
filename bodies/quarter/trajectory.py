"""What a run leaves behind: named arrays with units, over time."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contact import checks

from ..figures import subplots
from ..state import BROKEN


@dataclass(frozen=True)
class Trajectory:
    """Named, unit-carrying arrays over time; ``trajectory["v_x"]`` is one of them.

    Arguments:
        data: shape (records, columns).
        units: name of each column and its unit, in the columns' order.
        missed: number of steps that missed their tolerance.
        max_residual: largest natural residual over all steps, recorded or not.
        notes: what produced it (step, solver, scheme, floors), for the reader.
    """

    data: NDArray[np.float64]
    units: dict[str, str]
    missed: int = 0
    max_residual: float = 0.0
    notes: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        checks.known("column", name, self.units)
        return self.data[:, list(self.units).index(name)]

    def __len__(self) -> int:
        return self.data.shape[0]

    def at_end(self, name: str) -> float:
        """Last value of a column, in its unit."""
        return float(self[name][-1])

    def save(self, path: str | Path) -> Path:
        """Write everything to one ``.npz`` file; ``Trajectory.load`` gives the same bytes back."""
        path = Path(path).with_suffix(".npz")
        about = json.dumps(
            {
                "units": self.units,
                "missed": self.missed,
                "max_residual": self.max_residual,
                "notes": self.notes,
            }
        )
        np.savez(path, data=self.data, about=np.array(about))
        return path

    @classmethod
    def load(cls, path: str | Path) -> Trajectory:
        """Read what ``save`` wrote.

        Raises:
            ValueError: the file is torn, or no trajectory. FileNotFoundError: there is none.
        """
        with open(path, "rb") as file:
            try:
                arrays = np.load(file, allow_pickle=False)
                run = cls(np.array(arrays["data"]), **json.loads(str(arrays["about"])))
                right = run.data.ndim == 2 and run.data.shape[1] == len(run.units)
            except BROKEN:
                right = False
        if not right:
            raise ValueError(
                f"{str(path)!r} holds no trajectory: not what Trajectory.save wrote, or torn"
            )
        return run

    def to_csv(self, path: str | Path) -> Path:
        """Write a CSV table whose header names columns and units."""
        path = Path(path).with_suffix(".csv")
        header = ",".join(f"{name} [{unit}]" for name, unit in self.units.items())
        np.savetxt(path, self.data, delimiter=",", header=header, comments="", fmt="%.17g")
        return path

    def to_xarray(self) -> Any:
        """An ``xarray.Dataset`` over time, units as attributes.

        Raises:
            ModuleNotFoundError: xarray is not installed; the sentence says how to.
        """
        try:
            import xarray
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                "to_xarray needs xarray, which is not installed: pip install xarray"
            ) from None
        variables = {
            name: ("time", self[name], {"units": unit})
            for name, unit in self.units.items()
            if name != "time"
        }
        return xarray.Dataset(variables, {"time": self["time"]}, dict(self.notes))

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draw columns over time, one below the other; returns the matplotlib axes."""
        names = names or tuple(name for name in self.units if name != "time")
        if axes is None:
            _, axes = subplots(
                len(names), 1, sharex=True, squeeze=False, figsize=(7.0, 1.0 + 1.6 * len(names))
            )
            axes = axes[:, 0]
        for axis, name in zip(axes, names, strict=True):
            axis.plot(self["time"], self[name], linewidth=1.0)
            axis.set_ylabel(f"{name}\n[{self.units[name]}]")
            axis.grid(True, alpha=0.3)
        axes[-1].set_xlabel("time [s]")
        return axes
