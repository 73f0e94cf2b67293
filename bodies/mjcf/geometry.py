"""Geometry of the initial pose, and numbers as text for XML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..body import GROUND
from ..frames import frame, quaternion_matrix
from ..model import Model


@dataclass(frozen=True)
class JointEnds:
    """Points and frames of an element on its two bodies, world axes; the third column of a frame is the
    axis."""

    point_a: np.ndarray
    point_b: np.ndarray
    frame_a: np.ndarray
    frame_b: np.ndarray


class Geometry:
    """Initial pose of a model, in which the joints are closed.

    Attributes:
        position, rotation, quaternion: pose of each body by name, including the ground.
        joints: ends of each joint and bushing, by name.
        lengths: ends of each point-to-point spring, by name.
        start: value of each joint coordinate in this pose, by name [rad or m].
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        names = [*model.body_index, GROUND]
        x = model.machine.position.reshape(-1, 3)
        q = model.machine.quaternion.reshape(-1, 4)
        self.position = dict(zip(names, x, strict=True))
        self.quaternion = dict(zip(names, q, strict=True))
        self.rotation = {name: quaternion_matrix(k) for name, k in self.quaternion.items()}
        self.body = {b.name: b for b in model.mechanism.bodies}
        machine = model.machine
        self.joints = {
            j.name: self._ends(r.ends, j.body_a, j.body_b)
            for j, r in zip(model.joint_order, machine.joints, strict=True)
        }
        values = model.machine.coordinate
        self.start = {name: float(values[k]) for name, k in model.coordinate_index.items()}
        ends = machine.coordinates.ends
        self.owners = {
            name: (names[ends[k].a], names[ends[k].b]) for name, k in model.coordinate_index.items()
        }
        self.lengths = {
            name: self._ends(ends[k], *self.owners[name])
            for name, k in model.coordinate_index.items()
            if name.endswith(".length")
        }

    def _ends(self, record: Any, a: str, b: str) -> JointEnds:
        Ra, Rb = self.rotation[a], self.rotation[b]
        return JointEnds(
            self.position[a] + Ra @ record.point_a,
            self.position[b] + Rb @ record.point_b,
            Ra @ record.axes_a.reshape(3, 3),
            Rb @ record.axes_b.reshape(3, 3),
        )

    def point_in(self, body: str, point: Any) -> np.ndarray:
        """Coordinates of a world point in the axes of a body, from its centre of mass."""
        return self.rotation[body].T @ (np.asarray(point) - self.position[body])

    def direction_in(self, body: str, direction: Any) -> np.ndarray:
        """Components of a world direction in the axes of a body."""
        return self.rotation[body].T @ np.asarray(direction)

    def point_of(self, body: str, described: Any) -> np.ndarray:
        """World coordinates of a body's point in the initial pose; ``described``: its coordinates in the
        pose of the description.
        """
        if body == GROUND:
            return np.asarray(described, float)
        own = self.body[body]
        local = quaternion_matrix(own.orientation).T @ (np.asarray(described) - own.position)
        return self.position[body] + self.rotation[body] @ local

    def direction_of(self, body: str, described: Any) -> np.ndarray:
        """World direction of a body's vector in the initial pose; ``described``: its direction in the
        pose of the description.
        """
        if body == GROUND:
            return np.asarray(described, float)
        local = quaternion_matrix(self.body[body].orientation).T @ np.asarray(described, float)
        return self.rotation[body] @ local


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """Unit quaternion (scalar first) of a rotation matrix."""
    k = 1.0 + np.array([np.trace(R), *(2.0 * np.diag(R) - np.trace(R))])
    i = int(np.argmax(k))
    q = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    if i == 0:
        q = np.array([k[0], *q])
    else:
        j = i - 1
        q = np.array([q[j], *(R[:, j] + R[j, :])])
        q[i] = k[i]
    return q / np.linalg.norm(q)


def quaternion_to(axis: Any) -> np.ndarray:
    """Quaternion of a frame with ``axis`` as third axis."""
    return quaternion_of(frame(np.asarray(axis, float)))


def text(values: float | Iterable[float]) -> str:
    """Text of numbers for XML, with full precision."""
    if isinstance(values, int | float | np.number):
        return repr(float(values))
    return " ".join(repr(float(v) + 0.0) for v in values)
