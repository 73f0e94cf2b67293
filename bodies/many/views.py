"""Live views of a batch's vehicles, with one row each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels.records import ClockRecord
from .memory import Vehicles


class Views(Vehicles):
    """Read-only arrays that follow the run."""

    def _view(self, path: str, first: int, size: int | None) -> NDArray[np.float64]:
        """Live view of some numbers of a state array of all vehicles."""
        at = self.store.first(path) + first
        found = self.store.states[:, at] if size is None else self.store.states[:, at : at + size]
        found.flags.writeable = False
        return found

    def position(self, body: str) -> NDArray[np.float64]:
        """Centres of mass (n, 3) [m]; a view that follows the run, as all below."""
        return self._view("position", 3 * self.model.body(body), 3)

    def quaternion(self, body: str) -> NDArray[np.float64]:
        """Orientations (n, 4), scalar first."""
        return self._view("quaternion", 4 * self.model.body(body), 4)

    def velocity(self, body: str) -> NDArray[np.float64]:
        """Velocities of the centre of mass (n, 3) [m/s]."""
        return self._view("velocity", 6 * self.model.body(body), 3)

    def angular_velocity(self, body: str) -> NDArray[np.float64]:
        """Angular velocities (n, 3) [rad/s], world axes."""
        return self._view("velocity", 6 * self.model.body(body) + 3, 3)

    def coordinate(self, name: str) -> NDArray[np.float64]:
        """Joint coordinate (n,) [rad or m]; angles include full turns."""
        return self._view("coordinate", self.model.coordinate(name), None)

    @property
    def time(self) -> NDArray[np.float64]:
        """Time of each vehicle [s], (n,)."""
        return self._view("clock", ClockRecord.time.offset, None)

    @property
    def residual(self) -> NDArray[np.float64]:
        """Largest natural residual of the reduced contact problem since the start [-], (n,)."""
        return self._view("clock", ClockRecord.residual_max.offset, None)

    @property
    def missed(self) -> NDArray[np.int64]:
        """Number of steps with a contact problem beyond its tolerance, (n,)."""
        found = self.store.counts("missed")
        found.flags.writeable = False
        return found

    @property
    def fallbacks(self) -> NDArray[np.int64]:
        """Number of steps in lanes with contacts solved one by one, (n,): all for kinds outside lanes.

        The results are the same.
        """
        found = self.store.alone[:]
        found.flags.writeable = False
        return found
