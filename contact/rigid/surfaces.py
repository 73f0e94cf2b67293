"""Surfaces for contact with shapes: plane, height field, ball."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mlcp.kinds import checked

from .. import checks
from ..kernels.ground import rigid
from .shapes import Length


@dataclass(frozen=True)
@checked
class Plane:
    """The plane ``normal . (p - point) = 0`` of points p, solid below; point [m], in world axes in the
    pose of the description.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    code: ClassVar[int] = rigid.PLANE

    def __post_init__(self) -> None:
        normal = np.array(self.normal)
        length = float(np.linalg.norm(normal))
        if not 1e-12 < length < np.inf:
            raise ValueError(f"Plane.normal = {self.normal!r} must be a direction of ordinary length")
        if abs(length - 1.0) > 1e-15:  # so that normalising twice is the same as once
            normal = normal / length
        object.__setattr__(self, "normal", tuple(float(x) for x in normal))


@dataclass(frozen=True)
@checked
class HeightField:
    """Ground of heights on a regular grid, bilinear in each cell; outside, the border cell is continued.

    Arguments:
        origin: (x, y) of the first node [m].
        spacing: (dx, dy) [m].
        heights: heights[i][j] [m] at (x + i dx, y + j dy), at least 2 x 2.

    This field is for rigid contacts. The height field for wheels on soil,
    ``contact.terrain.SmoothHeightField``, has its rows along y, so that its heights are the transpose of
    these.

    The gap of a point is measured along the normal of the cell below it: exact on planes, first-order
    in the curvature of the ground.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    origin: tuple[float, float]
    spacing: tuple[float, float]
    heights: tuple[tuple[float, ...], ...]
    code: ClassVar[int] = rigid.HEIGHT_FIELD

    def __repr__(self) -> str:
        heights = np.array(self.heights)
        return checks.grid_in_words("HeightField", heights, "m", self.spacing, self.origin)

    def __post_init__(self) -> None:
        checks.grid("HeightField", "heights", self.heights)
        checks.spacing("HeightField", self.spacing)


@dataclass(frozen=True)
@checked
class Ball:
    """The outside of a ball at ``centre`` [m] with ``radius`` [m], for contact with spheres only.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    centre: tuple[float, float, float]
    radius: Length
    code: ClassVar[int] = rigid.BALL


Surface = Plane | HeightField | Ball
