"""Maps of soils, with smooth transitions at the borders."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import above, checked

from .. import checks
from ..lateral import LateralLaw
from ..laws import LAWS
from ..laws.base import KernelLaw
from ..sinkage import SINKAGES, ConeIndexSinkage, sinkage_on
from ..soil import BekkerSoil, ConeIndexSoil, cone_index_of
from ..wheel import WheelContact
from .geotiff import MapPlace
from .strength import ConeIndexField

Soil = ConeIndexSoil | BekkerSoil


@dataclass(frozen=True)
@checked
class Patch:
    """A rectangle [x_low, x_high] x [y_low, y_high] [m], or a polygon, of one soil.

    A road in a field: ``Patch(x=(3, 9), law="dry", sinkage="none")``.

    Arguments:
        soil: soil of the ground laws; None: soil of the map's ground.
        x, y: limits of the rectangle [m]; may be infinite.
        base: soil whose pressure-sinkage gives the normal force; None: the wheel's.
        outline: corners (x, y) [m] of a simple polygon, in place of the rectangle.
        law: ground law; None: the wheel's.
        lateral: lateral law; None: the wheel's.
        sinkage: sinkage law, as in a ``WheelContact``; None: the wheel's.

    Raises:
        ValueError: an empty rectangle, a polygon of less than three corners or with two equal
            successive ones, an unknown ground or sinkage law.
    """

    soil: Soil | None = None
    x: tuple[float, float] = (-math.inf, math.inf)
    y: tuple[float, float] = (-math.inf, math.inf)
    base: BekkerSoil | None = None
    outline: tuple[tuple[float, float], ...] | None = None
    law: str | KernelLaw | None = None
    lateral: LateralLaw | None = None
    sinkage: str | ConeIndexSinkage | None = None

    def __post_init__(self) -> None:
        for name in ("x", "y"):
            low, high = getattr(self, name)
            if not low < high:
                raise ValueError(f"Patch.{name} = ({low}, {high}) m: the first must be below the second")
        if self.outline is not None:
            corners = [checks.vector("Patch", "outline", corner, 2) for corner in self.outline]
            if len(corners) > 2 and corners[0] == corners[-1]:
                corners = corners[:-1]  # the last corner of a closed polygon repeats the first
            if len(corners) < 3 or any(a == b for a, b in itertools.pairwise(corners)):
                raise ValueError(
                    f"Patch.outline = {checks.shown(self.outline)} must be 3 corners or more, no "
                    "two alike in a row"
                )
            object.__setattr__(self, "outline", tuple(corners))
        if isinstance(self.law, str):
            checks.known("ground law", self.law, LAWS)
        if isinstance(self.sinkage, str):
            checks.known("sinkage", self.sinkage, SINKAGES)

    def inside(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Distance of points [m] of any shape from the border [m], positive inside; beyond a rectangle's
        corner the larger of both components."""
        x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        if self.outline is None:
            along, across = (
                np.minimum(at - low, high - at) for at, (low, high) in ((x, self.x), (y, self.y))
            )
            return np.minimum(along, across)
        corners = np.array(self.outline)
        nearest, inside = np.full(x.shape, math.inf), np.zeros(x.shape, dtype=bool)
        for (x_0, y_0), (x_1, y_1) in zip(np.roll(corners, 1, axis=0), corners, strict=True):
            dx, dy = x_1 - x_0, y_1 - y_0
            t = np.clip(((x - x_0) * dx + (y - y_0) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
            nearest = np.minimum(nearest, np.hypot(x - x_0 - t * dx, y - y_0 - t * dy))
            if dy != 0.0:
                inside ^= ((y_0 > y) != (y_1 > y)) & (x < x_0 + (y - y_0) * dx / dy)
        return np.where(inside, nearest, -nearest)

    def weight(self, x: float, y: float, blend: float) -> float:
        """Weight of the patch: 1 inside, 0 outside, smooth over ``blend`` [m] centred on the border."""
        t = min(max(float(self.inside(x, y)) / blend + 0.5, 0.0), 1.0)
        return t * t * (3.0 - 2.0 * t)

    def on(self, wheel: WheelContact, of_map: SoilMap) -> WheelContact:
        """The wheel with the soil, laws and sinkage of the patch."""
        changes: dict[str, Any] = {"soil": of_map.ground if self.soil is None else self.soil}
        for name in ("base", "law", "sinkage"):
            if getattr(self, name) is not None:
                changes[name] = getattr(self, name)
        changes.setdefault("sinkage", sinkage_on(wheel.sinkage, changes["soil"]))
        if self.lateral is not None and wheel.lateral is not None:
            changes["lateral"] = self.lateral
        return replace(wheel, **changes)


@dataclass(frozen=True)
@checked
class SoilMap:
    """A ground soil with patches of other soils; later patches are on top of earlier ones.

    The transition at a border is smooth over ``blend`` [m], so that forces are continuous: in a run a
    wheel's ratios and load are the weighted means over its soils. A patch may have a law of its own;
    otherwise its soil must be of the ground's kind (all cone index, or all Bekker of one class).

    Arguments:
        ground: soil outside the patches.
        patches: areas of other soil, later ones on top.
        blend: width of the smooth transition at a border [m], above 0.
        base: soil whose pressure-sinkage gives the normal force outside the patches; None: the wheel's.
        strength: cone indices by position, in place of the ground's.

    Raises: ValueError: soils of different kinds, a blend that is not positive.
    """

    ground: Soil
    patches: Sequence[Patch] = ()
    blend: Annotated[float, above(0.0, "m")] = 0.2
    base: BekkerSoil | None = None
    strength: ConeIndexField | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "patches", tuple(self.patches))
        for patch in self.patches:
            alike = patch.soil is None or type(patch.soil) is type(self.ground)
            if not alike and patch.law is None:
                raise ValueError(
                    f"SoilMap: a patch is a {type(patch.soil).__name__} on a ground of "
                    f"{type(self.ground).__name__}; give soils of one kind, or the patch a law"
                )
        if self.strength is not None:
            cone_index_of("SoilMap: with strength the ground's", self.ground)

    @functools.cached_property
    def cone_indices(self) -> tuple[float, ...]:
        """Cone indices [Pa] of the raster at which laws are tabulated, ascending; empty without one."""
        if self.strength is None:
            return ()
        return tuple(self.strength.cone_indices(cone_index_of("SoilMap", self.ground)).tolist())

    @property
    def covered(self) -> bool:
        """Whether a raster without gaps hides the ground's soil everywhere."""
        return self.strength is not None and not np.isnan(self.strength.grid).any()

    def on(self, place: MapPlace | None) -> SoilMap:
        """This map for a height field whose (0, 0) is at ``place``: the raster is moved accordingly."""
        if self.strength is None:
            return self
        return replace(self, strength=self.strength.on(place))

    def wheels(self, wheel: WheelContact) -> list[WheelContact]:
        """The wheel on each soil: ground, patches, then the tabulated cone indices of the raster."""
        base = wheel.base if self.base is None else self.base
        sinkage = sinkage_on(wheel.sinkage, self.ground)
        ground = replace(wheel, soil=self.ground, base=base, sinkage=sinkage)
        found = [ground, *(patch.on(wheel, self) for patch in self.patches)]
        if self.strength is not None:
            of_raster = self.strength.sinkage
            found += [
                replace(ground, soil=ConeIndexSoil(c), sinkage=of_raster) for c in self.cone_indices
            ]
        return found

    def at(self, x: float, y: float = 0.0) -> Soil:
        """Soil at a point [m], with blended parameters near a border; else the own object of ground or
        patch, on a raster a new one.

        Near a border between soils of different kinds the soil with the larger weight is returned.
        """
        found = self.ground
        if self.strength is not None:
            elsewhere = cone_index_of("SoilMap", self.ground)
            found = ConeIndexSoil(float(self.strength.at(x, y, elsewhere)))
        for patch in self.patches:
            weight, soil = patch.weight(x, y, self.blend), patch.soil or self.ground
            if weight >= 1.0 or (weight > 0.5 and type(soil) is not type(found)):
                found = soil
            elif weight > 0.0 and type(soil) is type(found):
                found = blended(found, soil, weight)
        return found

    def number_at(self, x: ArrayLike, y: ArrayLike = 0.0) -> NDArray[np.int64]:
        """Index in ``wheels`` of the soil at points [m] of any shape; -1: a blend.

        On a raster it is the index of the nearest tabulated cone index.
        """
        x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        found = np.zeros(x.shape, dtype=np.int64)
        if self.strength is not None:
            here = self.strength.at(x, y, cone_index_of("SoilMap", self.ground))
            off = np.abs(np.array(self.cone_indices) - here[..., None])
            found = 1 + len(self.patches) + np.argmin(off, axis=-1)
        for k, patch in enumerate(self.patches, start=1):
            inside = patch.inside(x, y)
            found = np.where(inside > -0.5 * self.blend, -1, found)
            found = np.where(inside >= 0.5 * self.blend, k, found)
        return found


def blended(one: Soil, other: Soil, weight: float) -> Soil:
    """Soil with parameters ``(1 - weight) one + weight other``."""
    numbers = {
        name: (1.0 - weight) * getattr(one, name) + weight * getattr(other, name)
        for name in one.__dataclass_fields__
    }
    return type(one)(**numbers)
