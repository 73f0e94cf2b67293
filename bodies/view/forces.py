"""Force arrows at the wheels of a recorded run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels.records import WheelFrame
from ..running.trajectory import Trajectory
from .shapes import outward_signs

#: Colours of normal force, traction and lateral force.
COLOURS = (20, 80, 200), (226, 84, 0), (126, 36, 180)


@dataclass(frozen=True)
class WheelArrows:
    """Starts, directions and lengths of one wheel's force arrows at every record.

    Attributes:
        name: name of the wheel.
        point: common start of the arrows, next to the tyre just above the ground, (n, 3) [m].
        directions: unit vectors normal, forward, left, (n, 3, 3).
        forces: normal force, traction less resistance, lateral force, (n, 3) [N].
        slip: slip ratio, (n,) [-].
    """

    name: str
    point: np.ndarray
    directions: np.ndarray
    forces: np.ndarray
    slip: np.ndarray


def wheel_arrows(run: Trajectory) -> list[WheelArrows]:
    """Contact frames and forces of all wheels, from the run's :class:`bodies.WheelRecord`."""
    found, out = [], outward_signs(run.model.mechanism)
    for k, wheel in enumerate(run.model.mechanism.wheels):
        w = run.wheel(wheel.name)
        depth = np.maximum(-WheelFrame.gap.of(run.wheel_frames[:, k]), 0.0)
        directions = np.stack([w.normal, w.forward, w.left], axis=1)
        # 5 cm above the ground, so that it does not hide the arrows
        point = w.contact_point + (depth + 0.05)[:, None] * w.normal
        # the first record of a run has no wheel frames, since no step has been taken
        if len(point) > 1 and not directions[0].any():
            directions[0] = directions[1]
            point[0] = point[1]
        offset = (0.5 * wheel.width + 0.08) * out[wheel.name]
        arrows = np.column_stack([w.load, w.traction + w.resistance, w.lateral])
        found.append(
            WheelArrows(wheel.name, point + offset * directions[:, 2], directions, arrows, w.slip)
        )
    return found


def arrow_points(wheels: list[WheelArrows], record: int, scale: float) -> np.ndarray:
    """Starts and ends of the arrows of one record, (3 wheels, 2, 3) [m]; ``scale``: length over force
    [m/N].

    An arrow too short to be drawn is moved 5 m down, where the ground hides it.
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
