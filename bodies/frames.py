"""Rotation matrices of quaternions and of joint axes."""

from __future__ import annotations

from typing import Any

import numpy as np


def quaternion_matrix(q: Any) -> np.ndarray:
    """Rotation matrix (3, 3) of a unit quaternion, scalar first."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4), scalar first."""
    return np.moveaxis(quaternion_matrix(np.moveaxis(np.asarray(q), -1, 0)), (0, 1), (-2, -1))


def frame(axis: Any, near: Any = None) -> np.ndarray:
    """Right-handed frame (3, 3) with the unit vector ``axis`` as its third column.

    With a frame ``near`` the result is that frame after the smallest rotation of its third column to
    ``axis``.
    """
    z = np.asarray(axis, float)
    if near is None:
        x = np.cross([1.0, 0.0, 0.0] if abs(z[0]) < 0.9 else [0.0, 1.0, 0.0], z)
        x /= np.linalg.norm(x)
    elif near[:, 2] @ z > -0.99:
        x = near[:, 0] - (near[:, 0] @ z) / (1.0 + near[:, 2] @ z) * (near[:, 2] + z)
    else:  # nearly opposite axes: the smallest rotation is ill-conditioned
        x = near[:, 0] - z * (near[:, 0] @ z)
        x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
