"""Torque-sensing limited slip: friction between the outputs of a differential in proportion to its
torque."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from mlcp.kinds import Range

from ..joints.coupling import Coupling
from ..joints.differential import Differential
from ..kinds import Name, NonNegative


@dataclass(frozen=True, kw_only=True)
class LimitedSlip(Coupling):
    """Friction: ``v_1 - v_2 = 0`` while ``|p| < h (preload + S T / 2)``, ``S = (B - 1)/(B + 1)``, else
    the outputs slip.

    v_1, v_2: speeds of the outputs; p: impulse in a step of length h. T is the sum of both outputs'
    torques: without preload the larger output torque is at most B times the smaller. B is the torque
    bias ratio of a Torsen or another differential with worm or helical gears, or with ramps that clamp
    its friction plates; S is its locking value. T is taken from the last step: the bound follows a
    change of T within some steps, and the friction is dissipative for any T.

    Arguments:
        name: unique name.
        differential: name of the :class:`bodies.Differential` between these outputs.
        joint_1, joint_2: coordinates of the two outputs.
        bias_ratio: B [-], at least 1 (open differential).
        preload: friction torque without load [N m], at least 0.

    Source: Chocholek, S. E. (1988), The development of a differential for the improvement of traction
    control, IMechE C368/88, for the bias ratio.
    """

    differential: Name
    joint_1: str
    joint_2: str
    bias_ratio: Annotated[float, Range(1.0, 100.0)] = 3.0
    preload: NonNegative = 0.0

    row: ClassVar[str] = "driveline.limited_slip"
    coefficients: ClassVar[dict[str, float]] = {"joint_1": 1.0, "joint_2": -1.0}
    bounded: ClassVar[bool] = True

    def numbers(self) -> tuple[float, ...]:
        return ((self.bias_ratio - 1.0) / (self.bias_ratio + 1.0), self.preload)

    def reads(self) -> tuple[str, type[Coupling]]:
        return self.differential, Differential
