"""Distance joint: a massless rod with ball ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from mlcp.kinds import Range

from .. import checks
from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Distance(Joint):
    """Constant distance, ``|p_b - p_a| - rod_length = 0`` (1 row); p_a, p_b: ends of the rod.

    Arguments:
        position, position_b: the two ends [m].
        rod_length: length of the rod [m]; default: the distance of the two ends.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    rod_length: Annotated[float, Range(0.0, unit="m", open_low=True)] | None = None

    rows: ClassVar[int] = 1
    linear_rows: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.position_b is None or self.position_b == self.position:
            raise checks.MechanismError(
                f"{self.who}: position_b, the end on body_b, must be given and differ from "
                f"position, got {self.position_b!r}."
            )

    @property
    def length(self) -> float:
        """Prescribed length [m]."""
        if self.rod_length is not None:
            return self.rod_length
        return float(np.linalg.norm(np.array(self.position_b) - np.array(self.position)))

    def numbers(self) -> tuple[float, ...]:
        return (self.length,)
