"""Motor: a joint coordinate whose value or rate is a signal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from mlcp.kinds import Range

from .. import checks
from ..kinds import Words
from ..signals import Signal
from .coupling import Coupling

Limit = Annotated[float, Range(0.0, finite=False)]


@dataclass(frozen=True, kw_only=True)
class Motor(Coupling):
    """Drive ``x = x_0 + target(t)`` or ``dx/dt = target(t)`` (1 row), optionally with limited effort.

    x: the coordinate; x_0: its value in the pose in which the bodies are described; p: impulse in a
    step of length h.

    Arguments:
        joint: the driven coordinate.
        target: signal [rad, m, rad/s or m/s]. If an initial target position is not 0, ``compile``
            moves the bodies to it.
        mode: ``"position"`` or ``"speed"``.
        max_effort: largest torque [N m] or force [N] (mode ``"speed"`` only; default: unlimited). With a
            limit the row is bounded, ``|p| <= h max_effort``, and a larger load overcomes the motor.
        max_angle: largest magnitude of a target angle [rad] (position of a hinge only; default: no
            limit).

    Raises:
        MechanismError: naming the element, the field, its value and the allowed range.
    """

    joint: str
    target: Signal
    mode: Annotated[str, Words(("position", "speed"))] = "speed"
    max_effort: Limit = math.inf
    max_angle: Limit = math.inf

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mode == "position" and math.isfinite(self.max_effort):
            raise checks.MechanismError(
                f"{self.who}: max_effort needs mode 'speed', got mode 'position'."
            )

    @property
    def signal_ranges(self) -> dict[str, tuple[float, float]]:  # type: ignore[override]
        """Range of the target, -max_angle to max_angle."""
        return {"target": (-self.max_angle, self.max_angle)}

    @property
    def signal_unit(self) -> str:  # type: ignore[override]
        """Unit of the target: "rad" for an angle with a limit, otherwise empty."""
        return "rad" if math.isfinite(self.max_angle) else ""

    @property
    def row(self) -> str:  # type: ignore[override]
        """Kernel of the row: bilateral for a position or an unlimited speed, bounded for a limited
        motor."""
        if self.mode == "position":
            return "joints.position_drive"
        return "joints.limited_drive" if self.bounded else "joints.speed_drive"

    @property
    def measured(self) -> bool:  # type: ignore[override]
        """Whether the motor drives a position, and so has a position error."""
        return self.mode == "position"

    @property
    def bounded(self) -> bool:  # type: ignore[override]
        """Whether the effort is limited, and so the row is bounded."""
        return math.isfinite(self.max_effort)

    def numbers(self) -> tuple[float, ...]:
        return (self.max_effort if math.isfinite(self.max_effort) else 0.0,)
