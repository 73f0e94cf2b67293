"""Constraint of a vehicle's position in the plane in a search for equilibrium; travel of a vehicle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..body import GROUND
from ..mechanism import Mechanism


def can_be_constrained(mechanism: Mechanism) -> bool:
    """Whether a mechanism has wheels and no other connection to the ground (rigid contact, element)."""
    ends = [getattr(e, name, "") for e in mechanism.elements for name in ("body_a", "body_b", "body")]
    return bool(mechanism.wheels) and not mechanism.contacts and GROUND not in ends


class PlaneConstraint:
    """Removal of each vehicle's motion in the plane: mean displacement and rotation of its wheels.

    Arguments:
        mechanism: description of the vehicles. index: numbers of bodies by name.
        position: initial positions of all bodies [m], (n, 3 bodies).
    """

    def __init__(
        self, mechanism: Mechanism, index: dict[str, int], position: NDArray[np.float64]
    ) -> None:
        self.wheels: NDArray[np.int64] = np.array(
            [index[wheel.body] for wheel in mechanism.wheels], dtype=np.int64
        )
        self.bodies: int = len(index)
        self.start: NDArray[np.float64] = self._places(position).copy()

    def _places(self, position: NDArray[np.float64]) -> NDArray[np.float64]:
        """Positions of the wheels in the plane, (n, wheels, 2) [m]; ``position``: of all bodies, (n, 3
        bodies) [m]."""
        return position.reshape(len(position), -1, 3)[:, self.wheels, :2]

    def drift(
        self, before: NDArray[np.float64], after: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Motion of the wheels between two sets of positions (n, wheels, 2) [m].

        Returns the wheels' mean position after the motion (n, 2) [m], its displacement (n, 2) [m], and
        the mean rotation to the left (n,) [rad].
        """
        middle, there = before.mean(axis=1), after.mean(axis=1)
        arm, reach = before - middle[:, None], after - there[:, None]
        size = np.sum(arm * arm, axis=(1, 2))
        cross = np.sum(arm[:, :, 0] * reach[:, :, 1] - arm[:, :, 1] * reach[:, :, 0], axis=1)
        turn = cross / np.where(size > 1e-6, size, np.inf)
        return there, there - middle, turn

    def without_drift(
        self, position: NDArray[np.float64], velocity: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Velocities (n, 6 bodies) less the wheels' common motion in the plane."""
        n = len(position)
        twist = velocity[:, : 6 * self.bodies].reshape(n, -1, 6).copy()
        places = self._places(position)
        middle, shift, turn = self.drift(places, places + twist[:, self.wheels, :2])
        arm = position.reshape(n, -1, 3)[:, : self.bodies, :2] - (middle - shift)[:, None]
        twist[:, :, 0] -= shift[:, None, 0] - turn[:, None] * arm[:, :, 1]
        twist[:, :, 1] -= shift[:, None, 1] + turn[:, None] * arm[:, :, 0]
        twist[:, :, 5] -= turn[:, None]
        return twist.reshape(n, -1)

    def move_back(
        self, vehicles: NDArray[Any], position: NDArray[np.float64], quaternion: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Move poses (m, 3 bodies), (m, 4 bodies) of ``vehicles`` in place back to their start in the
        plane.

        Returns the removed displacements of the vehicles [m], (m,).
        """
        middle, shift, turn = self.drift(self.start[vehicles], self._places(position))
        x = position.reshape(len(position), -1, 3)[:, : self.bodies, :2]
        arm = x - middle[:, None]
        c, s = np.cos(turn)[:, None], np.sin(turn)[:, None]
        x[:, :, 0] = middle[:, :1] - shift[:, :1] + c * arm[:, :, 0] + s * arm[:, :, 1]
        x[:, :, 1] = middle[:, 1:] - shift[:, 1:] + c * arm[:, :, 1] - s * arm[:, :, 0]
        q = quaternion.reshape(len(quaternion), -1, 4)[:, : self.bodies]
        c, s = np.cos(0.5 * turn)[:, None], np.sin(0.5 * turn)[:, None]
        a, b, d, e = np.moveaxis(q, 2, 0).copy()
        q[:, :, 0], q[:, :, 3] = c * a + s * e, c * e - s * a
        q[:, :, 1], q[:, :, 2] = c * b + s * d, c * d - s * b
        return np.hypot(shift[:, 0], shift[:, 1])

    def travel(self, position: NDArray[np.float64]) -> NDArray[np.float64]:
        """Displacement of the wheels' mean in the plane since the start [m], (n, 2)."""
        return self._places(position).mean(axis=1) - self.start.mean(axis=1)
