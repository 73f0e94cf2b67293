"""Limit: two stops of a joint coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .. import checks
from .coupling import Coupling


@dataclass(frozen=True, kw_only=True)
class Limit(Coupling):
    """Hard, plastic stops ``lower <= x <= upper`` of a coordinate x (1 unilateral row, at the nearer).

    Arguments:
        joint: the limited coordinate.
        lower, upper: values of x at the stops [rad or m]; an angle or translation is 0 in the pose in
            which the bodies are described.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    joint: str
    lower: float
    upper: float

    row: ClassVar[str] = "joints.limit"
    bounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.number(self.who, "upper", self.upper, self.lower, open_low=True)

    def numbers(self) -> tuple[float, ...]:
        return (self.lower, self.upper)
