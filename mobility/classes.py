"""Soil classes of a raster as defined in a user's CSV: cone index, or USCS symbol and moisture."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from contact import checks

from .index import USCS
from .soils import strength_of_class

#: Units of the cone index, in Pa.
PASCALS = {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "psi": 6894.757293168361}
COLUMNS = ("class", "name", *(f"cone_index_{unit}" for unit in PASCALS), "uscs", "moisture_percent")
LEAST, LARGEST = 1e3, 1e8  # range of a class's cone index [Pa]; beyond it the unit is probably wrong


@dataclass(frozen=True)
class OwnClass:
    """Soil class of a raster: cone index [Pa], or USCS symbol and moisture [percent of dry weight].

    Attributes:
        cone_index: cone index [Pa]; nan: the strength follows from ``uscs``. uscs: symbol; "": the class
            has a cone index. moisture: weight of water over dry weight [percent]; nan: from a raster.
    """

    cone_index: float = math.nan
    uscs: str = ""
    moisture: float = math.nan

    def strength(self, moisture: np.ndarray | None, wetness: float) -> np.ndarray | float:
        """Cone index [Pa]; nan: unknown. The moisture, by the class or else by the raster ``moisture``
        [percent], is multiplied by ``wetness`` [-].
        """
        if not self.uscs:
            return self.cone_index
        own = self.moisture if moisture is None or math.isfinite(self.moisture) else moisture
        return strength_of_class(self.uscs, wetness * np.asarray(own))


def read_classes(path: Path, moist: bool = False) -> dict[int, OwnClass]:
    """Read the soil classes of a CSV file, by their codes in the raster.

    Columns: ``class``, and ``cone_index_kPa`` (or _Pa, _MPa, _psi), or ``uscs`` with
    ``moisture_percent``; each row has only one of these. A column ``name`` is for readers only.

    Arguments:
        path: CSV file. moist: whether a raster provides the moisture of rows without one.

    Raises:
        ValueError: naming the file, the line and the fault.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read as a CSV: {error}") from None
    rows = csv.DictReader(text.splitlines(), skipinitialspace=True)
    names = [name.strip() for name in rows.fieldnames or ()]
    for name in names:
        checks.known(f"column of {path}", name, COLUMNS)
    if "class" not in names:
        raise ValueError(f"{path} has no column 'class', the code in the raster")
    found: dict[int, OwnClass] = {}
    for row in rows:
        who = f"{path}, line {rows.line_num}"
        given = {k.strip(): v.strip() for k, v in row.items() if isinstance(k, str) and v and v.strip()}
        if any(row.get(None, ())):  # type: ignore[call-overload]
            raise ValueError(f"{who}: more values than the file has columns")
        if not given:
            continue
        code = _number(who, "class", given.get("class", ""))
        if code != int(code) or code in found:
            raise ValueError(f"{who}: class {code:g} must be a whole number that stands once")
        found[int(code)] = _class(who, given, moist)
    if not found:
        raise ValueError(f"{path} has no class")
    return found


def _class(who: str, given: dict[str, str], moist: bool) -> OwnClass:
    """Class of a row; ``who``: file and line for errors, ``moist``: as for ``read_classes``."""
    indices = [name for name in given if name.startswith("cone_index")]
    if len(indices) + ("uscs" in given) != 1:
        raise ValueError(f"{who}: a class needs either one cone_index or uscs, got {sorted(given)}")
    if indices:
        value = _number(who, indices[0], given[indices[0]])
        pascals = value * PASCALS[indices[0].removeprefix("cone_index_")]
        if not LEAST <= pascals <= LARGEST:
            raise ValueError(
                f"{who}: {indices[0]} = {value:g} is {pascals:.3g} Pa, no cone index; is the unit right?"
            )
        return OwnClass(pascals)
    symbol = checks.known(f"soil class in {who}", given["uscs"], USCS)
    moisture = given.get("moisture_percent")
    if moisture is None and not moist:
        raise ValueError(f"{who}: uscs needs moisture_percent, or a raster of moisture")
    value = math.nan if moisture is None else _number(who, "moisture_percent", moisture)
    if moisture is not None and not 1.0 < value < 1000.0:
        raise ValueError(f"{who}: moisture_percent = {value:g} must be above 1 and below 1000")
    return OwnClass(uscs=symbol, moisture=value)


def _number(who: str, name: str, text: str) -> float:
    """Cell of the column ``name`` as a finite number; ValueError for another text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{who}: {name} must be a number, got {text!r}")
    return value
