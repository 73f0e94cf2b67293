"""Engine: torque over speed and throttle."""

from __future__ import annotations

from dataclasses import dataclass

from .. import checks
from ..kernels import codes
from ..signals import Signal, check_signal


@dataclass(frozen=True, kw_only=True)
class Engine:
    """``T = throttle T_full(omega) - (1 - throttle) T_drag(omega)`` on the crankshaft's hinge.

    Explicit in the speed; outside the table the last slope goes on, so that a governor branch
    that falls to zero keeps falling.

    Arguments:
        name: unique name.
        joint: hinge of the crankshaft on its housing.
        full_load: pairs (speed [rad/s], torque [N m]) at full throttle.
        motoring: pairs (speed [rad/s], braking torque [N m]) at closed throttle; may be empty.
        throttle: signal, clamped to [0, 1].

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    name: str
    joint: str
    full_load: tuple[tuple[float, float], ...]
    motoring: tuple[tuple[float, float], ...] = ()
    throttle: Signal = 1.0

    code = codes.ENGINE

    def __post_init__(self) -> None:
        who = f"engine {self.name!r}"
        object.__setattr__(self, "full_load", checks.table(who, "full_load", self.full_load))
        if self.motoring:
            object.__setattr__(self, "motoring", checks.table(who, "motoring", self.motoring))
        check_signal(who, "throttle", self.throttle)
