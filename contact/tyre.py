"""A pneumatic tyre: geometry, pressure, and its deflection under load."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.kinds import above, at_least, checked, within

from . import checks

#: Units by quantity: name, size in SI, range of plausible numbers.
PRESSURES = ("bar", 1e5, 0.1, 12.0), ("psi", 6894.757293168361, 8.0, 150.0), ("kPa", 1e3, 25.0, 1000.0)
LENGTHS = ("in", 0.0254, 3.0, 160.0), ("mm", 1e-3, 30.0, 4500.0)


def _meant(value: float, units: Any, unit: str) -> str:
    """The value in each unit in which it is plausible, for an error message."""
    return "".join(
        f"; {value:g} {name} are {value * size:.6g} {unit}"
        for name, size, low, high in units
        if low <= value <= high
    )


def _check_units(tyre: Tyre) -> None:
    """Refuse a pressure or a size that is probably in another unit."""
    if tyre.pressure < 1e3:
        raise ValueError(
            f"Tyre.pressure = {tyre.pressure:g} Pa must be at least 1000 Pa"
            + _meant(tyre.pressure, PRESSURES, "Pa")
        )
    for name in ("diameter", "width", "section_height"):
        value = getattr(tyre, name)
        if value > 10.0:  # a size above 10 m is probably in another unit
            raise ValueError(
                f"Tyre.{name} = {value:g} m must be at most 10 m" + _meant(value, LENGTHS, "m")
            )


@dataclass(frozen=True)
@checked
class Tyre:
    """Tyre geometry and deflection model.

    Deflection ``delta = toe + F_n / (k_c + m pi p sqrt(D b))``: the undeformed torus cut by a plane at
    depth delta meets it in an ellipse of area ``pi delta sqrt(D b)`` under the inflation pressure.

    Arguments:
        diameter: unloaded outer diameter D [m], at most 10.
        width: section width b [m], at most 10.
        section_height: section height H [m], at most D/2.
        pressure: inflation pressure p, gauge [Pa], at least 1000.
        deflection_ratio: fixed delta/H in [0, 1] for the laws, in place of the model's.
        deflection: fixed delta [m], in [0, H], in place of deflection_ratio.
        carcass_stiffness: stiffness k_c of the tyre without inflation [N/m], at least 0.
        inflation_share: ratio m of contact pressure to inflation pressure [-], above 0.
        toe: deflection delta at zero load [m], in [0, H/2].

    A fixed deflection and the toe are for the ground laws alone. The stiffness for the normal force
    always follows from the pressure, so that even a tyre of fixed ratio 0 is elastic.

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: Hedekel's membrane formula, as quoted by Lyasko (2010), J. Terramechanics 47. Peiret et al.
    give a pressure (2 bar) and no model of delta/H, which their eqs 18-20 need. The formula has k_c = 0,
    m = 1 and no toe. A truck tyre measured at 4, 6 and 8 bar has k_c = 170 kN/m, m = 0.56 and a toe of
    2.6 mm by least squares of the relative deviations.
    """

    diameter: Annotated[float, above(0.0, "m")]
    width: Annotated[float, above(0.0, "m")]
    section_height: float
    pressure: Annotated[float, above(0.0, "Pa")] = 2e5
    deflection_ratio: Annotated[float, within(0.0, 1.0)] | None = None
    deflection: float | None = None
    carcass_stiffness: Annotated[float, at_least(0.0, "N/m")] = 0.0
    inflation_share: Annotated[float, above(0.0)] = 1.0
    toe: Annotated[float, at_least(0.0, "m")] = 0.0

    def __post_init__(self) -> None:
        _check_units(self)
        checks.within(
            "Tyre", "section_height", self.section_height, 0.0, self.radius, unit="m", open_low=True
        )
        checks.within("Tyre", "toe", self.toe, 0.0, 0.5 * self.section_height, unit="m")
        if self.deflection_ratio is not None and self.deflection is not None:
            raise ValueError("Tyre: give deflection_ratio or deflection, not both")
        if self.deflection is not None:
            checks.within("Tyre", "deflection", self.deflection, 0.0, self.section_height, unit="m")

    @property
    def radius(self) -> float:
        """Effective rolling radius r = D/2 [m], the unloaded radius as in Peiret et al."""
        return 0.5 * self.diameter

    @property
    def stiffness(self) -> float:
        """Vertical stiffness dF_n/ddelta = k_c + m pi p sqrt(D b) [N/m]."""
        inflation = math.pi * self.pressure * math.sqrt(self.diameter * self.width)
        return self.carcass_stiffness + self.inflation_share * inflation

    @property
    def fixed_deflection(self) -> float | None:
        """Fixed deflection [m]; None: the deflection follows from the load."""
        if self.deflection_ratio is not None:
            return self.deflection_ratio * self.section_height
        return self.deflection

    def deflection_at(self, load: ArrayLike) -> NDArray[np.float64] | np.float64:
        """Deflection delta [m] under ``load`` F_n [N], any shape; at most the section height."""
        load = np.asarray(load, dtype=float)
        fixed = self.fixed_deflection
        if fixed is not None:
            return np.full_like(load, fixed)[()]
        return np.clip(self.toe + load / self.stiffness, 0.0, self.section_height)[()]
