"""Base class of parts with a differential: open, locked, locked by a control, or torque-sensing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ... import checks
from ...driveline import Clutch, LimitedSlip
from ...joints import Differential
from ...kinds import Name, NonNegative, Range
from ..part import Assembly, Part

SENSING = "torque-sensing"


@dataclass(frozen=True, kw_only=True)
class LockingPart(Part):
    """Part with a differential "NAME differential" and, if it is not open, a lock between the outputs.

    Arguments:
        differential: "open", "locked" (a clutch between the outputs of capacity ``lock_capacity``),
            "torque-sensing", or the name of the control for the lock, 0 to 1.
        lock_capacity: largest torque of the closed lock [N m], at least 0.
        bias_ratio: torque bias ratio [-] of a torque-sensing lock, see :class:`bodies.LimitedSlip`.
        preload: friction torque of a torque-sensing lock without load [N m], at least 0.
    """

    differential: Name = "open"
    lock_capacity: NonNegative = 2e4
    bias_ratio: Annotated[float, Range(1.0, 100.0)] = 3.0
    preload: NonNegative = 0.0

    def divide(self, to: Assembly, input: str, left: str, right: str, ratio: float = 1.0) -> None:
        """Add the differential and, unless it is open, the friction of the lock between the outputs.

        If the clutch's capacity is exceeded, it slips: the outputs turn at different speeds, and their
        torques differ by twice the capacity. UnknownName for a lock whose control does not exist.
        """
        kind, name, differential = self.differential, f"{self.name} lock", f"{self.name} differential"
        to.add(Differential(name=differential, input=input, left=left, right=right, ratio=ratio))
        if kind == SENSING:
            to.add(
                LimitedSlip(
                    name=name,
                    differential=differential,
                    joint_1=left,
                    joint_2=right,
                    bias_ratio=self.bias_ratio,
                    preload=self.preload,
                )
            )
        elif kind != "open":
            if kind != "locked" and kind not in to.controls:
                known = {"open", "locked", SENSING, *to.controls}
                raise checks.UnknownName(f"{self.who}: differential", kind, known)
            to.add(
                Clutch(
                    name=name,
                    joint_1=left,
                    joint_2=right,
                    capacity=self.lock_capacity,
                    engagement=1.0 if kind == "locked" else to.control(kind),
                )
            )
