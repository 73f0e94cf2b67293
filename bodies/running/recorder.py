"""Recorder of a running simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..kernels.records import ClockRecord
from ..kernels.records import WheelFrame as at
from ..kernels.slots import FLOATS
from .trajectory import Trajectory

OIL = "oil.now", "oil.lines", "oil.account"
KEPT = (
    "clock", "position", "quaternion", "velocity", "coordinate", "impulse", "channels.impulse",
    "wheel_state", "contact.rows.u", "rotation", "work_done", *OIL,
)  # fmt: skip
LARGEST_RECORD = 4e9  # largest memory of a recorded run [bytes]


class Recorder:
    """Records of a running simulation, in memory allocated once.

    Arguments:
        simulation: the :class:`bodies.Simulation`.
        records: largest number of records.
        reactions: names of the joints whose reactions are recorded.

    Raises:
        MechanismError: memory of more than ``LARGEST_RECORD``. UnknownName: an unknown joint.
    """

    def __init__(self, simulation: Any, records: int, reactions: tuple[str, ...] = ()) -> None:
        work = simulation.work
        count = work.machine.count
        self.simulation = simulation
        self.reactions = reactions
        self.recording: bool = bool(count.recording)
        left_out = {
            "rotation": count.wheels == count.soil_wheels,
            "work_done": not self.recording,
        }
        self.kept: list[str] = [path for path in KEPT if not left_out.get(path, False)]
        self._slots: list[int] = [FLOATS[path] for path in self.kept]
        self.ends: NDArray[np.int64] = np.cumsum([work.f(path).size for path in self.kept])
        size = 8 * (int(self.ends[-1]) + 1 + 6 * len(reactions))
        if size * records > LARGEST_RECORD:
            raise checks.MechanismError(
                f"simulate: {records} records of {size / 1e3:.3g} kB take {size * records / 1e9:.3g} "
                f"GB, more than {LARGEST_RECORD / 1e9:g} GB; record less often (record_every), or in "
                "parts, each from the state of the last"
            )
        self.data: NDArray[np.float64] = np.empty((records, int(self.ends[-1]) + 1))
        self.forces: NDArray[np.float64] = np.empty((records, len(reactions), 2, 3))
        # steps per record, steps to the next record, row of the next record, numbers of the arrays
        self.keep: NDArray[np.int64] = np.array([0, 0, 0, *self._slots])
        self._memory: NDArray[np.float64] | None = None  # array to which the indices ``_places`` refer
        self.take()

    @property
    def count(self) -> int:
        """Number of records taken so far."""
        return int(self.keep[2])

    @property
    def last_time(self) -> float:
        """Time of the last record [s]."""
        return float(self.data[self.count - 1, ClockRecord.time.offset])

    def run(self, steps: int, every: int) -> None:
        """Take ``steps`` steps with a record after every ``every`` steps and after the last one."""
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
            places = [np.arange(*work.N[2 * k : 2 * k + 2]) for k in self._slots]
            self._places = np.concatenate(places)
        self.data[row, :-1] = work.F[self._places]
        self.data[row, -1] = work.machine.count.iterations
        for k, name in enumerate(self.reactions):
            found = self.simulation.reaction(name)
            self.forces[row, k] = found.force_b, found.torque_b
        self.keep[2] += 1

    def column(self, path: str) -> NDArray[np.float64]:
        """Records of the float array ``path``, (records, size)."""
        k = self.kept.index(path)
        return self.data[: self.count, self.ends[k - 1] if k else 0 : self.ends[k]]

    @property
    def passes(self) -> NDArray[np.float64]:
        """Number of passes of the contact solves from the start to each record, (records,)."""
        return self.data[: self.count, -1]

    def _wheel_velocities(self) -> NDArray[np.float64]:
        """Velocities of the wheels' channels (contact coordinates: normal, longitudinal, lateral,
        longitudinal at the centre) at the end of each recorded step, (records, wheels, 4) [m/s].

        Contact point and axes are those of the start of the step, for which its contacts were solved.
        """
        work, n = self.simulation.work, self.count
        wheels = work.machine.wheels
        found = np.zeros((n, len(wheels), at.velocity.size))
        soft = work.machine.count.soil_wheels  # wheels on soil precede those on rigid ground
        found[:, :soft] = self.column("contact.rows.u")[:, : 4 * soft].reshape(n, soft, 4)
        if soft == len(wheels):
            return found
        v = self.column("velocity").reshape(n, -1, 6)
        R = self.column("rotation").reshape(n, -1, 3, 3)
        frames = self.column("wheel_state").reshape(n, -1, at.FLOATS)
        for m in range(soft, len(wheels)):
            body, frame = wheels.body[m], frames[:, m]
            normal = at.normal.of(frame)
            first, last = at.normal.offset, at.left.offset + at.left.size
            axes = frame[:, first:last].reshape(n, 3, 3)  # normal, forward, left
            # hard ground: the velocity refers to the loaded radius, see ``kernels.contacts.wheels``
            lifted = np.minimum(at.gap.of(frame)[:, None], 0.0) * normal
            arm = at.point.of(frame) - lifted - at.centre.of(frame)
            spin = v[:, body, 3:]
            centre = v[:, body, :3] + np.cross(spin, R[:, body] @ wheels[m].centre)
            found[:, m, :3] = (axes @ (centre + np.cross(spin, arm))[:, :, None])[:, :, 0]
            found[:, m, 3] = np.sum(axes[:, 1] * centre, axis=1)
        return found

    def trajectory(self) -> Trajectory:
        """The records taken so far as a :class:`Trajectory`."""
        n, sim = self.count, self.simulation
        clock = self.column("clock")
        v = self.column("velocity").reshape(n, -1, 6)[:, :-1]
        wheels = self.column("wheel_state").reshape(n, -1, at.FLOATS)
        return Trajectory(
            model=sim.model,
            time=ClockRecord.time.of(clock),
            positions=self.column("position").reshape(n, -1, 3)[:, :-1],
            quaternions=self.column("quaternion").reshape(n, -1, 4)[:, :-1],
            velocities=v[..., :3],
            angular_velocities=v[..., 3:],
            coordinates=self.column("coordinate"),
            impulses=self.column("impulse"),
            channel_impulses=self.column("channels.impulse"),
            residuals=ClockRecord.residual_max.of(clock),
            joint_errors=clock[:, [ClockRecord.error_m_max.offset, ClockRecord.error_rad_max.offset]],
            missed=sim.missed,
            step=sim.step,
            final=sim.state(),
            wheel_frames=wheels[..., : at.velocity.offset],
            wheel_velocities=self._wheel_velocities(),
            rolling_impulses=at.rolling.of(wheels),
            work_done=self.column("work_done") if self.recording else None,
            oil=np.hstack([self.column(path) for path in OIL]),
            reactions={name: self.forces[:n, k] for k, name in enumerate(self.reactions)},
        )
