"""Which soil lies where, without a jump at the borders; and what the wheels have made of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from .. import checks
from ..soil import BekkerSoil, ConeIndexSoil

Soil = ConeIndexSoil | BekkerSoil


@dataclass(frozen=True)
class Patch:
    """A rectangle [x_low, x_high] x [y_low, y_high] [m] of one soil."""

    soil: Soil
    x: tuple[float, float] = (-math.inf, math.inf)
    y: tuple[float, float] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        for name, (low, high) in (("x", self.x), ("y", self.y)):
            if not low < high:
                raise ValueError(
                    f"Patch.{name} = ({low}, {high}) m: the first must be below the second"
                )

    def weight(self, x: float, y: float, blend: float) -> float:
        """1 inside, 0 outside, smooth over ``blend`` [m] centred on the border."""
        inside = min(x - self.x[0], self.x[1] - x, y - self.y[0], self.y[1] - y)
        t = min(max(inside / blend + 0.5, 0.0), 1.0)
        return t * t * (3.0 - 2.0 * t)


@dataclass(frozen=True)
class SoilMap:
    """A ground soil with patches of others on it; later patches lie over earlier ones.

    Across a border every parameter of the soil goes over smoothly within ``blend`` [m], so no force
    jumps. All soils are of one kind (all cone index, or all Bekker of one class).

    Raises: ValueError: soils of different kinds, a blend that is not positive.
    """

    ground: Soil
    patches: Sequence[Patch] = ()
    blend: float = 0.2

    def __post_init__(self) -> None:
        checks.positive("SoilMap", "blend", self.blend, unit="m")
        for patch in self.patches:
            if type(patch.soil) is not type(self.ground):
                raise ValueError(
                    f"SoilMap: a patch is a {type(patch.soil).__name__} on a ground of "
                    f"{type(self.ground).__name__}; give soils of one kind"
                )

    def at(self, x: float, y: float = 0.0) -> Soil:
        """The soil at a point [m]; the very object of the map where nothing blends."""
        found = self.ground
        for patch in self.patches:
            weight = patch.weight(x, y, self.blend)
            if weight >= 1.0:
                found = patch.soil
            elif weight > 0.0:
                found = blended(found, patch.soil, weight)
        return found


def blended(one: Soil, other: Soil, weight: float) -> Soil:
    """Every parameter ``(1 - weight) one + weight other``."""
    numbers = {
        name: (1.0 - weight) * getattr(one, name) + weight * getattr(other, name)
        for name in one.__dataclass_fields__
    }
    return type(one)(**numbers)


@dataclass
class SoilMemory:
    """Soil under repeated passes: what the wheels before have left along the track.

    Cells of ``cell`` [m] along x and y remember how often a wheel has come in. After n passes

        cone index = (1 + hardening (1 - (1 - share)^n)) times the virgin one
        sinkage so far: the deepest of all passes (a later wheel runs in the rut)

    which is a geometric approach to a compacted state.

    Arguments:
        cell: [m]. hardening: gain of the cone index when fully compacted [-], at least 0.
        share: part of the remaining gain that a pass brings, in (0, 1].

    Source: the shape of Holm's (1969) multi-pass tests, in which most of the gain comes with the
    first passes; the default numbers (0.4, 0.5) are ours, to be fitted to the soil at hand.
    """

    cell: float = 0.1
    hardening: float = 0.4
    share: float = 0.5
    passes: dict[tuple[int, int], int] = field(default_factory=dict)
    sinkage: dict[tuple[int, int], float] = field(default_factory=dict)
    _under: dict[int, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checks.positive("SoilMemory", "cell", self.cell, unit="m")
        checks.within("SoilMemory", "hardening", self.hardening, 0.0)
        checks.within("SoilMemory", "share", self.share, 0.0, 1.0, open_low=True)

    def _key(self, x: float, y: float) -> tuple[int, int]:
        return math.floor(x / self.cell), math.floor(y / self.cell)

    def soil(self, virgin: ConeIndexSoil, x: float, y: float = 0.0) -> ConeIndexSoil:
        """The soil that the next wheel finds at x, y [m]."""
        count = self.passes.get(self._key(x, y), 0)
        gain = 1.0 + self.hardening * (1.0 - (1.0 - self.share) ** count)
        return ConeIndexSoil(virgin.cone_index * gain)

    def rut(self, x: float, y: float = 0.0) -> float:
        """Depth of the rut at x, y [m]."""
        return self.sinkage.get(self._key(x, y), 0.0)

    def roll(self, wheel: int, x: float, y: float, sinkage: float) -> None:
        """Wheel number ``wheel`` is at x, y with this sinkage [m]; call it once a step.

        A pass counts when the wheel leaves the cell, so that a wheel does not run on its own rut.
        """
        key = self._key(x, y)
        before = self._under.get(wheel)
        if before is not None and before != key:
            self.passes[before] = self.passes.get(before, 0) + 1
        self._under[wheel] = key
        self.sinkage[key] = max(self.sinkage.get(key, 0.0), sinkage)

    def state(self) -> dict:
        """A copy of everything the future depends on, for ``restore``."""
        return {
            "passes": dict(self.passes), "sinkage": dict(self.sinkage), "under": dict(self._under),
        }  # fmt: skip

    def restore(self, state: dict) -> None:
        """Set the memory to a state."""
        self.passes, self.sinkage = dict(state["passes"]), dict(state["sinkage"])
        self._under = dict(state["under"])
