"""Half-shaft: an elastic shaft between two hinges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..joints.coupling import Coupling
from ..kinds import NonNegative, Positive


@dataclass(frozen=True, kw_only=True)
class HalfShaft(Coupling):
    """Torsion spring ``T = k (x_1 - x_2) + c (v_1 - v_2)`` as one implicit row.

    T: torque; x, v: angles and speeds of the ends. The shaft is assumed to have constant-velocity
    joints: their bend has no effect.

    Arguments:
        joint_1, joint_2: coordinates of the two ends, e.g. differential output and wheel hub.
        stiffness: torsional stiffness k [N m/rad].
        damping: torsional damping c [N m s/rad].
    """

    joint_1: str
    joint_2: str
    stiffness: Positive
    damping: NonNegative = 0.0

    row: ClassVar[str] = "forces.spring"
    coefficients: ClassVar[dict[str, float]] = {"joint_1": 1.0, "joint_2": -1.0}
    compliant: ClassVar[bool] = True
    elastic: ClassVar[bool] = True

    def numbers(self) -> tuple[float, ...]:
        return (self.stiffness, self.damping, 0.0)
