"""Fine-grained soil: the clay law of the MAVS vehicle-terrain interface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks, validity
from ..kernels.laws import clay as column
from ..kernels.laws.law import LAW_FLOATS
from ..soil import ConeIndexSoil, cone_index_of
from ..tyre import Tyre
from .base import GAMMA, LOAD_FLOOR, MU, Given, KernelLaw, Result, put_deflection

#: Variants by name: offset of the self-powered slip S_sp; scale, power and least value of the resistance
#: ratio R.
VARIANTS = {
    "calibrated": (0.005, 5.07, 1.71, 0.011),
    "original": (0.005, 12.0, 2.0, 0.007),
    "run-time": (0.0, 12.0, 2.0, 0.007),
}


@dataclass(frozen=True)
class Clay(KernelLaw):
    """Thrust and resistance ratios on fine-grained soil, from the cone index.

        N_c  = CI b d / (F_n (1 - delta/h)^1.5 (1 + b/d)^0.75)
        S_sp = 21 / N_c^2.5 + 0.005            self-powered slip
        R    = 5.07 / N_c^1.71 + 0.011         calibrated;   original: 12 / N_c^2 + 0.007
        net  = 0.5 log10(s / S_sp) (1 + b/d)^0.25,   mu = net + R,   gamma = R   (net traction ratio)

    with the cone index CI, width b, diameter d, section height h and deflection delta of the tyre, slip
    s. mu is at least 0 for small driving slip (with a corner rounded within 0.005), and net is limited
    to [-1, 1]. Braking: mu(-s) = -mu(s), since the source has no braking branch.

    Arguments:
        variant: "calibrated"; "original": with the original R; or "run-time": the result of MAVS in a
            run, which subtracts the original R once more and has S_sp without the 0.005. Its mu is
            0.5 log10(s / S_sp) (1 + b/d)^0.25; a negative part of mu is added to the resistance, so
            that thrust and slip never have opposite signs.

    Raises:
        ValueError: an unknown variant.

    Source: Dettwiller et al. (2018), J. Terramechanics 77 (the calibrated R: eq 27), as in the open
    code of MAVS.
    Differs from the source: log is log10; 1 - delta/h is at least 0.5, and N_c at most 300 (a fully
    compressed or nearly unloaded tyre would have its full thrust at slips near 0); R is at most 1;
    loads below 1 N are taken as 1 N. MAVS adds the original R to the calibrated net traction, so that
    its gross thrust is not net + gamma; here it is. In the run-time variant the resistance beyond R
    decreases linearly below a slip of 0.01, since it would jump from 1 to R at zero slip; in MAVS
    the resistance is the whole load at zero slip and when braking. ``net_ratio`` is that of MAVS at
    every driving slip. Valid for N_c about 2 to 60.
    """

    variant: str = "calibrated"

    name = "clay"
    of_cone_index = True

    def __post_init__(self) -> None:
        checks.known("Clay variant", self.variant, VARIANTS)

    def numbers(self, tyre: Tyre, soil: ConeIndexSoil, load: ArrayLike) -> tuple[Result, Result, Result]:
        """(N_c, S_sp, R) for loads F_n [N] of any shape."""
        load = np.maximum(np.asarray(load, dtype=float), LOAD_FLOOR)
        ratio = np.minimum(tyre.deflection_at(load) / tyre.section_height, 1.0)
        shape = 1.0 + tyre.width / tyre.diameter
        strength = cone_index_of(self.name, soil) * tyre.width * tyre.diameter
        flat = np.maximum(1.0 - ratio, column.LEAST_HEIGHT)
        number = np.minimum(strength / (load * flat**1.5 * shape**0.75), column.LARGEST_NUMBER)
        offset, scale, power, least = VARIANTS[self.variant]
        powered = 21.0 / number**2.5 + offset
        return number[()], powered[()], (scale / number**power + least)[()]

    def net_ratio(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: ConeIndexSoil) -> Result:
        """Net traction mu - gamma [-]; in the run-time variant that of MAVS itself (s > 0)."""
        values = self.values(slip, load, tyre, soil)
        net = values[..., MU] - values[..., GAMMA]
        if self.variant == "run-time":
            slip, load = np.broadcast_arrays(np.asarray(slip, float), np.asarray(load, float))
            _, powered, rolling = self.numbers(tyre, soil, load)
            driving = np.minimum(np.where(slip > 0.0, slip, 1.0), 1.0)
            shape = (1.0 + tyre.width / tyre.diameter) ** 0.25
            theirs = np.clip(0.5 * np.log10(driving / powered) * shape - rolling, -1.0, 1.0)
            net = np.where(slip > 0.0, theirs, net)
        return net[()]

    def check(self, tyre: Tyre, soil: ConeIndexSoil, load: Given = None, slip: Given = None) -> None:
        """Warn if N_c is outside the range of the measurements."""
        if load is not None:
            number, _, _ = self.numbers(tyre, soil, load)
            then = "the formula continues, net thrust limited to [-1, 1]"
            validity.outside(self.name, "N_c", number, 1.0, 100.0, "", then)

    def parameters(self, tyre: Tyre, soil: ConeIndexSoil) -> NDArray[np.float64]:
        p = np.zeros(LAW_FLOATS)
        shape = 1.0 + tyre.width / tyre.diameter
        p[column.STRENGTH] = cone_index_of(self.name, soil) * tyre.width * tyre.diameter / shape**0.75
        p[column.SHAPE] = shape**0.25
        p[[column.OFFSET, column.R_SCALE, column.R_POWER, column.R_LEAST]] = VARIANTS[self.variant]
        p[column.RUN_TIME] = float(self.variant == "run-time")
        put_deflection(p, tyre, column.SECTION_HEIGHT)
        p[column.LOAD_FLOOR] = LOAD_FLOOR
        return p
