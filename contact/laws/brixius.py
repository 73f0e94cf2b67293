"""The cone-index law of Brixius: gross thrust and motion resistance of a tyre on soil."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import above

from .. import checks, validity
from ..kernels.laws import brixius as column
from ..kernels.laws.law import LAW_FLOATS
from ..soil import ConeIndexSoil, cone_index_of
from ..tyre import Tyre
from .base import LOAD_FLOOR, Given, KernelLaw, Result, put_deflection

#: Coefficients by variant: A, B, S (slip rate), M (compaction), R_0 (rolling loss).
COEFFICIENTS = {
    "bias": (0.88, 0.1, 7.5, 1.0, 0.04),
    "radial": (0.88, 0.1, 9.5, 0.9, 0.0325),
}


@dataclass(frozen=True)
class Brixius(KernelLaw):
    """Thrust and resistance ratios from the cone index.

        b_m      = c_i D b / F_n (1 + 5 delta/H) / (1 + 3 b/D)              mobility number, eq 18
        mu(s)    = sgn(s) [A (1 - exp(-B b_m)) (1 - exp(-S |s|)) + R_0]     thrust ratio, eq 19
        gamma(s) = M / b_m + |s| / (2 sqrt(b_m)) + R_0                      resistance ratio, eq 20

    with the cone index c_i, diameter D, width b, section height H and deflection delta of the tyre.
    mu(0) is the set [-R_0, R_0]; ``thrust_ratio`` returns its middle, 0. s is the driving slip:
    positive driving, negative braking, in both directions of travel.

    Arguments:
        variant: coefficients of the law, "bias" (A 0.88, B 0.1, S 7.5, M 1.0, R_0 0.04) or "radial"
            (S 9.5, M 0.9, R_0 0.0325).
        slip_rate: factor S of the slip, in place of the variant's; published for radial tyres: 8.5 to
            10.5.

    Raises:
        ValueError: an unknown variant, or a slip rate that is not positive.

    Source: Brixius (1987), ASAE 87-1622; Peiret et al., eqs 18-20.
    Differs from the source: odd in the slip (the printed eq 19 is -797 at s = -1 and b_m = 6.95), |s| in
    eq 20, loads below 1 N are taken as 1 N, delta is at most H. Valid for cohesive-frictional soil and
    slip up to about 0.3; beyond, the exponential is extrapolated.
    """

    variant: str = "bias"
    slip_rate: Annotated[float, above(0.0)] | None = None

    name = "brixius"
    of_cone_index = True

    def __post_init__(self) -> None:
        checks.known("Brixius variant", self.variant, COEFFICIENTS)

    @property
    def coefficients(self) -> tuple[float, float, float, float, float]:
        """(A, B, S, M, R_0) of the variant, with ``slip_rate`` if given."""
        a, b, s, m, r_0 = COEFFICIENTS[self.variant]
        return a, b, s if self.slip_rate is None else self.slip_rate, m, r_0

    @property
    def known_slip(self) -> float:
        return 0.3

    def check(self, tyre: Tyre, soil: ConeIndexSoil, load: Given = None, slip: Given = None) -> None:
        """Warn if the tyre, the mobility number or the slip is outside the range of the measurements."""
        if slip is not None:
            then = "the exponential continues"
            validity.outside(self.name, "slip", slip, -self.known_slip, self.known_slip, "", then)
        ratio = tyre.width / tyre.diameter
        validity.outside(self.name, "b/D", ratio, 0.05, 0.8, "", "the formula continues")
        if load is not None:
            number = self.mobility_number(tyre, soil, load)
            validity.outside(self.name, "b_m", number, 1.0, 2000.0, "", "the formula continues")

    def mobility_number(self, tyre: Tyre, soil: ConeIndexSoil, load: ArrayLike) -> Result:
        """Mobility number b_m [-], eq 18, for loads F_n [N] of any shape."""
        load = np.maximum(np.asarray(load, dtype=float), LOAD_FLOOR)
        ratio = tyre.deflection_at(load) / tyre.section_height
        shape = (1.0 + 5.0 * ratio) / (1.0 + 3.0 * tyre.width / tyre.diameter)
        strength = cone_index_of(self.name, soil)
        return (strength * tyre.diameter * tyre.width / load * shape)[()]

    def parameters(self, tyre: Tyre, soil: ConeIndexSoil) -> NDArray[np.float64]:
        p = np.zeros(LAW_FLOATS)
        a, b, s, m, r_0 = self.coefficients
        p[column.AMPLITUDE], p[column.RATE], p[column.SLIP_RATE] = a, b, s
        p[column.COMPACTION], p[column.ROLLING_LOSS] = m, r_0
        shape = 1.0 + 3.0 * tyre.width / tyre.diameter
        p[column.STRENGTH] = cone_index_of(self.name, soil) * tyre.diameter * tyre.width / shape
        put_deflection(p, tyre, column.SECTION_HEIGHT)
        p[column.LOAD_FLOOR] = LOAD_FLOOR
        p[column.FULL_SLIP] = -np.expm1(-s)
        return p
