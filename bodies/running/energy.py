"""Energies of a state (kinetic, gravity, springs, oil)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..frames import quaternion_matrices
from ..hydraulics.reading import Hydraulics, oil_state
from ..memory.workspace import Workspace
from ..model import Model


@dataclass(frozen=True)
class Energy:
    """Energies [J]: kinetic, of gravity (zero at the origin), and of each spring and circuit by name;
    without bushings, tyres and ground.

    Scalars for one state, arrays (n,) over a trajectory.
    """

    kinetic: Any
    gravity: Any
    springs: dict[str, Any]

    @property
    def total(self) -> Any:
        """Sum of all energies [J]."""
        return self.kinetic + self.gravity + sum(self.springs.values())


def energy(
    model: Model,
    positions: np.ndarray,
    quaternions: np.ndarray,
    velocities: np.ndarray,
    angular_velocities: np.ndarray,
    coordinates: np.ndarray,
    oil: np.ndarray | None = None,
) -> Energy:
    """Kinetic energy ``1/2 m v.v + 1/2 w.I w``, gravitational energy ``-m g.x``, and energies of springs
    and oil; m, I: mass and inertia, x, v: centre of mass and its velocity, w: angular velocity, g:
    gravity.

    Arguments, with any leading axes:
        model: compiled mechanism.
        positions, velocities, angular_velocities: (..., bodies, 3) [m, m/s, rad/s], world axes.
        quaternions: (..., bodies, 4).
        coordinates: joint coordinates, (..., coordinates) [rad or m].
        oil: state of the hydraulic circuits, (..., numbers); the energy of a circuit is among the
            springs.

    The energy of a tabulated spring is the integral of its force from its rest length.
    """
    mass, inertia = model.machine.mass, model.machine.inertia.reshape(-1, 3, 3)
    body_w = np.einsum("...nij,...ni->...nj", quaternion_matrices(quaternions), angular_velocities)
    kinetic = 0.5 * np.einsum("n,...ni,...ni->...", mass, velocities, velocities)
    kinetic = kinetic + 0.5 * np.einsum("...ni,nij,...nj->...", body_w, inertia, body_w)
    gravity = -np.einsum("n,...ni,i->...", mass, positions, model.machine.clock.gravity)
    springs = {}
    for k, coupling in enumerate(model.coupling_order):
        if not coupling.elastic:
            continue
        it = model.machine.couplings[k]
        terms = zip(it.coefficient[: it.terms], it.term[: 3 * it.terms : 3], strict=True)
        s = sum(c * coordinates[..., on] for c, on in terms) - it.p[2]
        stored = 0.5 * it.p[0] * s * s
        if it.table[0] >= 0:
            stored = stored + table_integral(np.array(coupling.tables()[0]), s)
        springs[coupling.name] = stored
    if model.circuit is not None and oil is not None:
        springs |= Hydraulics.recorded(model, oil).energies
    return Energy(kinetic, gravity, springs)


def energy_of(work: Workspace) -> Energy:
    """Energy of the current state of a simulation, as scalars."""
    n = work.machine.count.bodies
    twists = work.machine.velocity.reshape(-1, 6)[:n]
    found = energy(
        work.model,
        work.machine.position.reshape(-1, 3)[:n],
        work.machine.quaternion.reshape(-1, 4)[:n],
        twists[:, :3],
        twists[:, 3:],
        work.machine.coordinate,
        oil_state(work.machine),
    )
    return Energy(
        float(found.kinetic),
        float(found.gravity),
        {name: float(stored) for name, stored in found.springs.items()},
    )


def table_integral(table: np.ndarray, s: Any) -> np.ndarray:
    """Integral from 0 to s (array of any shape) of a piecewise linear table, extrapolated linearly."""
    x, y = table[:, 0], table[:, 1]
    slope = np.diff(y) / np.diff(x)

    def from_first(s: Any) -> np.ndarray:
        k = np.clip(np.searchsorted(x, s) - 1, 0, len(slope) - 1)
        before = np.concatenate([[0.0], np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(x))])
        d = s - x[k]
        return before[k] + d * (y[k] + 0.5 * slope[k] * d)

    return from_first(np.asarray(s, float)) - from_first(0.0)
