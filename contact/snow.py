"""Shallow snow: sinkage of a wheel and the resistance of the snow that it compacts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from mlcp.kinds import Range, above, checked

from . import checks
from .laws.magic_formula import SURFACES, MagicFormula
from .tyre import Tyre

#: Contact pressure [Pa] up to which snow is compacted to a density [kg/m^3].
FINAL_DENSITIES = ((210e3, 500.0), (350e3, 550.0), (700e3, 600.0), (math.inf, 650.0))


@dataclass(frozen=True)
@checked
class ShallowSnow:
    """Undisturbed snow of one density on firm ground, under a leading wheel.

        z = h (1 - rho_0 / rho_f)
        R = 13.6041 (rho_0 w a)^1.26,   a = r acos(1 - z/r)

    with the sinkage z, the final density rho_f, and the width w and radius r of the wheel.

    Arguments:
        depth: depth h of the snow [m], above 0. density: density rho_0 [kg/m^3], above 0, below 500.

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: Richmond (1995), CRREL 95-7, eqs 1 and 4, rho_f 500 to 650 kg/m^3 by the largest contact
    pressure. Equation 4 is a picture in the copy that was seen; its factor, that of the NATO Reference
    Mobility Model II, is from memory and agrees with CRREL's measurements (``docs/measured.md``).
    Valid to some 0.22 m and for snow that no wheel has passed; the ground below carries the wheel.
    """

    depth: Annotated[float, above(0.0, "m")]
    density: Annotated[float, Range(0.0, 500.0, "kg/m^3", open_low=True, open_high=True)]

    def sinkage(self, pressure: float = 2e5) -> float:
        """Sinkage z [m] under a wheel with the given largest contact pressure [Pa]."""
        checks.positive("ShallowSnow", "pressure", pressure, unit="Pa")
        final = next(density for most, density in FINAL_DENSITIES if pressure <= most)
        return self.depth * (1.0 - self.density / final)

    def resistance(self, tyre: Tyre, sinkage: float | None = None) -> float:
        """Resistance R [N] of a wheel at a sinkage [m] in [0, r]; None: that at the tyre's pressure."""
        z = self.sinkage(tyre.pressure) if sinkage is None else sinkage
        checks.within("ShallowSnow", "sinkage", z, 0.0, tyre.radius, unit="m")
        arc = tyre.radius * math.acos(1.0 - z / tyre.radius)
        return 13.6041 * (self.density * tyre.width * arc) ** 1.26

    def law(self, tyre: Tyre, load: float) -> MagicFormula:
        """Ground law "snow" with the ratio of ``resistance`` to the load [N] as resistance ratio."""
        checks.positive("ShallowSnow", "load", load, unit="N")
        return MagicFormula(*SURFACES["snow"], rolling=self.resistance(tyre) / load)
