"""Lateral force of a wheel over its slip angle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import Range, above, checked

from . import checks
from .kernels.laws import lateral as column
from .lateral_stresses import WongReeceLateral
from .laws.base import put_deflection
from .laws.pacejka import PacejkaLateral
from .soil import ConeIndexSoil, cone_index_of
from .tyre import Tyre

Result = NDArray[np.float64] | np.float64


@checked
def crolla(slip_angle: ArrayLike, gamma: ArrayLike = 0.09) -> Result:
    """Size of the lateral ratio, ``1 - exp(-|alpha| / gamma)``, with the sign of the slip angle.

    Arguments: slip_angle alpha [rad]; gamma [rad], crossover angle, above 0 (0.0873 to 0.2618
    published). The force on the wheel is ``-crolla(alpha, gamma) F_n``.

    Raises: ValueError: a gamma that is not positive.

    Source: Crolla and El-Razaz, in Parker et al. (2009), eq 13.
    """
    angle, gamma = np.asarray(slip_angle, float), np.asarray(gamma, float)
    if not np.all(gamma > 0.0):
        raise ValueError(f"crolla: gamma = {gamma} rad must be above 0")
    return (np.sign(angle) * -np.expm1(-np.abs(angle) / gamma))[()]


@dataclass(frozen=True)
@checked
class Crolla:
    """Lateral ratio ``friction (1 - exp(-|alpha| / gamma))`` over the slip angle alpha.

    Arguments:
        gamma: slip angle of 63 % of the largest ratio [rad], above 0, at most pi/2.
        friction: largest ratio of lateral force to load [-], above 0 (1 in the simulator MAVS).

    Source: that of ``crolla``. The force opposes the lateral velocity; at rest a regularisation with
    static friction makes it set-valued.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    gamma: Annotated[float, Range(0.0, 0.5 * math.pi, "rad", open_low=True)] = 0.09
    friction: Annotated[float, above(0.0)] = 1.0
    number = column.CROLLA

    def lateral_ratio(
        self,
        slip_angle: ArrayLike,
        load: ArrayLike = 1.0,
        tyre: Tyre | None = None,
        soil: Any = None,
    ) -> Result:
        """Size of F_y / F_n with the sign of the slip angle [rad]."""
        angle, _ = np.broadcast_arrays(np.asarray(slip_angle, float), np.asarray(load, float))
        return np.multiply(self.friction, crolla(angle, self.gamma))

    def parameters(self, tyre: Tyre | None = None, soil: Any = None) -> NDArray[np.float64]:
        """Parameter array of this law's kernel."""
        p = np.zeros(column.LATERAL_FLOATS)
        p[column.FRICTION], p[column.RATE] = self.friction, 1.0 / self.gamma
        return p


#: Brixius' lateral law: largest ratio (None: 0.61 + 0.69 / B_1), initial slope at B_1 = 0, and increase
#: of the slope with the mobility number B_1.
COEFFICIENTS = {"bias": (None, 2.34, 0.088), "radial": (0.8, 2.79, 0.16)}


@dataclass(frozen=True)
@checked
class BrixiusLateral:
    """Lateral ratio by the cone index, ``mu_max (1 - exp(-(k / mu_max) |alpha|))``, slip angle alpha.

        B_1 = (c_i b d / F_n) sqrt(delta / h) / (1 + 0.5 b/d)
        bias:   mu_max = 0.61 + 0.69 / B_1,  k = 2.34 + 0.088 B_1
        radial: mu_max = 0.8,                k = 2.79 + 0.16 B_1

    with the cone index c_i, width b, diameter d, section height h and deflection delta of the tyre.
    Arguments: variant: "bias" or "radial".
    Source: Brixius (1987). B_1 below 1, for which the fit has no data, is taken as 1 (bias: mu_max 1.3).

    Raises:
        ValueError: an unknown variant.
    """

    variant: str = "bias"
    number = column.BRIXIUS_LATERAL

    def __post_init__(self) -> None:
        checks.known("Brixius lateral variant", self.variant, COEFFICIENTS)

    def mobility_number(self, tyre: Tyre, soil: ConeIndexSoil, load: ArrayLike) -> Result:
        """Mobility number B_1 [-] for loads F_n [N] of any shape."""
        load = np.maximum(np.asarray(load, float), 1.0)
        ratio = np.minimum(tyre.deflection_at(load) / tyre.section_height, 1.0)
        area = tyre.width * tyre.diameter / (1.0 + 0.5 * tyre.width / tyre.diameter)
        return np.maximum(1.0, cone_index_of("BrixiusLateral", soil) * area / load * np.sqrt(ratio))[()]

    def lateral_ratio(
        self, slip_angle: ArrayLike, load: ArrayLike, tyre: Tyre, soil: ConeIndexSoil
    ) -> Result:
        """Size of F_y / F_n with the sign of the slip angle [rad]; broadcasts over the load [N]."""
        number = self.mobility_number(tyre, soil, load)
        largest, slope, rise = COEFFICIENTS[self.variant]
        largest = 0.61 + 0.69 / number if largest is None else largest
        angle = np.asarray(slip_angle, float)
        rate = (slope + rise * number) / largest
        return (largest * np.sign(angle) * -np.expm1(-rate * np.abs(angle)))[()]

    def parameters(self, tyre: Tyre, soil: object) -> NDArray[np.float64]:
        """Parameter array of this law's kernel."""
        largest, slope, rise = COEFFICIENTS[self.variant]
        strength = cone_index_of("BrixiusLateral", soil)
        area = tyre.width * tyre.diameter / (1.0 + 0.5 * tyre.width / tyre.diameter)
        p = np.array([largest or 0.0, slope, rise, strength * area, 0.0, 0.0, 0.0, 1.0])
        put_deflection(p, tyre, column.SECTION_HEIGHT)
        return p


LateralLaw = Crolla | BrixiusLateral | WongReeceLateral | PacejkaLateral
