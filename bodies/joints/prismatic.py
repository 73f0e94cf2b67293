"""Prismatic joint: a slider that cannot turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Prismatic(Joint):
    """Points on one axis, ``t_i . (p_b - p_a) = 0`` (2 rows), and equal orientation (3 rows).

    p: joint points; t_1, t_2: directions perpendicular to the axis. Coordinate: ``translation`` [m] of
    body_b along the axis, zero in the pose in which the bodies are described.
    """

    rows: ClassVar[int] = 5
    linear_rows: ClassVar[int] = 2
    coordinates: ClassVar[tuple[str, ...]] = ("translation",)
