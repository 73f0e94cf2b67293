"""Planar joint: a plate that slides on a plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Planar(Joint):
    """Points in one plane, ``n . (p_b - p_a) = 0`` (1 row), and parallel normals (2 rows).

    p: joint points; n: normal, ``axis``. Coordinate: ``angle`` [rad], of body_b relative to body_a about
    the normal, zero in the pose in which the bodies are described.
    """

    rows: ClassVar[int] = 3
    linear_rows: ClassVar[int] = 1
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
