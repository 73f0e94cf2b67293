"""Record of a rig's bus, tick by tick."""

from __future__ import annotations

import csv
import hashlib
import pathlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mlcp import renamed
from mlcp.checks import nearest
from mlcp.writing import written

from .errors import RigError, checked
from .timing.deficit import Accounts


@renamed.attributes(late="overrun_count")
@checked.explained
@dataclass(frozen=True, repr=False)
class Run:
    """Record of a run.

    Arguments:
        time: times of the records, shape (n,) [s]; the first is the start.
        values: all numbers of the bus, a row for each record, each in its signal's unit [SI].
        places: columns of each signal.
        events: (time [s], kind, signal); kind "stale": an external signal has timed out, "fresh": it is
            received again.
        deficit: timing on the clock; None for a run without a clock.
        missed: number of time steps of the machine whose contact solve missed its tolerance.
    """

    time: NDArray[np.float64]
    values: NDArray[np.float64]
    places: dict[str, slice]
    events: list[tuple[float, str, str]] = field(default_factory=list)
    deficit: Accounts | None = None
    missed: int = 0

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s"
        overruns = self.overrun_count
        return f"Run: {len(self.time) - 1} ticks, {span}, {len(self.places)} signals, {overruns} late"

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A signal over time: shape (n,) for a number, (n, size) for more [its unit]."""
        if name not in self.places:
            raise RigError(f"no signal {name!r} was recorded; {nearest(name, self.places)}")
        found = self.values[:, self.places[name]]
        return found[:, 0] if found.shape[1] == 1 else found

    @property
    def overrun_count(self) -> int:
        """Count of late ticks; 0 for a run without a clock."""
        return 0 if self.deficit is None else self.deficit.overrun_count

    def digest(self) -> str:
        """SHA-256 of times and values: equal for equal bytes."""
        return hashlib.sha256(self.time.tobytes() + self.values.tobytes()).hexdigest()

    @checked
    def to_csv(self, path: str | pathlib.Path) -> None:
        """Write all signals over time, one column for each number."""
        names = ["time"]
        for name, place in self.places.items():
            size = place.stop - place.start
            names += [name] if size == 1 else [f"{name}[{i}]" for i in range(size)]
        with written(path) as place, open(place, "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(names)
            table.writerows(np.column_stack((self.time, self.values)).tolist())
