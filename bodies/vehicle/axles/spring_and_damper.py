"""Spring and damper of one wheel, with tables of their forces."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ... import checks
from ...forces import SpringDamper
from ..part import Assembly

LARGEST_LENGTH_RATIO = 10.0  # largest ratio of a spring's length to its free length, and vice versa


def check_spring(part: Any) -> None:
    """Check that an axle has exactly one kind of spring.

    Raises:
        MechanismError: the axle has neither a table with a free length nor an air spring, or it has
            both.
    """
    steel = (part.spring_table is not None, part.free_length is not None)
    if (part.air_spring is None and not all(steel)) or (part.air_spring is not None and any(steel)):
        raise checks.MechanismError(
            f"{part.who}: its spring must be spring_table and free_length, or an air_spring instead."
        )


def spring_of(part: Any) -> tuple[Any, float]:
    """Table of an axle's spring (elongation [m], tension [N]), and length at elongation 0 [m]."""
    if part.air_spring is None:
        return part.spring_table, part.free_length
    return part.air_spring.table, math.dist(*part.spring)


def spring_and_damper(to: Assembly, name: str, part: Any, body: str, at: Callable[[Any], Any]) -> None:
    """Add "NAME spring" and "NAME damper" between an axle's carrier and one of its bodies.

    Arguments:
        part: the axle, with ``carrier``, tables, and the ends of ``spring`` and ``damper``, upper first.
        at: function from a point of the axle to world coordinates.

    Raises:
        MechanismError: a spring compressed or stretched more than tenfold in the pose of the
            description.
    """
    table, free = spring_of(part)
    spring = SpringDamper(
        name=f"{name} spring",
        body_a=part.carrier,
        body_b=body,
        position=at(part.spring[0]),
        position_b=at(part.spring[1]),
        free_length=free,
        spring_table=table,
    )
    length = spring.described_length
    if not free / LARGEST_LENGTH_RATIO <= length <= LARGEST_LENGTH_RATIO * free:
        raise checks.MechanismError(
            f"{part.who}: free_length [m] = {free:g} beside {length:.3g} m between the spring's ends in "
            f"the described pose; at most {LARGEST_LENGTH_RATIO:g} times more or less can be meant."
        )
    to.add(
        spring,
        SpringDamper(
            name=f"{name} damper",
            body_a=part.carrier,
            body_b=body,
            position=at(part.damper[0]),
            position_b=at(part.damper[1]),
            damper_table=part.damper_table,
        ),
    )
