"""The steering column, which every steering has."""

from __future__ import annotations

from typing import Any

from ...joints import Revolute
from ..part import Assembly


def steering_column(to: Assembly, part: Any) -> None:
    """The column on its bearing "steering wheel", a hinge about its axis.

    Arguments: part: a steering, with ``column``, ``column_axis`` and the body ``on`` which it stands.
    """
    place = to.centre(part, part.column)
    column = to.body("steering column", part.column, place, part.column_axis)
    to.add(
        Revolute(
            name="steering wheel", body_a=part.on, body_b=column, position=place, axis=part.column_axis
        )
    )
