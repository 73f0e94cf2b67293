"""The steering column, common to all steerings."""

from __future__ import annotations

import math
from typing import Any

from ...joints import Coupling
from ..part import Assembly


def steering_column(to: Assembly, part: Any) -> None:
    """Add the column with its bearing "steering wheel", a hinge about its axis.

    Arguments: part: a steering, with ``column``, ``column_axis`` and its body ``on``.
    """
    place = to.centre(part, part.column)
    column = to.body("steering column", part.column, place, part.column_axis)
    to.hinge("steering wheel", part.on, column, place, part.column_axis)


def add_gear(to: Assembly, gear: Coupling) -> None:
    """Add the steering gear, and the driver: the steering wheel follows the control "steering" [rad] up
    to three turns."""
    to.add(gear)
    to.turn_by("driver", "steering wheel", "steering", 3.0 * math.tau)
