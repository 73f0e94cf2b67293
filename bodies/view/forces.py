"""Force arrows at the wheels of a recorded run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from contact.rigid import HeightField

from ..builder import quaternion_matrix
from ..trajectory import Trajectory

KINDS = ("normal", "traction", "lateral")


@dataclass(frozen=True)
class WheelForces:
    """Forces of the ground on one wheel at every record.

    Attributes:
        name: of the wheel.
        point: (n, 3) where the arrows start [m]: beside the tyre, at the contact point's height.
        directions: (n, 3, 3) unit vectors: normal, forward, left.
        forces: (n, 3) normal, traction less resistance, lateral [N].
        resistance: (n,) motion resistance at the centre [N], part of the traction arrow.
    """

    name: str
    point: np.ndarray
    directions: np.ndarray
    forces: np.ndarray
    resistance: np.ndarray


def wheel_forces(run: Trajectory) -> list[WheelForces]:
    """Every wheel's contact frames and forces, from its pose and channels."""
    found = []
    for wheel in run.model.mechanism.wheels:
        k = run.model.body(wheel.body)
        body = run.model.mechanism.bodies[k]
        R0 = quaternion_matrix(body.orientation)
        local_axis = R0.T @ np.array(wheel.spin_axis)
        local_centre = R0.T @ (np.array(wheel.centre) - body.position)
        R = np.array([quaternion_matrix(q) for q in run.quaternions[:, k]])
        axis, centre = R @ local_axis, run.positions[:, k] + R @ local_centre
        normal = normals(wheel.ground, centre)
        down = (axis * (axis * normal).sum(axis=1, keepdims=True)) - normal
        down /= np.linalg.norm(down, axis=1, keepdims=True)
        forward = np.cross(axis, normal)
        forward /= np.linalg.norm(forward, axis=1, keepdims=True)
        force = run.channel_force(wheel.name)
        arrows = np.column_stack([force[:, 0], force[:, 1] + force[:, 3], force[:, 2]])
        directions = np.stack([normal, forward, np.cross(normal, forward)], axis=1)
        beside = (0.5 * wheel.width + 0.08) * (1.0 if wheel.centre[1] >= 0.0 else -1.0)
        point = centre + wheel.radius * down + beside * axis
        found.append(WheelForces(wheel.name, point, directions, arrows,
                                 force[:, 3]))
    return found


def normals(ground: object, points: np.ndarray) -> np.ndarray:
    """Normal of the ground below every point, (n, 3)."""
    if isinstance(ground, HeightField):
        z = np.asarray(ground.heights)
        step = np.array(ground.spacing)
        s = (points[:, :2] - ground.origin) / step
        i = np.clip(np.floor(s).astype(int), 0, np.array(z.shape) - 2)
        u = np.clip(s - i, 0.0, 1.0)
        a, b = z[i[:, 0], i[:, 1]], z[i[:, 0] + 1, i[:, 1]]
        c, d = z[i[:, 0], i[:, 1] + 1], z[i[:, 0] + 1, i[:, 1] + 1]
        dx = ((b - a) * (1 - u[:, 1]) + (d - c) * u[:, 1]) / step[0]
        dy = ((c - a) * (1 - u[:, 0]) + (d - b) * u[:, 0]) / step[1]
        n = np.column_stack([-dx, -dy, np.ones(len(points))])
        return n / np.linalg.norm(n, axis=1, keepdims=True)
    if hasattr(ground, "height"):
        return np.array([np.asarray(ground.normal(x, y), float) for x, y in points[:, :2]])
    normal = np.array(getattr(ground, "normal", (0.0, 0.0, 1.0)))
    return np.tile(normal, (len(points), 1))


def arrow_points(wheels: list[WheelForces], record: int, scale: float) -> np.ndarray:
    """Start and end of the arrows of one record, (3 wheels, 2, 3) [m]; ``scale`` in m/N.

    A force too small to draw becomes a point below the ground, where nobody sees it.
    """
    arrows = np.zeros((3 * len(wheels), 2, 3))
    for k, w in enumerate(wheels):
        for i in range(3):
            span = scale * w.forces[record, i] * w.directions[record, i]
            start = w.point[record]
            if np.linalg.norm(span) < 0.02:
                start, span = start - [0.0, 0.0, 5.0], np.array([0.0, 0.0, 0.02])
            arrows[3 * k + i] = start, start + span
    return arrows
