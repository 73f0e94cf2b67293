"""Shapes for contact with a surface: sphere, box, cylinder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from mlcp.kinds import above, checked

from ..kernels.ground import rigid

Length = Annotated[float, above(0.0, "m")]


@dataclass(frozen=True)
@checked
class Sphere:
    """A ball of the given ``radius`` [m]; one contact point.

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    radius: Length
    code: ClassVar[int] = rigid.SPHERE
    points: ClassVar[int] = 1

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

    length: Length
    width: Length
    height: Length
    code: ClassVar[int] = rigid.BOX
    points: ClassVar[int] = 4

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

    radius: Length
    length: Length
    code: ClassVar[int] = rigid.CYLINDER
    points: ClassVar[int] = 4

    @property
    def size(self) -> tuple[float, float, float]:
        """Three lengths for the kernels [m]: radius, half length, 0."""
        return (self.radius, 0.5 * self.length, 0.0)


Shape = Sphere | Box | Cylinder
