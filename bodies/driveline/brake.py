"""Brake: dry friction (static friction at rest) as a bounded row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..joints.coupling import Coupling
from ..kinds import NonNegative
from ..signals import Signal


@dataclass(frozen=True, kw_only=True)
class Brake(Coupling):
    """Dry friction: ``v = 0`` while ``|p| < h capacity pressure``, else the brake slips. The law is
    set-valued, so that a parked wheel cannot creep.

    v: rate of the coordinate; p: impulse in a step of length h.

    Arguments:
        joint: braked coordinate.
        capacity: largest torque [N m] or force [N], at least 0.
        pressure: signal in [0, 1], the fraction of the capacity.
    """

    joint: str
    capacity: NonNegative
    pressure: Signal = 0.0

    row: ClassVar[str] = "driveline.friction"
    bounded: ClassVar[bool] = True
    signal_ranges: ClassVar[dict[str, tuple[float, float]]] = {"pressure": (0.0, 1.0)}

    def numbers(self) -> tuple[float, ...]:
        return (self.capacity,)
