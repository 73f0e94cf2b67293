"""Collecting the records of a run while it goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from contact.kernels import layout as at

from .kernels import layout as L
from .trajectory import Trajectory

KEPT = (L.POSITION, L.QUATERNION, L.VELOCITY, L.COORDINATE, L.IMPULSE, L.CHANNEL_IMPULSE, L.WHEEL_STATE)
WORST = [L.TIME, L.RESIDUAL_MAX, L.ERROR_M_MAX, L.ERROR_RAD_MAX]


def rolling_impulses(simulation: Any) -> np.ndarray:
    """T_rr / r of the last step, (wheels,) [N s]; zero for wheels on hard ground."""
    work = simulation.work
    soft = work.i(L.COUNT_I)[L.SOIL_WHEELS]
    found = np.zeros(work.i(L.COUNT_I)[L.WHEELS])
    if soft > 0:
        found[:soft] = work.f(L.SOIL_NOW).reshape(-1, at.WHEEL_WORK)[:soft, at.ROLLING]
    return found


class Recorder:
    """Collects records of a running simulation.

    Arguments:
        simulation: the :class:`bodies.Simulation`.
        reactions: names of the joints whose reactions to keep.
    """

    def __init__(self, simulation: Any, reactions: tuple[str, ...] = ()) -> None:
        self.simulation = simulation
        self.reactions = reactions
        self.booking: bool = bool(simulation.work.i(L.COUNT_I)[L.BOOKING])
        self.rows: list[tuple[np.ndarray, ...]] = []
        self.take()

    def take(self) -> None:
        """Add a record of the current state."""
        work = self.simulation.work
        forces = [self.simulation.reaction(name) for name in self.reactions]
        self.rows.append(
            (
                work.f(L.SCALAR)[WORST],
                *(work.f(k).copy() for k in KEPT),
                self._wheel_velocities(),
                rolling_impulses(self.simulation),
                work.f(L.WORK_DONE).copy() if self.booking else np.zeros(0),
                np.array([[r.force_b, r.torque_b] for r in forces]).reshape(-1, 2, 3),
            )
        )

    def _wheel_velocities(self) -> np.ndarray:
        """Channel velocities at the end of the step, (wheels, 4), as the contact solve saw them."""
        work = self.simulation.work
        table = work.i(L.WHEEL_I).reshape(-1, L.WHEEL_INTS)
        if work.i(L.COUNT_I)[L.SOIL_WHEELS] > 0:
            return work.f(L.SOIL_U)[: 4 * len(table)].reshape(-1, 4).copy()
        J, v = work.f(L.JACOBIAN), work.f(L.VELOCITY).reshape(-1, 6)
        frames = work.f(L.WHEEL_STATE).reshape(-1, L.WHEEL_STATE_FLOATS)
        found = np.zeros((len(table), 4))
        for u, (body, _, _, j, _), frame in zip(found, table, frames, strict=True):
            u[:3] = J[j : j + 18].reshape(3, 6) @ v[body]
            # the centre is above the point on the ground by the loaded radius
            point = frame[3:6] - min(frame[15], 0.0) * frame[6:9]
            u[3] = u[1] + frame[9:12] @ np.cross(v[body][3:], frame[0:3] - point)
        return found

    def trajectory(self) -> Trajectory:
        """The records as one :class:`Trajectory`."""
        columns = (np.array(column) for column in zip(*self.rows, strict=True))
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
