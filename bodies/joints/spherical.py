"""Spherical joint: a ball and socket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Spherical(Joint):
    """Coincident joint points, ``p_b - p_a = 0`` (3 rows)."""

    rows: ClassVar[int] = 3
    linear_rows: ClassVar[int] = 3
