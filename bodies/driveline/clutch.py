"""Clutch: bounded friction between two shafts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..joints.coupling import Coupling
from ..kinds import NonNegative
from ..signals import Signal


@dataclass(frozen=True, kw_only=True)
class Clutch(Coupling):
    """Dry friction: ``v_1 - v_2 = 0`` while ``|p| < h capacity engagement``, else the clutch slips (1
    row with a bounded impulse).

    v_1, v_2: rates of the coordinates; p: impulse in a step of length h. The element also models a lock
    or a limited-slip unit between the outputs of a differential.

    Arguments:
        joint_1, joint_2: coordinates of the two shafts.
        capacity: largest torque [N m] or force [N], at least 0.
        engagement: signal in [0, 1], the fraction of the capacity.
    """

    joint_1: str
    joint_2: str
    capacity: NonNegative
    engagement: Signal = 1.0

    row: ClassVar[str] = "driveline.friction"
    coefficients: ClassVar[dict[str, float]] = {"joint_1": 1.0, "joint_2": -1.0}
    bounded: ClassVar[bool] = True
    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"engagement": (0.0, 1.0)}

    def numbers(self) -> tuple[float, ...]:
        return (self.capacity,)
