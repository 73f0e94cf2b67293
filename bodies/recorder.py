"""Collecting the records of a run while it goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import checks
from .kernels import layout as L
from .trajectory import Trajectory

KEPT = (L.POSITION, L.QUATERNION, L.VELOCITY, L.COORDINATE, L.IMPULSE, L.CHANNEL_IMPULSE, L.WHEEL_STATE)
MOST_BYTES = 4e9  # of a recorded run
WORST = [L.TIME, L.RESIDUAL_MAX, L.ERROR_M_MAX, L.ERROR_RAD_MAX]


class Recorder:
    """Collects records of a running simulation, its memory allocated once.

    Arguments:
        simulation: the :class:`bodies.Simulation`.
        records: how many there will be at most.
        reactions: names of the joints whose reactions to keep.

    Raises:
        MechanismError: so many records take more than ``MOST_BYTES``. UnknownName: an unknown joint.
    """

    def __init__(self, simulation: Any, records: int, reactions: tuple[str, ...] = ()) -> None:
        self.simulation = simulation
        self.reactions = reactions
        self.booking: bool = bool(simulation.work.i(L.COUNT_I)[L.BOOKING])
        self.count: int = 0
        first = self._record()
        size = 8 * sum(part.size for part in first)
        if size * records > MOST_BYTES:
            raise checks.MechanismError(
                f"simulate: {records} records of {size / 1e3:.3g} kB take {size * records / 1e9:.3g} "
                f"GB, more than {MOST_BYTES / 1e9:g} GB; record less often (record_every), or in parts, "
                "each from the state of the last"
            )
        self.columns: list[np.ndarray] = [np.empty((records, *part.shape)) for part in first]
        self._keep(first)

    def take(self) -> None:
        """Add a record of the current state."""
        self._keep(self._record())

    def _keep(self, record: tuple[np.ndarray, ...]) -> None:
        for column, part in zip(self.columns, record, strict=True):
            column[self.count] = part
        self.count += 1

    @property
    def last_time(self) -> float:
        """Of the last record [s]."""
        return float(self.columns[0][self.count - 1, 0])

    def _record(self) -> tuple[np.ndarray, ...]:
        work = self.simulation.work
        forces = [self.simulation.reaction(name) for name in self.reactions]
        return (
            work.f(L.SCALAR)[WORST],
            *(work.f(k) for k in KEPT),
            self._wheel_velocities(),
            work.f(L.WHEEL_STATE).reshape(-1, L.WHEEL_STATE_FLOATS)[:, 20],
            work.f(L.WORK_DONE) if self.booking else np.zeros(0),
            np.array([[r.force_b, r.torque_b] for r in forces]).reshape(-1, 2, 3),
        )

    def _wheel_velocities(self) -> np.ndarray:
        """Channel velocities at the end of the step, (wheels, 4), as the contact solve saw them."""
        work = self.simulation.work
        table = work.i(L.WHEEL_I).reshape(-1, L.WHEEL_INTS)
        found = np.zeros((len(table), 4))
        soft = int(work.i(L.COUNT_I)[L.SOIL_WHEELS])  # they come first
        found[:soft] = work.f(L.SOIL_U)[: 4 * soft].reshape(-1, 4)
        v, R = work.f(L.VELOCITY).reshape(-1, 6), work.f(L.ROTATION).reshape(-1, 3, 3)
        frames = work.f(L.WHEEL_STATE).reshape(-1, L.WHEEL_STATE_FLOATS)
        data = work.f(L.WHEEL_DATA).reshape(-1, L.WHEEL_FLOATS)
        for m in range(soft, len(table)):
            body, frame = table[m, 0], frames[m]
            axes = frame[6:15].reshape(3, 3)  # normal, forward, left
            # the centre is above the point on the ground by the loaded radius
            arm = frame[3:6] - min(frame[15], 0.0) * frame[6:9] - frame[0:3]
            centre = v[body, :3] + np.cross(v[body, 3:], R[body] @ data[m, 0:3])
            found[m, :3] = axes @ (centre + np.cross(v[body, 3:], arm))
            found[m, 3] = axes[1] @ centre
        return found

    def trajectory(self) -> Trajectory:
        """The records as one :class:`Trajectory`."""
        columns = (column[: self.count] for column in self.columns)
        s, x, q, v, c, p, z, wheels, velocities, rolling, work, forces = columns
        n = len(s)
        v = v.reshape(n, -1, 6)[:, :-1]
        sim = self.simulation
        return Trajectory(
            model=sim.model,
            time=s[:, 0],
            positions=x.reshape(n, -1, 3)[:, :-1],
            quaternions=q.reshape(n, -1, 4)[:, :-1],
            velocities=v[..., :3],
            angular_velocities=v[..., 3:],
            coordinates=c,
            impulses=p,
            channel_impulses=z,
            residuals=s[:, 1],
            joint_errors=s[:, 2:],
            missed_steps=sim.missed,
            step=sim.step,
            final=sim.state(),
            wheel_frames=wheels.reshape(n, -1, L.WHEEL_STATE_FLOATS)[..., :16],
            wheel_velocities=velocities,
            rolling_impulses=rolling,
            work_done=work if self.booking else None,
            reactions={name: forces[:, k] for k, name in enumerate(self.reactions)},
        )
