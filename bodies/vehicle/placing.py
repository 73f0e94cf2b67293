"""Height of a vehicle's origin above the ground, for a file that gives only x and y of the origin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from contact.rigid import HeightField, Plane
from contact.terrain import SmoothHeightField

from .. import checks
from ..mechanism import Mechanism
from ..wheel import Wheel


def ground_height(ground: Any, x: float, y: float) -> float:
    """Height [m] of a plane (nan if vertical), height field (outside: of its edge) or terrain at (x, y)
    [m]."""
    if isinstance(ground, Plane):
        (a, b, c), (p, q, r) = ground.normal, ground.point
        return r - (a * (x - p) + b * (y - q)) / c if abs(c) > 1e-9 else math.nan
    if isinstance(ground, HeightField):
        heights = np.array(ground.heights)
        places = zip((x, y), ground.origin, ground.spacing, heights.shape, strict=True)
        at = [min(max((v - first) / step, 0.0), n - 1.000001) for v, first, step, n in places]
        (i, u), (j, v) = ((int(a), a - int(a)) for a in at)
        cell = heights[i : i + 2, j : j + 2]
        return float(np.array([1.0 - u, u]) @ cell @ np.array([1.0 - v, v]))
    return float(ground.height(x, y))


def lowest_point(wheels: Sequence[Wheel], none: float = 0.0) -> float:
    """Height [m] of the lowest point of all wheels; ``none``: the result without wheels."""
    return min((w.centre[2] - w.radius for w in wheels if w.radius is not None), default=none)


def standing_height(name: str, mechanism: Mechanism) -> float:
    """Distance [m] by which a vehicle must be raised so that the lowest point of a wheel is on its
    ground and that of no wheel is below it.

    Arguments: name: of the vehicle, for messages; mechanism: the vehicle at any height.

    Raises:
        MechanismError: a vehicle without wheels, with all wheels outside a grid of heights, or a ground
            without a height below a wheel.
    """
    rises = []
    if mechanism.wheels:
        _check_inside(name, mechanism)
    for wheel in mechanism.wheels:
        x, y, z = wheel.centre
        height = ground_height(wheel.ground, x, y)
        if not math.isfinite(height):
            raise checks.MechanismError(
                f"vehicle {name!r}: the ground has no height at ({x:.6g}, {y:.6g}) m, below "
                f"{wheel.name!r}; origin [m] must lie on it."
            )
        if wheel.radius is not None:  # always true: without an own radius a wheel takes its tyre's
            rises.append(height - z + wheel.radius)
    if not rises:
        raise checks.MechanismError(f"vehicle {name!r}: origin [m] needs a height, it has no wheels.")
    return max(rises)


def _check_inside(name: str, mechanism: Mechanism) -> None:
    """Raise MechanismError if all wheels are on grids of heights, and outside of these."""
    for wheel in mechanism.wheels:
        ground = wheel.ground
        if not isinstance(ground, SmoothHeightField):
            return
        (x_0, y_0), (rows, columns) = ground.origin, ground.grid.shape
        x_1, y_1 = x_0 + (columns - 1) * ground.spacing[0], y_0 + (rows - 1) * ground.spacing[1]
        x, y, _ = wheel.centre
        if x_0 <= x <= x_1 and y_0 <= y <= y_1:
            return
    raise checks.MechanismError(
        f"vehicle {name!r}: it would stand at ({x:.7g}, {y:.7g}) m, outside the heights of its ground, "
        f"x {x_0:.7g} to {x_1:.7g} m, y {y_0:.7g} to {y_1:.7g} m; origin [m] must lie among them."
    )
