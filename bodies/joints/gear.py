"""Gear pair between two joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..kinds import NonZero
from .coupling import Coupling


@dataclass(frozen=True, kw_only=True)
class Gear(Coupling):
    """Bilateral coupling ``x_1 - ratio x_2 = const`` (1 row) of two joint coordinates x_1 and x_2.

    Arguments:
        joint_1, joint_2: coordinates, ``"hinge"`` or ``"slider.translation"``.
        ratio: speed of joint_1 over speed of joint_2 [-]; negative for an external gear pair.
    """

    joint_1: str
    joint_2: str
    ratio: NonZero

    row: ClassVar[str] = "joints.gear"
    measured: ClassVar[bool] = True

    def terms(self) -> tuple[tuple[str, float], ...]:
        return ((self.joint_1, 1.0), (self.joint_2, -self.ratio))
