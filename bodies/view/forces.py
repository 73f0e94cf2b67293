"""Force arrows at the wheels of a recorded run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels.records import WheelFrame
from ..running.trajectory import Trajectory

ARROW_HEIGHT = 0.05  # [m] height of an arrow above the ground, for visibility


@dataclass(frozen=True)
class WheelArrows:
    """Starts and directions of one wheel's force arrows at every record.

    Attributes:
        name: of the wheel.
        point: (n, 3) start of the arrows [m]: beside the tyre, just above the ground.
        directions: (n, 3, 3) unit vectors: normal, forward, left.
        forces: (n, 3) normal, traction less resistance, lateral [N].
        slip: (n,) slip ratio.
    """

    name: str
    point: np.ndarray
    directions: np.ndarray
    forces: np.ndarray
    slip: np.ndarray


def wheel_arrows(run: Trajectory) -> list[WheelArrows]:
    """Contact frames and forces of all wheels, from the run's :class:`bodies.WheelRecord`."""
    found = []
    for k, wheel in enumerate(run.model.mechanism.wheels):
        w = run.wheel(wheel.name)
        depth = np.maximum(-WheelFrame.gap.of(run.wheel_frames[:, k]), 0.0)
        directions = np.stack([w.normal, w.forward, w.left], axis=1)
        point = w.contact_point + (depth + ARROW_HEIGHT)[:, None] * w.normal
        # a run's first record has no wheel frames, as no step was taken
        if len(point) > 1 and not directions[0].any():
            directions[0] = directions[1]
            point[0] = point[1]
        offset = (0.5 * wheel.width + 0.08) * (1.0 if wheel.centre[1] >= 0.0 else -1.0)
        arrows = np.column_stack([w.load, w.traction + w.resistance, w.lateral])
        found.append(
            WheelArrows(wheel.name, point + offset * directions[:, 2], directions, arrows, w.slip)
        )
    return found


def arrow_points(wheels: list[WheelArrows], record: int, scale: float) -> np.ndarray:
    """Start and end of the arrows of one record, (3 wheels, 2, 3) [m]; ``scale`` in m/N.

    A very small force becomes a point below the ground, out of sight.
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
