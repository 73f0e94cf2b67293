"""Sinkage of a wheel from the cone index alone."""

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
    """Sinkage z of a wheel's first pass from its mobility number N_CI.

        N_CI = c_i b D / F_n  sqrt(delta / H) / (1 + b / (2 D))
        z    = coefficient D N_CI^(-exponent)

    delta is the tyre's deflection under F_n, b its width, D its diameter, H its section height. The row
    of the normal force has tyre and soil in series, so that z is the sinkage of a standing or rolling
    wheel, independent of slip, speed and layers of the soil.

    Arguments:
        coefficient: factor of the equation above [-], above 0.
        exponent: exponent of the equation above [-], above 0.
        cone_index: c_i for the sinkage [Pa]; None: that of the wheel's soil.
        share: fraction of z, for the further sinkage in the rut of other wheels, above 0 [-].

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: Maclaurin (1990), Proc. 10th Int. ISTVS Conf., Kobe, with the mobility number of Turnage
    (1978): z = 0.224 D / N_CI^1.25. At second hand, from Saarilahti (2002), Soil interaction model,
    University of Helsinki, and public programs for forest machines after him; we have seen neither
    paper. Measured with military lorries on soft, mostly fine-grained soil; Vennik et al.
    (2017), Biosystems Engineering 163, compare it with ruts.
    """

    coefficient: Annotated[float, above(0.0)] = 0.224
    exponent: Annotated[float, above(0.0)] = 1.25
    cone_index: Annotated[float, above(0.0, "Pa")] | None = None
    share: Annotated[float, above(0.0)] = 1.0

    def of(self, soil: object) -> ConeIndexSinkage:
        """Copy of this law with the cone index of a soil, unless the law has a cone index already.

        Raises:
            ValueError: a soil of another kind.
        """
        if self.cone_index is not None:
            return self
        return replace(self, cone_index=cone_index_of("ConeIndexSinkage", soil))

    def mobility_number(self, tyre: Tyre, load: ArrayLike) -> Result:
        """Mobility number N_CI [-] under loads F_n [N] above 0, any shape; NaN without a cone index."""
        load = np.asarray(load, float)
        area = tyre.width * tyre.diameter / (1.0 + 0.5 * tyre.width / tyre.diameter)
        flat = np.sqrt(tyre.deflection_at(load) / tyre.section_height)
        cone_index = math.nan if self.cone_index is None else self.cone_index
        return (cone_index * area / load * flat)[()]

    def sinkage(self, tyre: Tyre, load: ArrayLike) -> Result:
        """Sinkage z [m] under loads F_n [N] of at least 0, any shape; NaN without a cone index."""
        load = np.asarray(load, float)
        number = self.mobility_number(tyre, np.where(load > 0.0, load, 1.0))
        depth = self.share * self.coefficient * tyre.diameter * number**-self.exponent
        return np.where(load > 0.0, depth, 0.0)[()]


#: Sinkage laws by name: "bekker": pressure-sinkage of the soil ``base``; "maclaurin": from the cone
#: index; "none": rigid ground.
SINKAGES: dict[str, ConeIndexSinkage | None] = {
    "bekker": None,
    "maclaurin": ConeIndexSinkage(),
    "none": None,
}


def check_sinkage(owner: str, sinkage: Any, tyre: Tyre, soil: object) -> None:
    """Refuse an unknown sinkage law, or one that needs other data than tyre and soil have.

    Raises:
        ValueError: naming the owner and a valid choice.
    """
    if isinstance(sinkage, str):
        checks.known("sinkage", sinkage, SINKAGES)
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
    """Sinkage law of a wheel on ``soil``: "bekker" in place of "maclaurin" on a Bekker soil."""
    return "bekker" if sinkage == "maclaurin" and isinstance(soil, BekkerSoil) else sinkage


def bearing_of(
    sinkage: str | ConeIndexSinkage, soil: object, base: BekkerSoil
) -> BekkerSoil | ConeIndexSinkage | None:
    """Ground below a wheel's tyre as the argument of ``normal.series_table``; None: rigid ground."""
    law = SINKAGES[sinkage] if isinstance(sinkage, str) else sinkage
    if law is not None:
        return law.of(soil)
    return None if sinkage == "none" else base
