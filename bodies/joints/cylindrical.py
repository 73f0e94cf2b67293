"""Cylindrical joint: two bodies that slide along and turn about a common axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Cylindrical(Joint):
    """Points on one axis, ``t_i . (p_b - p_a) = 0`` (2 rows), and parallel axes (2 rows).

    p: joint points; t_1, t_2: directions perpendicular to the axis. Coordinates: ``angle`` [rad] and
    ``translation`` [m], zero in the pose in which the bodies are described.
    """

    rows: ClassVar[int] = 4
    linear_rows: ClassVar[int] = 2
    coordinates: ClassVar[tuple[str, ...]] = ("angle", "translation")
