"""Effort on a joint coordinate after a schedule or an input."""

from __future__ import annotations

from dataclasses import dataclass

from ..kernels import codes
from ..signals import Signal, check_signal


@dataclass(frozen=True, kw_only=True)
class Torque:
    """Torque [N m] on an angle, or force [N] on a translation; body_b is pushed, body_a held.

    Arguments:
        name: unique name.
        joint: coordinate, ``"hinge"`` or ``"slider.translation"``.
        effort: signal; a schedule is evaluated in the middle of each step, where its mean is.

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str
    joint: str
    effort: Signal

    code = codes.FORCE_ON_COORDINATE

    def __post_init__(self) -> None:
        check_signal(f"torque {self.name!r}", "effort", self.effort)
