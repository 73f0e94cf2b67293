"""What every ground law shares: the public functions, evaluated by the law's own kernel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import checked

from .. import validity
from ..kernels.law import LAWS as NUMBERED
from ..soil import cone_index_of
from ..tyre import Tyre

#: Floor of the load under a division [N]; a wheel so light carries nothing worth resolving.
LOAD_FLOOR = 1.0
MU, SLOPE, JUMP, GAMMA, RHO, PEAK, PUSH = range(7)
Result = NDArray[np.float64] | np.float64


@checked
class KernelLaw(ABC):
    """Base of the laws: ``number`` and ``name`` of the law, ``parameters(tyre, soil)`` for its kernel.

    A law acts on slips s in [-1, 1] (positive driving, negative braking, in both directions of
    travel); slips beyond are clamped.
    """

    name: str
    number: ClassVar[int] = -1  # place in the table of laws, ``kernels/law.py``
    in_files: ClassVar[bool] = True  # whether a mechanism's file may hold one
    of_cone_index: ClassVar[bool] = False  # whether the soil needs one

    def __init_subclass__(cls) -> None:
        room, _, file = cls.__module__.rpartition(".")
        if room == __package__:
            cls.number = list(NUMBERED).index(file)

    @abstractmethod
    def parameters(self, tyre: Tyre, soil: Any) -> NDArray[np.float64]:
        """The kernel's parameter array."""

    def pushes(self, p: NDArray[np.float64]) -> bool:
        """Whether it has thrust at zero slip or a rolling moment, which need a row on the spin.

        Arguments: p: what ``parameters`` made.
        """
        return False

    def need(self, soil: object) -> None:
        """Raise ``ValueError`` unless ``soil`` is of the kind that the law looks at."""
        if self.of_cone_index:
            cone_index_of(self.name, soil)

    def check(  # noqa: B027  a law without limits of validity has nothing to say
        self,
        tyre: Tyre,
        soil: Any,
        load: ArrayLike | None = None,
        slip: ArrayLike | None = None,
    ) -> None:
        """Warn (``validity.OutsideValidity``) where the source does not vouch for the law."""

    @property
    def known_slip(self) -> float:
        """Slip up to which the source vouches for the law [-]."""
        return 1.0

    def values(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> NDArray[np.float64]:
        """All seven kernel values, shape (..., 7): mu, slope, jump, gamma, rho, peak, push."""
        from ..kernels.law_entry import law_over

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
        """mu(s) = F_t / F_n [-] for slips and loads [N], broadcast together.

        At zero slip a set-valued law gives the middle of its set.
        """
        v = self.values(slip, load, tyre, soil)
        return (v[..., MU] + np.sign(np.asarray(slip, float)) * v[..., JUMP] + v[..., PUSH])[()]

    def thrust_slope(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> Result:
        """dmu/ds [-] at constant load; a jump at s = 0 is not a slope."""
        return self.values(slip, load, tyre, soil)[..., SLOPE][()]

    def resistance_ratio(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> Result:
        """gamma(s) = F_c / F_n [-], horizontal, at the wheel centre."""
        return self.values(slip, load, tyre, soil)[..., GAMMA][()]

    def rolling_moment_ratio(self, slip: ArrayLike, load: ArrayLike, tyre: Tyre, soil: Any) -> Result:
        """rho(s) = T_rr / (F_n r) [-], eq 12: what the torque has beyond the thrust."""
        return self.values(slip, load, tyre, soil)[..., RHO][()]


def drives_itself(
    slip: NDArray[np.float64], thrust: NDArray[np.float64], resistance: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Where ratios would create energy: mu < 0 when driving, ``mu |s| > gamma`` when braking.

    Per unit of load and of the faster of wheel and rim, thrust at the contact and resistance at the
    centre take ``mu s + gamma (1 - s)`` when driving and ``gamma - mu |s|`` when braking.
    """
    driving = (slip > 0.0) & (thrust < -1e-12)
    braking = (slip < 0.0) & (thrust * np.abs(slip) > resistance + 1e-12)
    return driving | braking


def put_deflection(p: NDArray[np.float64], tyre: Tyre, first: int) -> None:
    """Section height, stiffness and fixed deflection of the tyre into three columns from ``first``."""
    fixed = tyre.fixed_deflection
    p[first : first + 3] = tyre.section_height, tyre.stiffness, -1.0 if fixed is None else fixed
