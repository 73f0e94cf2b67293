"""Index methods: soil classes (USCS), and GO or NO-GO by comparison of cone indices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from contact import checks, mobility_index, vehicle_cone_index
from mlcp.checks import shown
from mlcp.kinds import checked

from .kernels.tables import GO, NO_DATA, NO_GO
from .vehicles.vehicle import LumpedVehicle


@dataclass(frozen=True)
class SoilClass:
    """Class of the Unified Soil Classification System.

    Attributes:
        symbol: symbol, such as "CL".
        words: description.
        fine: True: fine-grained, so that the vehicle cone index applies.
        source: source of the definition.
    """

    symbol: str
    words: str
    fine: bool
    source: str = "ASTM D2487 (Unified Soil Classification System)"


#: Soil classes by symbol; strengths of some classes: see ``soils``.
USCS = {
    symbol: SoilClass(symbol, words, fine)
    for symbol, words, fine in (
        ("GW", "well-graded gravel", False),
        ("GP", "poorly graded gravel", False),
        ("GM", "silty gravel", False),
        ("GC", "clayey gravel", False),
        ("SW", "well-graded sand", False),
        ("SP", "poorly graded sand", False),
        ("SM", "silty sand", False),
        ("SC", "clayey sand", False),
        ("ML", "silt", True),
        ("CL", "lean clay", True),
        ("OL", "organic silt or clay of low plasticity", True),
        ("MH", "elastic silt", True),
        ("CH", "fat clay", True),
        ("OH", "organic silt or clay of high plasticity", True),
        ("PT", "peat", False),
    )
}


@checked
def needed_cone_index(vehicle: LumpedVehicle, clearance: float, passes: int = 1, **more: bool) -> float:
    """Vehicle cone index VCI [Pa] for 1 or 50 passes, by ``contact.vehicle_cone_index``.

    Arguments:
        vehicle: lumped vehicle; its mass, wheels, tyre and engine are used.
        clearance: ground clearance [m].
        passes: 1 or 50.
        more: ``automatic`` and ``chains``, as for ``contact.mobility_index``.

    Raises:
        ValueError: naming the field, its value and the allowed range.

    Source: U.S. Army Field Manual 5-430-00-1. VCI for one pass needs the tyre's deflection ratio; it is
    taken on hard ground under the mean wheel load.
    """
    tyre, axles = vehicle.contact.tyre, len(vehicle.axles)
    gear = vehicle.gears[0]
    power = float((gear.torque * gear.speed).max())
    index = mobility_index(
        vehicle.mass, axles, 2 * axles, tyre.width, tyre.diameter, clearance, power, **more
    )
    if passes != 1:
        return float(vehicle_cone_index(index, passes))
    ratio = float(tyre.deflection_at(vehicle.weight / (2 * axles))) / tyre.section_height
    return float(vehicle_cone_index(index, 1, ratio))


@checked
def index_class(rating: ArrayLike, needed: float, soil: Any = None) -> np.ndarray:
    """Class by the index method: NO-GO for RCI < VCI; codes of ``limits.GO_CLASSES``.

    Arguments:
        rating: rating cone index RCI [Pa], any shape; nan: no data.
        needed: vehicle cone index VCI [Pa], above 0.
        soil: symbols of ``USCS``, of the same shape; the index applies to fine-grained soils, other and
            unknown ones give no data. None: fine-grained everywhere.

    Raises:
        ValueError: a VCI that is not above 0.
    """
    checks.positive("index_class", "needed", needed, unit="Pa")
    rating = np.asarray(rating, float)
    known = np.isfinite(rating)
    if soil is not None:
        try:
            symbols = np.broadcast_to(np.asarray(soil), rating.shape)
        except ValueError:
            raise ValueError(
                f"index_class: soil = {shown(soil)} must be symbols of the shape {rating.shape}"
            ) from None
        fine = [symbol for symbol, kind in USCS.items() if kind.fine]
        known = known & np.isin(symbols, fine)
    return np.select([~known, rating >= needed], [NO_DATA, GO], NO_GO).astype(np.uint8)
