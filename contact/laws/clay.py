"""Fine-grained soil: the clay law of the MAVS vehicle-terrain interface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks, validity
from ..kernels import clay as column
from ..kernels.law import CLAY, LAW_FLOATS
from ..soil import ConeIndexSoil, cone_index_of
from ..tyre import Tyre
from .base import GAMMA, LOAD_FLOOR, MU, KernelLaw, Result, put_deflection

VARIANTS = ("calibrated", "run-time")


@dataclass(frozen=True)
class Clay(KernelLaw):
    """Thrust and resistance ratios on fine-grained soil, from the cone index.

        N_c  = CI b d / (F_n (1 - delta/h)^1.5 (1 + b/d)^0.75)
        S_sp = 21 / N_c^2.5 + 0.005            self-powered slip
        R    = 12 / N_c^2 + 0.007
        net  = 0.5 log10(s / S_sp) (1 + b/d)^0.25,   mu = net + R,   gamma = R

    mu is floored at 0 for small driving slip (rounded within 0.005), and net kept in [-1, 1].
    Braking: mu(-s) = -mu(s), the source has no braking branch.

    Arguments:
        variant: "calibrated", or "run-time": what MAVS computes, S_sp without the 0.005 and R
            subtracted once more. There mu = 0.5 log10(s / S_sp) (1 + b/d)^0.25; where that is
            negative it stands in the resistance (fading out below a slip of 0.01), so that thrust never
            pushes against the slip.

    Raises:
        ValueError: an unknown variant.

    Source: Detwiller et al. (2018), J. Terramechanics, as MAVS has it.
    Differs from the source: log is log10; delta never exceeds h, and 1 - delta/h is at least 1e-3;
    loads below 1 N are taken as 1 N. Valid for N_c about 2 to 60.
    """

    variant: str = "calibrated"

    number = CLAY
    name = "clay"

    def __post_init__(self) -> None:
        checks.known("Clay variant", self.variant, VARIANTS)

    def numbers(self, tyre: Tyre, soil: ConeIndexSoil, load: ArrayLike) -> tuple[Result, Result, Result]:
        """(N_c, S_sp, R) for loads F_n [N] of any shape."""
        load = np.maximum(np.asarray(load, dtype=float), LOAD_FLOOR)
        ratio = np.minimum(tyre.deflection_at(load) / tyre.section_height, 1.0)
        shape = 1.0 + tyre.width / tyre.diameter
        strength = cone_index_of(self.name, soil) * tyre.width * tyre.diameter
        flat = np.maximum(1.0 - ratio, 1e-3)
        number = strength / (load * flat**1.5 * shape**0.75)
        offset = 0.005 if self.variant == "calibrated" else 0.0
        powered = 21.0 / number**2.5 + offset
        return number[()], powered[()], (12.0 / number**2 + 0.007)[()]

    def net_ratio(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: ConeIndexSoil) -> Result:
        """Net traction mu - gamma [-]; in the run-time variant what MAVS itself computes."""
        values = self.values(slip, load, tyre, soil)
        return (values[..., MU] - values[..., GAMMA])[()]

    def need(self, soil: object) -> None:
        """See ``KernelLaw``."""
        cone_index_of(self.name, soil)

    def check(
        self,
        tyre: Tyre,
        soil: ConeIndexSoil,
        load: ArrayLike | None = None,
        slip: ArrayLike | None = None,
    ) -> None:
        """Warn where N_c leaves the range of the measurements."""
        if load is not None:
            number, _, _ = self.numbers(tyre, soil, load)
            then = "the formula goes on, net thrust kept in [-1, 1]"
            validity.outside(self.name, "N_c", number, 1.0, 100.0, "", then)

    def parameters(self, tyre: Tyre, soil: ConeIndexSoil) -> NDArray[np.float64]:
        """The kernel's parameter array, shape (LAW_FLOATS,)."""
        p = np.zeros(LAW_FLOATS)
        shape = 1.0 + tyre.width / tyre.diameter
        p[column.STRENGTH] = cone_index_of(self.name, soil) * tyre.width * tyre.diameter / shape**0.75
        p[column.SHAPE] = shape**0.25
        p[column.OFFSET] = 0.005 if self.variant == "calibrated" else 0.0
        p[column.RUN_TIME] = float(self.variant == "run-time")
        put_deflection(p, tyre, column.SECTION_HEIGHT)
        p[column.LOAD_FLOOR] = LOAD_FLOOR
        return p
