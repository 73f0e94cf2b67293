"""Coarse-grained soil: the sand law of the MAVS vehicle-terrain interface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import validity
from ..kernels.laws import sand as column
from ..kernels.laws.law import LAW_FLOATS
from ..soil import ConeIndexSoil, cone_index_of
from ..trafficability import INCH, PSI
from ..tyre import Tyre
from .base import LOAD_FLOOR, Given, KernelLaw, Result, put_deflection


def resisting_strength(tyre: Tyre, cone_index: float) -> float:
    """``CI (b d)^1.5`` [lbf in] with cone index, width and diameter in psi and inches.

    Over the load it is the numeric N of the motion resistance, see ``Sand``.
    """
    return cone_index / PSI * (tyre.width * tyre.diameter / INCH**2) ** 1.5


@dataclass(frozen=True)
class Sand(KernelLaw):
    """Thrust and resistance ratios on sand, from the cone-index gradient.

        N_s   = G (b d)^1.5 delta / (F_n h),   G = CI / (3.47 * 0.0254 m)
        mu(s) = X - X Y / (N_s + 10 + Y),      X = 0.66,  Y = 4.71 + 1.72 / s,  s > 0
        gamma = X_m + sqrt(X_m^2 + 0.0000457 N + 0.08) + 0.05 delta / h,  X_m = 0.44 - 0.002287 N

    with the cone index CI, width b, diameter d, section height h and deflection delta of the tyre, and
    N = CI (b d)^1.5 / F_n in psi, inches and pounds. mu(0) = 0. Braking: mu(-s) = -mu(s), since the
    source has no braking branch (its pole is at s = -0.365 / (1 + a / 4.71), a = N_s + 10).

    Source: equation of the vehicle-terrain interface in Mason et al. (2018), J. Terramechanics 79,
    eqs 9 and 10, which they compare with their own (``UnifiedSand``); resistance: Williams et al.
    (2019), eq 1; both as in MAVS.
    Differs from the source: 3.47 is a depth in inches; X_m falls with N, a numeric and not the load;
    loads below 1 N are taken as 1 N; delta is at most h. Valid for dry sand, about N_s 1 to 150.
    """

    name = "sand"
    of_cone_index = True

    def numeric(self, tyre: Tyre, soil: ConeIndexSoil, load: ArrayLike) -> Result:
        """Sand numeric N_s [-] for loads F_n [N] of any shape."""
        load = np.maximum(np.asarray(load, dtype=float), LOAD_FLOOR)
        ratio = np.minimum(tyre.deflection_at(load) / tyre.section_height, 1.0)
        gradient = cone_index_of(self.name, soil) / (3.47 * INCH)
        return (gradient * (tyre.width * tyre.diameter) ** 1.5 * ratio / load)[()]

    def check(self, tyre: Tyre, soil: ConeIndexSoil, load: Given = None, slip: Given = None) -> None:
        """Warn if N_s is outside the range of the measurements."""
        if load is not None:
            number = self.numeric(tyre, soil, load)
            validity.outside(self.name, "N_s", number, 0.5, 300.0, "", "the formula continues")

    def parameters(self, tyre: Tyre, soil: ConeIndexSoil) -> NDArray[np.float64]:
        p = np.zeros(LAW_FLOATS)
        area = tyre.width * tyre.diameter
        p[column.STRENGTH] = cone_index_of(self.name, soil) / (3.47 * INCH) * area**1.5
        p[column.RESISTING] = resisting_strength(tyre, cone_index_of(self.name, soil))
        put_deflection(p, tyre, column.SECTION_HEIGHT)
        p[column.LOAD_FLOOR] = LOAD_FLOOR
        return p
