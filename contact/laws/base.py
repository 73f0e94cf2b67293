"""Base class of the ground laws, whose public functions call the law's compiled kernel."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import checked

from .. import validity
from ..kernels.laws.law import LAWS as NUMBERED
from ..soil import cone_index_of
from ..tyre import Tyre

#: Lower limit of the load as a divisor [N].
LOAD_FLOOR = 1.0
MU, SLOPE, COULOMB, GAMMA, RHO, PEAK, OFFSET = range(7)  # indices in the result of a law's kernel
Result = NDArray[np.float64] | np.float64
Given = ArrayLike | None  # an argument that may be left out


@checked
class KernelLaw(ABC):
    """Base of the laws: ``number`` and ``name`` of the law, ``parameters(tyre, soil)`` for its kernel.

    A law acts on slips s in [-1, 1] (positive driving, negative braking, in both directions of
    travel); slips beyond are clamped.
    """

    name: str
    number: ClassVar[int] = -1  # index in the table of laws, ``contact/kernels/laws/law.py``
    in_files: ClassVar[bool] = True  # whether files of mechanisms may contain the law
    of_cone_index: ClassVar[bool] = False  # whether the law needs a soil with a cone index

    def __init_subclass__(cls) -> None:
        room, _, file = cls.__module__.rpartition(".")
        if room == __package__:
            cls.number = list(NUMBERED).index(file)

    @abstractmethod
    def parameters(self, tyre: Tyre, soil: Any) -> NDArray[np.float64]:
        """Parameter array of this law's kernel."""

    def pushes(self, p: NDArray[np.float64]) -> bool:
        """Whether the law has thrust at zero slip or a rolling moment, so that the wheel's spin needs a
        row of the contact problem.

        Arguments: p: result of ``parameters``.
        """
        return False

    def need(self, soil: object) -> None:
        """Raise ``ValueError`` unless ``soil`` is of the kind that the law needs."""
        if self.of_cone_index:
            cone_index_of(self.name, soil)

    def check(self, tyre: Tyre, soil: Any, load: Given = None, slip: Given = None) -> None:  # noqa: B027
        """Warn (``validity.OutsideValidity``) outside the range of the law's source."""

    @property
    def known_slip(self) -> float:
        """Largest slip in the range of the law's source [-]."""
        return 1.0

    def values(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> NDArray[np.float64]:
        """All seven kernel values, (..., 7): mu, its slope, Coulomb part, gamma, rho, peak of mu,
        thrust ratio at zero slip."""
        from ..kernels.wheel.law_entry import law_over

        slip, load = np.broadcast_arrays(np.asarray(slip, float), np.asarray(load, float))
        if not (np.isfinite(slip).all() and np.isfinite(load).all() and (load >= 0.0).all()):
            raise ValueError(f"{self.name}: slip and load must be finite numbers, load at least 0 N")
        validity.outside(self.name, "slip", slip, -1.0, 1.0, "", "it is clamped")
        self.need(soil)
        self.check(tyre, soil, load, slip)
        out = np.empty((slip.size, 7))
        flat = np.ascontiguousarray(np.clip(slip, -1.0, 1.0).ravel())
        law_over(self.number, self.parameters(tyre, soil), flat, np.ascontiguousarray(load.ravel()), out)
        return out.reshape(*slip.shape, 7)

    def thrust_ratio(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> Result:
        """Thrust ratio mu(s) = F_t / F_n [-] for slips and loads [N], broadcast together.

        At zero slip it is the middle of the set of a set-valued law.
        """
        v = self.values(slip, load, tyre, soil)
        return (v[..., MU] + np.sign(np.asarray(slip, float)) * v[..., COULOMB] + v[..., OFFSET])[()]

    def thrust_slope(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> Result:
        """Slope dmu/ds [-] of the thrust ratio at constant load, without the discontinuity at s = 0."""
        return self.values(slip, load, tyre, soil)[..., SLOPE][()]

    def resistance_ratio(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> Result:
        """Resistance ratio gamma(s) = F_c / F_n [-], of a horizontal force at the wheel centre."""
        return self.values(slip, load, tyre, soil)[..., GAMMA][()]

    def rolling_moment_ratio(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> Result:
        """Ratio rho(s) = T_rr / (F_n r) [-]; T_rr: torque about the axle beyond the thrust's moment."""
        return self.values(slip, load, tyre, soil)[..., RHO][()]


def drives_itself(
    slip: NDArray[np.float64], thrust: NDArray[np.float64], resistance: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Whether thrust ratio mu and resistance ratio gamma at slip s may supply energy: mu < 0 when
    driving, ``mu |s| > gamma`` when braking.

    Per unit of load and of v_max (the larger of omega r and v_x), thrust at the contact and resistance
    at the centre dissipate ``mu s + gamma (1 - s)`` when driving and ``gamma - mu |s|`` when braking.
    """
    driving = (slip > 0.0) & (thrust < -1e-12)
    braking = (slip < 0.0) & (thrust * np.abs(slip) > resistance + 1e-12)
    return driving | braking


def put_deflection(p: NDArray[np.float64], tyre: Tyre, first: int) -> None:
    """Write the tyre's section height, stiffness and deflection at zero load to
    ``p[first : first + 3]``; for a fixed deflection infinite stiffness and this deflection."""
    fixed = tyre.fixed_deflection
    line = (tyre.stiffness, tyre.toe) if fixed is None else (math.inf, fixed)
    p[first : first + 3] = tyre.section_height, *line
