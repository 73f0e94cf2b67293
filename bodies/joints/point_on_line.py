"""Point on line: a ball in a straight groove."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Joint


@dataclass(frozen=True, kw_only=True)
class PointOnLine(Joint):
    """``t_i . (p_b - p_a) = 0`` (2 rows): a point of body_b is on a line of body_a.

    p: joint points; t_1, t_2: directions perpendicular to the line. Coordinate: ``translation`` [m]
    along the line, zero in the pose in which the bodies are described.
    """

    rows: ClassVar[int] = 2
    linear_rows: ClassVar[int] = 2
    coordinates: ClassVar[tuple[str, ...]] = ("translation",)
