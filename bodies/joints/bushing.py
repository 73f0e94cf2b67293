"""Bushing: a rubber joint, six spring-damper rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..kinds import NonNegatives
from .base import Joint


@dataclass(frozen=True, kw_only=True)
class Bushing(Joint):
    """Six implicit rows ``v+ + e p + b = 0`` along and about axes of body_a, with the compliance
    ``e = 1/(h (h k + c))`` and the bias ``b = k x/(h k + c)``; p: impulse; h: step length.

    The deflections x are ``p_b - p_a`` (p_a, p_b: joint points), and the axis of body b's rotation
    relative to a times the sine of its angle, both in the bushing frame, whose third axis is ``axis``;
    v+: their rates at the end of the step.

    Arguments:
        stiffness: stiffnesses k along the two transverse axes, then along ``axis`` [N/m].
        damping: dampings c along these axes [N s/m].
        rotational_stiffness: stiffnesses about these axes [N m/rad].
        rotational_damping: dampings about these axes [N m s/rad].
    """

    stiffness: NonNegatives
    damping: NonNegatives
    rotational_stiffness: NonNegatives = (0.0, 0.0, 0.0)
    rotational_damping: NonNegatives = (0.0, 0.0, 0.0)

    rows: ClassVar[int] = 6
    linear_rows: ClassVar[int] = 3
    compliant: ClassVar[bool] = True

    def numbers(self) -> tuple[float, ...]:
        return (*self.stiffness, *self.damping, *self.rotational_stiffness, *self.rotational_damping)
