"""Surfaces that shapes touch: plane, height field, ball."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np


@dataclass(frozen=True)
class Plane:
    """``normal . (p - point) = 0``, solid below; point [m], world axes in the described pose.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    point: tuple[float, ...] = (0.0, 0.0, 0.0)
    normal: tuple[float, ...] = (0.0, 0.0, 1.0)
    code: ClassVar[int] = 0

    def __post_init__(self) -> None:
        point, normal = np.asarray(self.point, float), np.asarray(self.normal, float)
        length = float(np.linalg.norm(normal)) if normal.shape == (3,) else 0.0
        if (
            not np.isfinite(length)
            or length < 1e-12
            or point.shape != (3,)
            or not np.isfinite(point).all()
        ):
            raise ValueError(
                f"plane: point and normal must be three finite numbers, the normal "
                f"not zero, got {self.point!r} and {self.normal!r}."
            )
        object.__setattr__(self, "point", tuple(float(x) for x in point))
        object.__setattr__(self, "normal", tuple(float(x) for x in normal / length))


@dataclass(frozen=True)
class HeightField:
    """Ground of heights on a regular grid, bilinear between the nodes, flat slopes outside.

    Arguments:
        origin: (x, y) of the first node [m].
        spacing: (dx, dy) [m].
        heights: heights[i][j] [m] at (x + i dx, y + j dy), at least 2 x 2.

    The gap of a point is measured along the normal of the cell right below it: exact on planes,
    first-order in the curvature of the ground.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    origin: tuple[float, float]
    spacing: tuple[float, float]
    heights: tuple[tuple[float, ...], ...]
    code: ClassVar[int] = 1

    def __post_init__(self) -> None:
        z = np.asarray(self.heights, float)
        if z.ndim != 2 or min(z.shape) < 2 or not np.isfinite(z).all():
            raise ValueError(
                f"height field: heights must be a finite table of at least 2 x 2, got shape {z.shape}."
            )
        if not min(self.spacing) > 0.0 or not np.isfinite([*self.origin, *self.spacing]).all():
            raise ValueError(
                f"height field: spacing [m] must be two finite numbers above 0, got {self.spacing!r}."
            )
        object.__setattr__(self, "heights", tuple(tuple(float(x) for x in row) for row in z))


@dataclass(frozen=True)
class Ball:
    """The outside of a ball at ``centre`` [m] with ``radius`` [m]; only spheres can touch it.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    centre: tuple[float, ...]
    radius: float
    code: ClassVar[int] = 2

    def __post_init__(self) -> None:
        centre = np.asarray(self.centre, float)
        if centre.shape != (3,) or not np.isfinite(centre).all() or not 0 < self.radius < np.inf:
            raise ValueError(
                f"ball: centre must be three finite numbers and radius above 0, got "
                f"{self.centre!r} and {self.radius!r}."
            )


Surface = Plane | HeightField | Ball
