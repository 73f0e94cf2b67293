"""Universal joint: two perpendicular hinges whose axes meet in a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import checks
from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Universal(Joint):
    """Coincident points, ``p_b - p_a = 0`` (3 rows), and perpendicular pins, ``a . b = 0`` (1 row).

    ``axis`` is the direction a of the pin in body_a, ``axis_b`` the direction b of the pin in body_b; in
    the pose of the description they must be perpendicular.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    rows: ClassVar[int] = 4
    linear_rows: ClassVar[int] = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.axis_b is None:
            raise checks.MechanismError(f"{self.who}: axis_b, the pin in body_b, must be given.")
        cosine = float(np.dot(self.axis, self.axis_b))
        if abs(cosine) > 0.5:
            raise checks.MechanismError(
                f"{self.who}: the pins must be at right angles, but axis and axis_b enclose "
                f"{np.degrees(np.arccos(np.clip(cosine, -1, 1))):.1f} degrees."
            )
