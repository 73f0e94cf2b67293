"""The brake of one wheel."""

from __future__ import annotations

from ...driveline import Brake
from ..part import Assembly


def brake_wheel(to: Assembly, wheel: str, capacity: float) -> None:
    """Add a brake of a torque [N m] on the hub of a wheel, with the control "brake"; 0: none."""
    if capacity > 0.0:
        to.add(
            Brake(
                name=f"{wheel} brake",
                joint=f"{wheel} hub",
                capacity=capacity,
                pressure=to.control("brake"),
            )
        )
