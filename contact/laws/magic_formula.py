"""The magic formula: tyres on hard ground, snow and ice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from mlcp.kinds import Range, above, at_least

from .. import checks
from ..kernels.laws import magic_formula as column
from ..kernels.laws.law import LAW_FLOATS
from ..tyre import Tyre
from .base import KernelLaw

#: B, C, D, E by surface.
SURFACES = {
    "dry": (10.0, 1.9, 1.0, 0.97),
    "wet": (12.0, 2.3, 0.82, 1.0),
    "snow": (5.0, 2.0, 0.3, 1.0),
    "ice": (4.0, 2.0, 0.1, 1.0),
}


@dataclass(frozen=True)
class MagicFormula(KernelLaw):
    """Thrust ratio over slip, independent of the load.

        mu(s) = D sin(C atan(B s - E (B s - atan(B s))))

    mu is odd in the slip; it rises to D and falls beyond. The peak bounds the force of the contact
    problem's row, and the falling part is linearised as Coulomb friction at the current force.

    Arguments:
        B: stiffness factor [-], above 0.
        C: shape factor [-], above 0.
        D: peak ratio [-], above 0.
        E: curvature factor [-], at most 1.
        rolling: ratio gamma of rolling resistance to load [-], constant; 0 in the simulator MAVS.

    Raises:
        ValueError: a factor outside its range, or factors with a thrust against the slip.

    Source: Short (2004), the sets of the MAVS vehicle-terrain interface.
    Differs from the source: ice has B = 4 (printed as 10); the ratio multiplies the load. Valid for
    pneumatic tyres near their rated load; cone index and load have no effect.
    """

    B: Annotated[float, above(0.0)] = 10.0
    C: Annotated[float, above(0.0)] = 1.9
    D: Annotated[float, above(0.0)] = 1.0
    E: Annotated[float, Range(high=1.0)] = 0.97
    rolling: Annotated[float, at_least(0.0)] = 0.0

    name = "magic formula"

    def __post_init__(self) -> None:
        if self.C * np.arctan(self._bend(1.0)) > np.pi:
            raise ValueError(
                f"MagicFormula: C = {self.C:g} with B = {self.B:g}, E = {self.E:g} makes the thrust "
                "negative at positive slip; take a smaller C"
            )

    @classmethod
    def surface(cls, name: str) -> MagicFormula:
        """Parameters of a surface: "dry", "wet", "snow" or "ice"."""
        checks.known("surface", name, SURFACES)
        return cls(*SURFACES[name])

    @property
    def peak(self) -> float:
        """Largest ratio over slips in [0, 1]: D if the curve reaches it."""
        return self.D * float(np.sin(min(self.C * np.arctan(self._bend(1.0)), 0.5 * np.pi)))

    def parameters(self, tyre: Tyre | None = None, soil: Any = None) -> NDArray[np.float64]:
        p = np.zeros(LAW_FLOATS)
        p[: column.ROLLING] = self.B, self.C, self.D, self.E
        p[column.ROLLING], p[column.PEAK] = self.rolling, self.peak
        return p

    def _bend(self, slip: float) -> float:
        x = self.B * slip
        return float(x - self.E * (x - np.arctan(x)))
