"""Collecting the records of a run while it goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import checks
from .kernels import layout as L
from .kernels.records import WheelFrame as at
from .trajectory import Trajectory

KEPT = (
    L.SCALAR, L.POSITION, L.QUATERNION, L.VELOCITY, L.COORDINATE, L.IMPULSE, L.CHANNEL_IMPULSE,
    L.WHEEL_STATE, L.SOIL_U, L.ROTATION, L.WORK_DONE, L.OIL,
)  # fmt: skip
MOST_BYTES = 4e9  # of a recorded run


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
        work = simulation.work
        count = work.i(L.COUNT_I)
        self.simulation = simulation
        self.reactions = reactions
        self.booking: bool = bool(count[L.BOOKING])
        left_out = {
            L.ROTATION: count[L.WHEELS] == count[L.SOIL_WHEELS],
            L.WORK_DONE: not self.booking,
        }
        self.kept: list[int] = [k for k in KEPT if not left_out.get(k, False)]
        self.ends: NDArray[np.int64] = np.cumsum([work.f(k).size for k in self.kept])
        size = 8 * (int(self.ends[-1]) + 1 + 6 * len(reactions))
        if size * records > MOST_BYTES:
            raise checks.MechanismError(
                f"simulate: {records} records of {size / 1e3:.3g} kB take {size * records / 1e9:.3g} "
                f"GB, more than {MOST_BYTES / 1e9:g} GB; record less often (record_every), or in parts, "
                "each from the state of the last"
            )
        self.data: NDArray[np.float64] = np.empty((records, int(self.ends[-1]) + 1))
        self.forces: NDArray[np.float64] = np.empty((records, len(reactions), 2, 3))
        self.keep: NDArray[np.int64] = np.array([0, 0, 0, *self.kept])  # as ``kernels.step.run`` has it
        self._memory: NDArray[np.float64] | None = None  # where ``_places`` holds
        self.take()

    @property
    def count(self) -> int:
        """Records taken so far."""
        return int(self.keep[2])

    @property
    def last_time(self) -> float:
        """Of the last record [s]."""
        return float(self.data[self.count - 1, L.TIME])

    def run(self, steps: int, every: int) -> None:
        """Do ``steps`` steps with a record after each ``every`` of them, and at their end."""
        sim = self.simulation
        whole = steps // every * every if sim.compiled and not self.reactions else 0
        self.keep[:2] = every
        sim.work.run(whole, self.keep, self.data)
        for done in range(whole, steps, every):
            sim.run(min(every, steps - done))
            self.take()

    def take(self) -> None:
        """Add a record of the current state."""
        work, row = self.simulation.work, self.count
        if work.F is not self._memory:
            self._memory = work.F
            places = [np.arange(*work.N[2 * k : 2 * k + 2]) for k in self.kept]
            self._places = np.concatenate(places)
        self.data[row, :-1] = work.F[self._places]
        self.data[row, -1] = work.i(L.COUNT_I)[L.ITERATIONS]
        for k, name in enumerate(self.reactions):
            found = self.simulation.reaction(name)
            self.forces[row, k] = found.force_b, found.torque_b
        self.keep[2] += 1

    def column(self, number: int) -> NDArray[np.float64]:
        """The records of a float array, (records, size)."""
        k = self.kept.index(number)
        return self.data[: self.count, self.ends[k - 1] if k else 0 : self.ends[k]]

    @property
    def passes(self) -> NDArray[np.float64]:
        """Reduced contact problems solved before each record, since the start."""
        return self.data[: self.count, -1]

    def _wheel_velocities(self) -> NDArray[np.float64]:
        """Channel velocities at the end of the step, (records, wheels, 4), as the solve saw them."""
        work, n = self.simulation.work, self.count
        wheels = work.machine.wheels
        found = np.zeros((n, len(wheels), at.velocity.size))
        soft = int(work.i(L.COUNT_I)[L.SOIL_WHEELS])  # they come first
        found[:, :soft] = self.column(L.SOIL_U)[:, : 4 * soft].reshape(n, soft, 4)
        if soft == len(wheels):
            return found
        v = self.column(L.VELOCITY).reshape(n, -1, 6)
        R = self.column(L.ROTATION).reshape(n, -1, 3, 3)
        frames = self.column(L.WHEEL_STATE).reshape(n, -1, at.FLOATS)
        for m in range(soft, len(wheels)):
            body, frame = wheels.body[m], frames[:, m]
            normal = at.normal.of(frame)
            first, last = at.normal.offset, at.left.offset + at.left.size
            axes = frame[:, first:last].reshape(n, 3, 3)  # normal, forward, left
            # the centre is above the point on the ground by the loaded radius
            lifted = np.minimum(at.gap.of(frame)[:, None], 0.0) * normal
            arm = at.point.of(frame) - lifted - at.centre.of(frame)
            spin = v[:, body, 3:]
            centre = v[:, body, :3] + np.cross(spin, R[:, body] @ wheels[m].centre)
            found[:, m, :3] = (axes @ (centre + np.cross(spin, arm))[:, :, None])[:, :, 0]
            found[:, m, 3] = np.sum(axes[:, 1] * centre, axis=1)
        return found

    def trajectory(self) -> Trajectory:
        """The records as one :class:`Trajectory`."""
        n, sim = self.count, self.simulation
        scalars = self.column(L.SCALAR)
        v = self.column(L.VELOCITY).reshape(n, -1, 6)[:, :-1]
        wheels = self.column(L.WHEEL_STATE).reshape(n, -1, at.FLOATS)
        return Trajectory(
            model=sim.model,
            time=scalars[:, L.TIME],
            positions=self.column(L.POSITION).reshape(n, -1, 3)[:, :-1],
            quaternions=self.column(L.QUATERNION).reshape(n, -1, 4)[:, :-1],
            velocities=v[..., :3],
            angular_velocities=v[..., 3:],
            coordinates=self.column(L.COORDINATE),
            impulses=self.column(L.IMPULSE),
            channel_impulses=self.column(L.CHANNEL_IMPULSE),
            residuals=scalars[:, L.RESIDUAL_MAX],
            joint_errors=scalars[:, [L.ERROR_M_MAX, L.ERROR_RAD_MAX]],
            missed_steps=sim.missed,
            step=sim.step,
            final=sim.state(),
            wheel_frames=wheels[..., : at.velocity.offset],
            wheel_velocities=self._wheel_velocities(),
            rolling_impulses=at.rolling.of(wheels),
            work_done=self.column(L.WORK_DONE) if self.booking else None,
            oil=self.column(L.OIL),
            reactions={name: self.forces[:n, k] for k, name in enumerate(self.reactions)},
        )
