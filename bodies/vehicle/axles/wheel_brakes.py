"""The brake of one wheel."""

from __future__ import annotations

from ...driveline import Brake
from ..part import Assembly


def brake_wheel(to: Assembly, wheel: str, capacity: float) -> None:
    """Add a brake with the control "brake" on a wheel's hub; ``capacity``: largest torque [N m], 0: no
    brake."""
    if capacity > 0.0:
        to.add(
            Brake(
                name=f"{wheel} brake",
                joint=f"{wheel} hub",
                capacity=capacity,
                pressure=to.control("brake"),
            )
        )
