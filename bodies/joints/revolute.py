"""Revolute joint: a hinge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Revolute(Joint):
    """Coincident points, ``p_b - p_a = 0`` (3 rows), and parallel axes, ``t_i . (a x b) = 0`` (2 rows).

    p: joint points; a, b: axis on body_a and on body_b. The transverse directions ``t_1, t_2`` are
    functions of the axis in world axes only, so that they do not spin with a wheel. Coordinate:
    ``angle`` [rad] of body_b relative to body_a about the axis, zero in the pose in which the bodies
    are described.
    """

    rows: ClassVar[int] = 5
    linear_rows: ClassVar[int] = 3
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
