"""Tables of the wheels' normal force for many vehicles, one for each pair of tyre and bearing law."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from contact import WheelContact
from contact.grounds import varies
from contact.normal import series_tables
from contact.terrain import Terrain

from ..mechanism import Mechanism
from .formulas import Key
from .parameter_names import Floats, ParameterLocation, replaced, values_of

NORMAL = "contact.wheels.normal"
TABLES = {NORMAL, "contact.wheels.deepest"}
MOST = 4096  # number of cached tables above which the cache is cleared


class WheelTables:
    """Tables of the normal force of a mechanism's wheels on soil, computed for many vehicles together.

    Arguments:
        mechanism: description of the vehicles.
        known: locations of the mechanism's parameters by name.
    """

    def __init__(self, mechanism: Mechanism, known: Mapping[str, list[ParameterLocation]]) -> None:
        self.known = known
        self.wheels: dict[int, WheelContact] = {
            k: wheel.soil for k, wheel in enumerate(mechanism.wheels) if wheel.soil is not None
        }
        grounds = [mechanism.wheels[k].ground for k in self.wheels]
        #: Whether the tables depend on tyre and soil alone: no ground has a soil map or ruts.
        self.known_by_contact: bool = not any(isinstance(g, Terrain) and varies([g]) for g in grounds)
        self.tables: dict[Any, tuple[Floats, float]] = {}

    def write(
        self, some: Mapping[str, Floats], keys: Sequence[Key], at: Sequence[int], values: Floats
    ) -> None:
        """Write the tables' numbers of each vehicle to ``values[:, at]``, one row per vehicle.

        ``some``: parameters of these vehicles by name; ``keys``: array and index of each column.
        """
        points = np.array([j for j in at if keys[j][0] == NORMAL], int)
        ends = np.array([j for j in at if keys[j][0] != NORMAL], int)
        contacts = [self._contacts(some, row) for row in range(len(values))]
        self._compute({pair for row in contacts for pair in row})
        of, wheel = [keys[j][1] for j in points], [keys[j][1] for j in ends]
        for row, mine in enumerate(contacts):
            found = [self.tables[pair] for pair in mine]
            values[row, points] = np.concatenate([table for table, _ in found])[of]
            values[row, ends] = np.array([end for _, end in found])[wheel]

    def _contacts(self, some: Mapping[str, Floats], row: int) -> list[Any]:
        """Pair (tyre, bearing) of each wheel of vehicle ``row`` with the parameters ``some``."""
        contacts, known = dict(self.wheels), dict[Any, WheelContact]()
        for name, value in values_of(some, row).items():
            for place in self.known[name]:
                if place.kind == "wheels" and place.path[0] == "soil" and place.number in contacts:
                    old = contacts[place.number]
                    key = id(old), place.path  # wheels with one common contact get one changed contact
                    if key not in known:
                        known[key] = replaced(old, place.path[1:], value)
                    contacts[place.number] = known[key]
        pairs = {id(c): (c.tyre, c.bearing) for c in contacts.values()}
        return [pairs[id(c)] for c in contacts.values()]

    def _compute(self, wanted: Iterable[Any]) -> None:
        """Compute and cache the tables of the pairs ``wanted`` that are not in the cache."""
        if len(self.tables) > MOST:
            self.tables.clear()
        new = sorted({pair for pair in wanted if pair not in self.tables}, key=repr)
        self.tables |= dict(zip(new, series_tables(new), strict=True))
