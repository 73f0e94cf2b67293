"""How far a wheel sinks into ground of which only the cone index is known."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import above, checked

from . import checks
from .soil import BekkerSoil, cone_index_of
from .tyre import Tyre

Result = NDArray[np.float64] | np.float64


@dataclass(frozen=True)
@checked
class ConeIndexSinkage:
    """Sinkage of a wheel's first pass from its mobility number.

        N_CI = c_i b D / F_n  sqrt(delta / H) / (1 + b / (2 D))
        z    = coefficient D N_CI^(-exponent)

    delta is the tyre's deflection under F_n. The normal row has tyre and soil in series, so what a
    wheel that stands or rolls has sunk by is z. Slip, speed and layers of the soil have no part in it.

    Arguments:
        coefficient: [-], above 0.
        exponent: [-], above 0.
        cone_index: c_i that the sinkage is of [Pa]; None: of the wheel's soil.
        share: of z, what a wheel in the rut of others sinks further, above 0 [-].

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: Maclaurin (1990), Proc. 10th Int. ISTVS Conf., Kobe, with the mobility number of Turnage
    (1978): z = 0.224 D / N_CI^1.25. At second hand: as Saarilahti (2002), Soil interaction model,
    University of Helsinki, has it, and public programs for forest machines after him; we have seen
    neither paper. Measured with military lorries on soft, mostly fine-grained soil; Vennik et al.
    (2017), Biosystems Engineering 163, compare it with ruts.
    """

    coefficient: float = 0.224
    exponent: float = 1.25
    cone_index: Annotated[float, above(0.0, "Pa")] | None = None
    share: float = 1.0

    def __post_init__(self) -> None:
        for name in ("coefficient", "exponent", "share"):
            checks.positive("ConeIndexSinkage", name, getattr(self, name))

    def of(self, soil: object) -> ConeIndexSinkage:
        """The same with the cone index of a soil, where it has none of its own.

        Raises:
            ValueError: a soil of another kind.
        """
        if self.cone_index is not None:
            return self
        return replace(self, cone_index=cone_index_of("ConeIndexSinkage", soil))

    def mobility_number(self, tyre: Tyre, load: ArrayLike) -> Result:
        """N_CI [-] under loads F_n [N] above 0, any shape; it has its cone index."""
        load = np.asarray(load, float)
        area = tyre.width * tyre.diameter / (1.0 + 0.5 * tyre.width / tyre.diameter)
        flat = np.sqrt(tyre.deflection_at(load) / tyre.section_height)
        return ((self.cone_index or math.nan) * area / load * flat)[()]

    def sinkage(self, tyre: Tyre, load: ArrayLike) -> Result:
        """z [m] under loads F_n [N] of at least 0, any shape; it has its cone index."""
        load = np.asarray(load, float)
        number = self.mobility_number(tyre, np.where(load > 0.0, load, 1.0))
        depth = self.share * self.coefficient * tyre.diameter * number**-self.exponent
        return np.where(load > 0.0, depth, 0.0)[()]

    def slope(self, tyre: Tyre, load: ArrayLike) -> Result:
        """dz/dF_n [m/N] under loads above 0: of the load's own power, and of the deflection's."""
        load = np.asarray(load, float)
        free = tyre.fixed_deflection is None
        grows = free & (load < tyre.stiffness * tyre.section_height)
        power = self.exponent * np.where(grows, 0.5, 1.0)
        return (power * self.sinkage(tyre, load) / load)[()]


#: How deep wheels sink, by name: by the pressure-sinkage of their ``base``, from the cone index, not
#: at all.
SINKAGES: dict[str, ConeIndexSinkage | None] = {
    "bekker": None,
    "maclaurin": ConeIndexSinkage(),
    "none": None,
}


def check_sinkage(owner: str, sinkage: Any, tyre: Tyre, soil: object) -> None:
    """Refuse a sinkage that is none, or that this tyre or soil cannot have.

    Raises:
        ValueError: naming the owner, and what to give.
    """
    if isinstance(sinkage, str):
        checks.known("sinkage", sinkage, SINKAGES)
    elif not isinstance(sinkage, ConeIndexSinkage):
        raise ValueError(
            f"{owner}: sinkage = {checks.shown(sinkage)} must be a ConeIndexSinkage, or a name in "
            "SINKAGES"
        )
    law = SINKAGES[sinkage] if isinstance(sinkage, str) else sinkage
    if law is None:
        return
    law.of(soil)
    if tyre.fixed_deflection == 0.0:
        raise ValueError(
            f"{owner}: a tyre of deflection 0 has the mobility number 0, it would sink without end; "
            "give it a deflection, or sinkage = 'bekker'"
        )


def sinkage_on(sinkage: str | ConeIndexSinkage | None, soil: object) -> str | ConeIndexSinkage | None:
    """A wheel's sinkage on another soil: a soil that has no cone index bears by its own parameters."""
    return "bekker" if sinkage == "maclaurin" and isinstance(soil, BekkerSoil) else sinkage


def bearing_of(
    sinkage: str | ConeIndexSinkage, soil: object, base: BekkerSoil
) -> BekkerSoil | ConeIndexSinkage | None:
    """What bears a wheel below its tyre, for ``normal.series_table``; None: ground that gives no way."""
    law = SINKAGES[sinkage] if isinstance(sinkage, str) else sinkage
    if law is not None:
        return law.of(soil)
    return None if sinkage == "none" else base
