"""The spring and the damper of one wheel, by tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..forces import SpringDamper
from .part import Assembly


def spring_and_damper(to: Assembly, name: str, part: Any, body: str, at: Callable[[Any], Any]) -> None:
    """ "NAME spring" and "NAME damper" between an axle's carrier and a body of its own.

    Arguments:
        part: the axle, with ``carrier``, the ends of ``spring`` and ``damper`` (upper end first), their
            tables and ``free_length``.
        at: where in the world a point of the axle lies.
    """
    to.add(
        SpringDamper(
            name=f"{name} spring",
            body_a=part.carrier,
            body_b=body,
            position=at(part.spring[0]),
            position_b=at(part.spring[1]),
            free_length=part.free_length,
            spring_table=part.spring_table,
        ),
        SpringDamper(
            name=f"{name} damper",
            body_a=part.carrier,
            body_b=body,
            position=at(part.damper[0]),
            position_b=at(part.damper[1]),
            damper_table=part.damper_table,
        ),
    )
