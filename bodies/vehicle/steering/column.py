"""The steering column, common to all steerings."""

from __future__ import annotations

import math
from typing import Any

from ...joints import Motor, Revolute
from ..part import Assembly


def driver_of(to: Assembly) -> Motor:
    """Motor by which the steering wheel follows the control "steering" [rad] up to three turns."""
    return Motor(
        name="driver",
        joint="steering wheel",
        target=to.control("steering"),
        mode="position",
        max_angle=3.0 * math.tau,
    )


def steering_column(to: Assembly, part: Any) -> None:
    """Add the column with its bearing "steering wheel", a hinge about its axis.

    Arguments: part: a steering, with ``column``, ``column_axis`` and its body ``on``.
    """
    place = to.centre(part, part.column)
    column = to.body("steering column", part.column, place, part.column_axis)
    to.add(
        Revolute(
            name="steering wheel", body_a=part.on, body_b=column, position=place, axis=part.column_axis
        )
    )
