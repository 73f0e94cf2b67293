"""Length: the distance of two points as a coordinate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import checks
from ..checks import checked
from ..kinds import Vector


@dataclass(frozen=True, kw_only=True)
@checked
class Length:
    """Distance ``|p_b - p_a|`` of two points p_a and p_b: a coordinate for a cylinder, limit or motor.

    Arguments:
        name: unique name; the coordinate is ``"name.length"``, or ``"name"``.
        body_a, body_b: names of the bodies, or ``"ground"``.
        position, position_b: the two ends [m], world axes, in the pose in which the bodies are
            described.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str
    body_a: str
    body_b: str
    position: Vector
    position_b: Vector

    @property
    def who(self) -> str:
        """Name of this element in messages."""
        return f"{type(self).__name__.lower()} {self.name!r}"

    def __post_init__(self) -> None:
        if self.body_a == self.body_b:
            raise checks.MechanismError(f"{self.who}: body_a and body_b are both {self.body_a!r}.")
        if self.described_length == 0.0:
            raise checks.MechanismError(
                f"{self.who}: position and position_b coincide, it has no direction."
            )

    @property
    def described_length(self) -> float:
        """Distance of the two ends in the pose of the description [m]."""
        return float(np.linalg.norm(np.subtract(self.position_b, self.position)))
