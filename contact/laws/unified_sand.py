"""Unified sand equation for braked, towed and powered wheels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import validity
from ..kernels.laws import unified_sand as column
from ..kernels.laws.law import LAW_FLOATS
from ..soil import ConeIndexSoil, cone_index_of
from ..tyre import Tyre
from .base import LOAD_FLOOR, Given, KernelLaw, Result, put_deflection
from .sand import resisting_strength


@dataclass(frozen=True)
class UnifiedSand(KernelLaw):
    """Thrust on sand: one curve for the braked, towed and powered wheel.

        mu(s) = -0.5 + (M + 0.5) / (1 + A exp(-7 s))^(1/C)
        M = 0.42 + 0.009/k,   A = 0.76 + 0.014/k,   C = 1.56 - 0.022/k,   k = p_c / CI
        p_c = F_n / (2 b sqrt(a (d - a)) (b/h)^0.52),   a = delta + 0.026 d

    with the cone index CI, contact pressure p_c, load F_n, and width b, diameter d, section height h and
    deflection delta of the tyre. mu is the gross thrust: mu(0) > 0, and a free-rolling wheel skids.
    gamma is that of ``Sand``.

    Source: Mason et al. (2018), J. Terramechanics 79, eqs 5 to 8, and Mason et al. (2016) for p_c
    (eq 10), as in the open code of MAVS, by the authors' own institute; of the papers only the abstracts
    were compared. Resistance: Williams et al. (2019), eq 1.
    Differs from the source: k is at least 0.05 (1/C has a pole at 0.0141 and mu(0) is negative below
    0.033); loads below 1 N are taken as 1 N; delta is at most h. Valid for dry sand.
    """

    name = "sand-unified"
    of_cone_index = True

    def pressure_ratio(self, tyre: Tyre, soil: ConeIndexSoil, load: ArrayLike) -> Result:
        """Contact pressure over cone index k [-] for loads F_n [N] of any shape."""
        load = np.maximum(np.asarray(load, dtype=float), LOAD_FLOOR)
        sunk = np.minimum(tyre.deflection_at(load), tyre.section_height) + 0.026 * tyre.diameter
        chord = 2.0 * np.sqrt(sunk * (tyre.diameter - sunk))
        shape = (tyre.width / tyre.section_height) ** 0.52
        return (load / (tyre.width * chord * shape) / cone_index_of(self.name, soil))[()]

    def check(self, tyre: Tyre, soil: ConeIndexSoil, load: Given = None, slip: Given = None) -> None:
        """Warn if the contact pressure is outside the formula's range."""
        if load is not None:
            ratio = self.pressure_ratio(tyre, soil, load)
            then = "the thrust is that of the nearer end below, and the formula continues above"
            validity.outside(self.name, "p_c / CI", ratio, column.SMALLEST, 2.0, "", then)

    def pushes(self, p: NDArray[np.float64]) -> bool:
        return True

    def parameters(self, tyre: Tyre, soil: ConeIndexSoil) -> NDArray[np.float64]:
        p = np.zeros(LAW_FLOATS)
        p[column.RESISTING] = resisting_strength(tyre, cone_index_of(self.name, soil))
        p[column.CONE_INDEX] = cone_index_of(self.name, soil)
        p[column.WIDTH] = 2.0 * tyre.width * (tyre.width / tyre.section_height) ** 0.52
        p[column.DIAMETER] = tyre.diameter
        put_deflection(p, tyre, column.SECTION_HEIGHT)
        p[column.LOAD_FLOOR] = LOAD_FLOOR
        return p
