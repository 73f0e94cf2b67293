"""Shapes for contact with a surface: sphere, box, cylinder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlcp.kinds import checked

from .. import checks
from ..kernels.ground import rigid


def _positive(who: str, **values: float) -> None:
    for field, value in values.items():
        checks.positive(who, field, value, unit="m")


@dataclass(frozen=True)
@checked
class Sphere:
    """A ball of the given ``radius`` [m]; one contact point.

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    radius: float
    code: ClassVar[int] = rigid.SPHERE
    points: ClassVar[int] = 1

    def __post_init__(self) -> None:
        _positive("Sphere", radius=self.radius)

    @property
    def size(self) -> tuple[float, float, float]:
        """Three lengths for the kernels [m]: radius, 0, 0."""
        return (self.radius, 0.0, 0.0)


@dataclass(frozen=True)
@checked
class Box:
    """A box with edges ``length, width, height`` [m] along its axes; contact at the four corners
    nearest to the surface.

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    length: float
    width: float
    height: float
    code: ClassVar[int] = rigid.BOX
    points: ClassVar[int] = 4

    def __post_init__(self) -> None:
        _positive("Box", length=self.length, width=self.width, height=self.height)

    @property
    def size(self) -> tuple[float, float, float]:
        """Three lengths for the kernels [m]: half edges."""
        return (0.5 * self.length, 0.5 * self.width, 0.5 * self.height)


@dataclass(frozen=True)
@checked
class Cylinder:
    """A cylinder of ``radius`` and ``length`` [m] along its third axis; four contact points.

    The contact points are the deepest point of each rim, and the two points of the nearer rim a third of
    a turn away, so that the cylinder rolls on two points and stands on three.

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    radius: float
    length: float
    code: ClassVar[int] = rigid.CYLINDER
    points: ClassVar[int] = 4

    def __post_init__(self) -> None:
        _positive("Cylinder", radius=self.radius, length=self.length)

    @property
    def size(self) -> tuple[float, float, float]:
        """Three lengths for the kernels [m]: radius, half length, 0."""
        return (self.radius, 0.5 * self.length, 0.0)


Shape = Sphere | Box | Cylinder
