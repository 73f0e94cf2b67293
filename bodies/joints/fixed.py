"""Fixed joint: two bodies without relative motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Fixed(Joint):
    """Coincident points, ``p_b - p_a = 0``, and equal orientation, ``1/2 sum_i a_i x b_i = 0`` (6 rows).

    p: joint points; a_i, b_i: axes of the joint frame on body_a and on body_b.
    """

    rows: ClassVar[int] = 6
    linear_rows: ClassVar[int] = 3
