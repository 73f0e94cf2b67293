"""Memory of the ground: ruts, and soil that is firmer after each pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from mlcp.kinds import Range, above, at_least, checked, within

from ..sinkage import ConeIndexSinkage
from ..soil import BekkerSoil, ConeIndexSoil

Place = Annotated[float, within(-1e9, 1e9, "m")]


@dataclass(frozen=True)
@checked
class SoilMemory:
    """Soil under repeated passes, stored for an area of the ground.

    A later wheel runs in the rut of the earlier ones: its ground is lower by the largest sinkage so
    far, and firmer. After n passes

        cone index        (1 + hardening (1 - (1 - share)^n)) times that of the virgin soil
        sinkage of pass n  z_1 (n^(1/a) - (n - 1)^(1/a)) more, so that z_n = z_1 n^(1/a)

    for equal wheels. With pressure-sinkage the further sinkage follows from a modulus stiffer by
    ``((n + 1)^(1/a) - n^(1/a))^-(m + 1/2)``, m the soil's exponent of sinkage (the load is about
    proportional to the power m + 1/2 of the sinkage). With a sinkage from the cone index the further
    sinkage is computed directly, with z_1 of the virgin soil. A pass is stored when the wheel is one
    radius and one and a half cells past the point: no wheel runs on its own rut. For a wheel that turns
    back within that distance the ground is unchanged; all its passes over the point are stored when it
    leaves. Ruts are as wide as the wheel, without walls (the ground's normal is unchanged).

    Wheels on grounds with equal ``SoilMemory`` share one memory.

    Arguments:
        x, y: limits of the area with ruts [m].
        cell: side of a cell [m]; a cell takes 24 bytes.
        hardening: gain of the cone index at full compaction [-], at least 0.
        share: fraction of the remaining gain added by a pass, in (0, 1].
        multipass: number a in the sinkage of n passes, z_n = z_1 n^(1/a) [-], above 1: 2 to 3 in loose,
            3 to 4 in medium, 4 to 5 in dense soil.
        passes: number of distinct passes, in [1, 20]; later passes are like the last.

    Raises: ValueError: naming the field, its value and the allowed range.

    Source: multi-pass sinkage: Abebe, Tanaka and Yamazaki (1989), J. Terramechanics 26. Cone index:
    the shape of Holm's (1969) tests, most of the gain with the first passes; its numbers (0.4, 0.5)
    are ours, to be fitted to the soil at hand.
    """

    x: tuple[Place, Place]
    y: tuple[Place, Place]
    cell: Annotated[float, within(1e-6, 1e6, "m")] = 0.1
    hardening: Annotated[float, at_least(0.0)] = 0.4
    share: Annotated[float, Range(0.0, 1.0, open_low=True)] = 0.5
    multipass: Annotated[float, above(1.0)] = 3.0
    passes: Annotated[int, within(1, 20)] = 5

    def __post_init__(self) -> None:
        for name in ("x", "y"):
            low, high = getattr(self, name)
            if not low + self.cell <= high:
                raise ValueError(
                    f"SoilMemory.{name} = ({low:g}, {high:g}) m: the second must be at least a cell "
                    f"of {self.cell:g} m above the first"
                )
        cells = self.shape[0] * self.shape[1]
        if cells > 20_000_000:
            raise ValueError(
                f"SoilMemory: the area has {cells} cells, at most 20 million; give a smaller area or "
                "larger cells"
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of cells along x and y."""
        return tuple(int(-(-(high - low) // self.cell)) for low, high in (self.x, self.y))  # type: ignore[return-value]

    def gain(self, passes: float) -> float:
        """Factor on the virgin soil's cone index after a number of passes."""
        return 1.0 + self.hardening * (1.0 - (1.0 - self.share) ** passes)

    def stiffening(self, passes: float, exponent: float) -> float:
        """Factor on the modulus of pressure-sinkage after a number of passes; ``exponent``: m [-]."""
        power = 1.0 / self.multipass
        return ((passes + 1.0) ** power - passes**power) ** -(exponent + 0.5)

    def further(self, bearing: Any, passes: float) -> ConeIndexSinkage | None:
        """Sinkage law of the next pass after ``passes``; None unless ``bearing`` is a law from the cone
        index."""
        if not isinstance(bearing, ConeIndexSinkage):
            return None
        power = 1.0 / self.multipass
        return replace(bearing, share=bearing.share * ((passes + 1.0) ** power - passes**power))

    def after(self, soil: Any, passes: float) -> Any:
        """Copy of ``soil``, firmer after a number of passes: cone index, or modulus of sinkage."""
        if isinstance(soil, ConeIndexSoil):
            return ConeIndexSoil(soil.cone_index * self.gain(passes))
        if isinstance(soil, BekkerSoil):
            factor = self.stiffening(passes, soil.n)
            return replace(soil, k_c=soil.k_c * factor, k_phi=soil.k_phi * factor)
        return soil
