"""Displays of a cockpit: gauges, a side view of links, the scene's camera."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from mlcp.checks import shown
from mlcp.kinds import within

from ..errors import RigError, checked

FARTHEST = 1e4  # largest distance of a camera from its target [m]
Pair = tuple[float, float]
Point = tuple[float, float, float]


@dataclass(frozen=True)
@checked
class Gauge:
    """Displayed value of a signal; with ``low`` and ``high`` also as a bar.

    Arguments:
        signal: name of the signal.
        label: text on the page; "": the signal's name.
        index: index of the displayed number among those of the signal.
        unit, factor: unit of the displayed value; ratio of displayed value to signal.
        digits: number of decimals.
        low, high: ends of the bar [``unit``]; None: no bar.

    Raises:
        RigError: a field of another kind, an empty bar.
    """

    signal: str
    label: str = ""
    index: int = 0
    unit: str = ""
    factor: float = 1.0
    digits: Annotated[int, within(0, 12)] = 1
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        low, high = self.low, self.high
        if (low is None) != (high is None) or (low is not None and high is not None and low >= high):
            raise RigError(
                f"gauge {self.signal!r}: a bar needs low below high, got low = {low}, high = {high}"
            )
        if self.factor == 0.0:
            raise RigError(f"gauge {self.signal!r}: factor = 0 must not be 0")


@dataclass(frozen=True)
@checked
class Links:
    """Side view of a chain of links, each turned by an entry of a signal.

    Arguments:
        signal: signal of the joint angles, relative to the pose of the description [rad].
        first: index of the first link's angle in the signal.
        pin: x and z of the first pin [m].
        lengths: lengths of the links [m].
        degrees: angle of each link to the one before, of the first to x, in the described pose [deg].
        ground: height of the ground [m].

    Raises:
        RigError: lengths and degrees of different counts.
    """

    signal: str
    pin: Pair
    lengths: tuple[float, ...]
    degrees: tuple[float, ...]
    first: int = 0
    ground: float = 0.0

    def __post_init__(self) -> None:
        if len(self.lengths) != len(self.degrees) or not self.lengths or min(self.lengths) <= 0.0:
            raise RigError("links of a panel need lengths above 0, and one angle in degrees for each")


@dataclass(frozen=True)
@checked
class Camera:
    """Initial camera of the scene.

    Arguments:
        eye, target: position, and the point at the picture's centre [m].

    Raises:
        RigError: a field of another kind; eye and target at one place or too far apart.
    """

    eye: Point
    target: Point

    def __post_init__(self) -> None:
        distance = math.dist(self.eye, self.target)
        if not 0.0 < distance < FARTHEST:
            raise RigError(
                f"camera of a panel: eye = {shown(self.eye)} must be at another place than target = "
                f"{shown(self.target)}, less than {FARTHEST:g} m away"
            )
