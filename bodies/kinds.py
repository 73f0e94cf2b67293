"""Range and shape of a field as part of its type, which the constructor checks.

    mass: Positive                                  # a float above 0
    tie_rod: Annotated[tuple[Point, ...], Points(2)]

The reader of files takes the shape of a value from the same types, and its unit from
``bodies/units.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from mlcp.kinds import Range

from . import checks

LARGEST_DISTANCE = 100.0  # [m] largest coordinate and largest length of a vehicle's parts
LARGEST_RATIO = 1e4  # [-] largest gear ratio


@dataclass(frozen=True)
class Numbers:
    """Check of ``size`` finite numbers in [low, high]; size None: one number or more, none of them 0."""

    size: int | None = 3
    low: float = -math.inf
    high: float = math.inf

    def __call__(self, who: str, field: str, value: Any) -> tuple[float, ...]:
        found = checks.vector(who, field, value, self.size)
        for k, x in enumerate(found):
            checks.number(who, f"{field}[{k}]", x, self.low, self.high)
            if x == 0.0 and self.size is None:
                raise checks.MechanismError(f"{who}: {field}[{k}] must not be zero.")
        return found


_near = Numbers(3, -LARGEST_DISTANCE, LARGEST_DISTANCE)


@dataclass(frozen=True)
class Direction:
    """Check of a direction: three numbers, not all 0; ``unit``: they are returned normalised."""

    unit: bool = False

    def __call__(self, who: str, field: str, value: Any) -> tuple[float, ...]:
        found = checks.unit_vector(who, field, value)
        return found if self.unit else checks.vector(who, field, value)


@dataclass(frozen=True)
class Points:
    """Check of ``size`` points with coordinates up to ``LARGEST_DISTANCE`` [m], of which no two
    successive ones are closer than 1e-6 m."""

    size: int

    def __call__(self, who: str, field: str, value: Any) -> tuple[tuple[float, ...], ...]:
        if not isinstance(value, list | tuple) or len(value) != self.size:
            got = checks.shown(value)
            raise checks.MechanismError(f"{who}: {field} must be {self.size} points [m], got {got}.")
        found = tuple(_near(who, f"{field}[{k}]", p) for k, p in enumerate(value))
        for k in range(1, self.size):
            if math.dist(found[k - 1], found[k]) < 1e-6:
                raise checks.MechanismError(
                    f"{who}: {field}[{k - 1}] and {field}[{k}] coincide at {found[k]} m; they must "
                    "differ."
                )
        return found


@dataclass(frozen=True)
class Curve:
    """Check of at least two pairs (x, y) of increasing x.

    ``rising``: y must not fall. ``governed``: if y is below 0 at an x >= 0, y is at most 0 at all larger
    x, like an engine's torque above its governed speed.
    """

    rising: bool = False
    governed: bool = False

    def __call__(self, who: str, field: str, value: Any) -> tuple[tuple[float, float], ...]:
        found = checks.table(who, field, value, rising=self.rising)
        below = [x for x, y in found if x >= 0.0 > y]
        for x, y in found:
            if self.governed and below and x > below[0] and y > 0.0:
                raise checks.MechanismError(
                    f"{who}: {field} falls below 0 at {below[0]:g} and rises again to {y:g} at {x:g}; "
                    "an engine drives up to the speed of its governor."
                )
        return found


@dataclass(frozen=True)
class Words:
    """Check of a text; ``known``: the allowed texts, if not empty; ``empty``: whether an empty text is
    allowed."""

    known: tuple[str, ...] = ()
    empty: bool = False

    def __call__(self, who: str, field: str, value: Any) -> str:
        if self.known:
            return checks.one_of(who, field, value, self.known)
        return checks.text(who, field, value, empty=self.empty)


Positive = Annotated[float, Range(0.0, open_low=True)]
Angle = Annotated[float, Range(0.0, 0.5 * math.pi, "rad", open_low=True)]
NonNegative = Annotated[float, Range(0.0)]
NonZero = Annotated[float, Range(zero=False)]
Fraction = Annotated[float, Range(0.0, 1.0)]
Length = Annotated[float, Range(0.0, LARGEST_DISTANCE, open_low=True)]
Ratio = Annotated[float, Range(-LARGEST_RATIO, LARGEST_RATIO, zero=False)]
Point = Annotated[tuple[float, ...], _near]
Vector = Annotated[tuple[float, ...], Numbers()]
NonNegatives = Annotated[tuple[float, ...], Numbers(3, 0.0)]
NonZeros = Annotated[tuple[float, ...], Numbers(None)]
Ratios = Annotated[tuple[float, ...], Numbers(None, -LARGEST_RATIO, LARGEST_RATIO)]
Axis = Annotated[tuple[float, ...], Direction()]
UnitVector = Annotated[tuple[float, ...], Direction(unit=True)]
Pairs = tuple[tuple[float, float], ...]
Table = Annotated[Pairs, Curve()]
EngineMap = Annotated[Pairs, Curve(governed=True)]
RisingPairs = Annotated[Pairs, Curve(rising=True)]
Name = Annotated[str, Words()]
Remark = Annotated[str, Words(empty=True)]
