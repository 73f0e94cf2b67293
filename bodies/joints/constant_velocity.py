"""Constant-velocity joint: two shafts that meet in a point at any angle, and have equal spins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Joint


@dataclass(frozen=True, kw_only=True)
class ConstantVelocity(Joint):
    """Coincident points, ``p_b - p_a = 0`` (3 rows), and no twist about the bent shaft (1 row).

    ``axis`` is the direction of the shaft in body_a, ``axis_b`` that in body_b (default: the same), both
    in the same sense. The axis of the relative rotation is perpendicular to both shafts, so that the
    spins are equal at any bend below 90 degrees, as in a Rzeppa joint. At velocity level:
    ``(w_b - w_a) . (n_a + n_b) = 0``. p: joint points; w: angular velocities; n: shaft directions.
    """

    rows: ClassVar[int] = 4
    linear_rows: ClassVar[int] = 3
