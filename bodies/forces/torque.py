"""A torque or force on a joint coordinate by a schedule or input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..signals import Signal, check_signal
from .base import Force


@dataclass(frozen=True, kw_only=True)
class Torque(Force):
    """Torque [N m] on an angle, or force [N] on a translation; acts on body_b, its opposite on body_a.

    Arguments:
        name: unique name.
        joint: coordinate, ``"hinge"`` or ``"slider.translation"``.
        effort: signal of the effort; a schedule is evaluated in the middle of each step.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str
    joint: str
    effort: Signal

    def __post_init__(self) -> None:
        check_signal(self.who, "effort", self.effort)

    def signals(self) -> dict[str, Any]:
        return {"effort": self.effort}
