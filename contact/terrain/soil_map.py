"""Which soil lies where, without a jump at the borders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..soil import BekkerSoil, ConeIndexSoil

Soil = ConeIndexSoil | BekkerSoil


@dataclass(frozen=True)
class Patch:
    """A rectangle [x_low, x_high] x [y_low, y_high] [m] of one soil.

    Arguments:
        soil: that the ground laws see.
        x, y: from, to [m]; may be infinite.
        base: Bekker parameters under the normal row there; None: those of the wheel.

    Raises:
        ValueError: a rectangle whose end is not beyond its beginning.
    """

    soil: Soil
    x: tuple[float, float] = (-math.inf, math.inf)
    y: tuple[float, float] = (-math.inf, math.inf)
    base: BekkerSoil | None = None

    def __post_init__(self) -> None:
        for name in ("x", "y"):
            low, high = getattr(self, name)
            object.__setattr__(self, name, (float(low), float(high)))
            if not low < high:
                raise ValueError(f"Patch.{name} = ({low}, {high}) m: the first must be below the second")

    def weight(self, x: float, y: float, blend: float) -> float:
        """1 inside, 0 outside, smooth over ``blend`` [m] centred on the border."""
        inside = min(x - self.x[0], self.x[1] - x, y - self.y[0], self.y[1] - y)
        t = min(max(inside / blend + 0.5, 0.0), 1.0)
        return t * t * (3.0 - 2.0 * t)


@dataclass(frozen=True)
class SoilMap:
    """A ground soil with patches of others on it; later patches lie over earlier ones.

    Across a border one goes over into the other smoothly within ``blend`` [m], so no force jumps: in
    a run a wheel's ratios and load are the weighted means of its soils'. All soils are of one
    kind (all cone index, or all Bekker of one class). ``base``: Bekker parameters under the normal
    row outside the patches; None: those of the wheel.

    Raises: ValueError: soils of different kinds, a blend that is not positive.
    """

    ground: Soil
    patches: Sequence[Patch] = ()
    blend: float = 0.2
    base: BekkerSoil | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "patches", tuple(self.patches))
        checks.positive("SoilMap", "blend", self.blend, unit="m")
        for patch in self.patches:
            if type(patch.soil) is not type(self.ground):
                raise ValueError(
                    f"SoilMap: a patch is a {type(patch.soil).__name__} on a ground of "
                    f"{type(self.ground).__name__}; give soils of one kind"
                )

    def at(self, x: float, y: float = 0.0) -> Soil:
        """The soil at a point [m], its parameters blended near a border, else the map's own object."""
        found = self.ground
        for patch in self.patches:
            weight = patch.weight(x, y, self.blend)
            if weight >= 1.0:
                found = patch.soil
            elif weight > 0.0:
                found = blended(found, patch.soil, weight)
        return found

    def number_at(self, x: ArrayLike, y: ArrayLike = 0.0) -> NDArray[np.int64]:
        """Which soil lies at points [m] of any shape: 0 the ground, k the k-th patch, -1 a blend."""
        x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        found = np.zeros(x.shape, dtype=np.int64)
        for k, patch in enumerate(self.patches, start=1):
            inside = np.minimum(
                np.minimum(x - patch.x[0], patch.x[1] - x),
                np.minimum(y - patch.y[0], patch.y[1] - y),
            )
            found = np.where(inside > -0.5 * self.blend, -1, found)
            found = np.where(inside >= 0.5 * self.blend, k, found)
        return found


def blended(one: Soil, other: Soil, weight: float) -> Soil:
    """Every parameter ``(1 - weight) one + weight other``."""
    numbers = {
        name: (1.0 - weight) * getattr(one, name) + weight * getattr(other, name)
        for name in one.__dataclass_fields__
    }
    return type(one)(**numbers)
