"""Named soils, with sources.

The moduli, exponents, cohesions and friction angles are those of the table of terrain values in
J. Y. Wong, Theory of Ground Vehicles (table 2.3 of the 4th edition, 2008). They were not compared with
the printed book. All rows were copied from a public program for Chrono's deformable ground; dry sand is
the same in programs that cite Ding et al. (2015), table I. Public copies differ in two values: the
friction angle of Rubicon sandy loam (29.8 or 30.2 deg) and n of LETE sand (0.79 or 0.793). Compare with
the book before relying on a value. Two measurements of one soil differ by more than these copies.
The shear moduli K and the cone indices are not from this table, see ``NamedSoil``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mlcp.kinds import checked

from . import checks
from .soil import BekkerSoil, ConeIndexSoil


@dataclass(frozen=True)
class NamedSoil:
    """A soil of the catalogue.

    Attributes:
        name: key of the soil in ``SOILS``.
        moisture: fraction of the dry mass [-], None if not reported.
        bekker: pressure-sinkage and Mohr-Coulomb parameters.
        cone: cone index as a first guess, not measured on this soil.
        source: author of the measurement, table, and origin of K and cone index.

    The shear modulus K is that of the soil's class (10 mm firm sand, 25 mm loose sand and loam, 6 mm
    compacted clay, 25 to 50 mm fresh snow: the book's text, quoted from memory), not measured on the
    same plot; for LETE sand 12 mm is usual, for clayey soil 10 mm is assumed. The cone index, too, is
    that of a class: ASAE D497 has 450 kPa for soft or sandy, 900 kPa for tilled, 1200 kPa for firm and
    1800 kPa for hard soil. It has no class for mud and snow; 150 kPa is assumed for these.
    """

    name: str
    moisture: float | None
    bekker: BekkerSoil
    cone: ConeIndexSoil
    source: str


_WONG = "Wong, Theory of Ground Vehicles, 4th ed. (2008), table 2.3, at second hand; measured by "
# name: moisture %, n, k_c kN/m^(n+1), k_phi kN/m^(n+2), c kPa, phi deg, K mm, cone index kPa, author
_ROWS = {
    "dry sand": (0, 1.1, 0.99, 1528.43, 1.04, 28.0, 25, 450, "Land Locomotion Laboratory"),
    "LETE sand": (None, 0.79, 102.0, 5301.0, 1.3, 31.1, 12, 450, "Wong"),
    "sandy loam": (15, 0.7, 5.27, 1515.04, 1.72, 29.0, 25, 900, "Land Locomotion Laboratory"),
    "wet sandy loam": (22, 0.2, 2.56, 43.12, 1.38, 38.0, 25, 450, "Land Locomotion Laboratory"),
    "Michigan sandy loam": (11, 0.9, 52.53, 1127.97, 4.83, 20.0, 25, 900, "Strong and Buchele"),
    "Upland sandy loam": (51, 1.1, 74.6, 2080.0, 3.3, 33.7, 25, 900, "Wong"),
    "Rubicon sandy loam": (43, 0.66, 6.9, 752.0, 3.7, 29.8, 25, 450, "Wong"),
    "Grenville loam": (24, 1.01, 0.06, 5880.0, 3.1, 29.8, 25, 1200, "Wong"),
    "North Gower clayey loam": (46, 0.73, 41.6, 2471.0, 6.1, 26.6, 25, 900, "Wong"),
    "clayey soil": (38, 0.5, 13.19, 692.15, 4.14, 13.0, 10, 450, "Thailand survey"),
    "heavy clay": (25, 0.13, 12.70, 1555.95, 68.95, 34.0, 6, 1200, "Waterways Experiment Station"),
    "wet heavy clay": (40, 0.11, 1.84, 103.27, 20.69, 6.0, 6, 150, "Waterways Experiment Station"),
    "lean clay": (22, 0.2, 16.43, 1724.69, 68.95, 20.0, 6, 1200, "Waterways Experiment Station"),
    "wet lean clay": (32, 0.15, 1.52, 119.61, 13.79, 11.0, 6, 150, "Waterways Experiment Station"),
    "snow": (None, 1.6, 4.37, 196.72, 1.03, 19.7, 40, 150, "unnamed (U.S. snow)"),
}


def _named(name: str) -> NamedSoil:
    moisture, n, k_c, k_phi, cohesion, friction, shear, cone, by = _ROWS[name]
    bekker = BekkerSoil(k_c * 1e3, k_phi * 1e3, n, cohesion * 1e3, math.radians(friction), shear * 1e-3)
    return NamedSoil(
        name,
        None if moisture is None else moisture / 100.0,
        bekker,
        ConeIndexSoil(cone * 1e3),
        f"{_WONG}{by}; K and cone index (ASAE D497): of the class, not measured there",
    )


#: Soils by name.
SOILS = {name: _named(name) for name in _ROWS}


@checked
def named_soil(name: str) -> NamedSoil:
    """Soil of the catalogue with the name ``name``.

    Raises:
        ValueError: an unknown name, with the nearest known one.
    """
    checks.known("soil", name, SOILS)
    return SOILS[name]
