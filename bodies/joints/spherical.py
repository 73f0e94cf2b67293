"""Spherical joint: a ball and socket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..kernels import codes
from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Spherical(Joint):
    """``p_b - p_a = 0`` (3 rows)."""

    kind: ClassVar[int] = codes.SPHERICAL
    rows: ClassVar[int] = 3
    linear_rows: ClassVar[int] = 3
