"""Spring and damper of one wheel, with tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import checks
from ...forces import SpringDamper
from ..part import Assembly

LARGEST_LENGTH_RATIO = 10.0  # largest ratio of a spring's length to its free length, or the inverse


def spring_and_damper(to: Assembly, name: str, part: Any, body: str, at: Callable[[Any], Any]) -> None:
    """Add "NAME spring" and "NAME damper" between an axle's carrier and one of its bodies.

    Arguments:
        part: the axle, with ``carrier``, the ends of ``spring`` and ``damper`` (upper end first), their
            tables and ``free_length``.
        at: function from a point of the axle to world coordinates.

    Raises:
        MechanismError: a spring compressed or stretched more than tenfold in the described pose.
    """
    spring = SpringDamper(
        name=f"{name} spring",
        body_a=part.carrier,
        body_b=body,
        position=at(part.spring[0]),
        position_b=at(part.spring[1]),
        free_length=part.free_length,
        spring_table=part.spring_table,
    )
    length, free = spring.described_length, part.free_length
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
