"""Tables of the wheels' normal force for many vehicles, one for each pair of tyre and ground."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from contact import WheelContact
from contact.grounds import varies
from contact.normal import series_table, series_tables
from contact.sinkage import ConeIndexSinkage
from contact.terrain import Terrain

from ..mechanism import Mechanism
from .formulas import Key
from .parameter_names import Floats, ParameterLocation, replaced, values_of

NORMAL = "contact.wheels.normal"
TABLES = {NORMAL, "contact.wheels.deepest"}
CHUNK = 64  # number of tables computed together, which fit into the processor's cache
MOST = 4096  # largest number of cached tables


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

    def write(self, some: Mapping[str, Floats], keys: Sequence[Key], values: Floats) -> None:
        """Write the numbers of tables to ``values`` (vehicles, keys), for the parameters ``some``."""
        places = [(j, path, i) for j, (path, i) in enumerate(keys) if path in TABLES]
        at = np.array([j for j, path, _ in places if path == NORMAL], int)
        of = np.array([i for _, path, i in places if path == NORMAL], int)
        deep = [(j, i) for j, path, i in places if path != NORMAL]
        contacts = [self._contacts(some, row) for row in range(len(values))]
        self._compute({pair for row in contacts for pair in row})
        for row, mine in enumerate(contacts):
            found = [self.tables[pair] for pair in mine]
            values[row, at] = np.concatenate([table for table, _ in found])[of]
            for j, i in deep:
                values[row, j] = found[i][1]

    def _contacts(self, some: Mapping[str, Floats], row: int) -> list[Any]:
        """Contact (tyre and soil) of each wheel of vehicle ``row`` with the parameters ``some``."""
        contacts, known = dict(self.wheels), dict[Any, WheelContact]()
        for name, value in values_of(some, row).items():
            for place in self.known[name]:
                if place.kind == "wheels" and place.path[0] == "soil" and place.number in contacts:
                    old = contacts[place.number]
                    key = id(old), place.path  # wheels that shared a contact share the changed one
                    if key not in known:
                        known[key] = replaced(old, place.path[1:], value)
                    contacts[place.number] = known[key]
        pairs = {id(c): (c.tyre, c.bearing) for c in contacts.values()}
        return [pairs[id(c)] for c in contacts.values()]

    def _compute(self, wanted: Iterable[Any]) -> None:
        """Compute and cache the tables of the contacts ``wanted`` that are not in the cache."""
        if len(self.tables) > MOST:
            self.tables.clear()
        groups: dict[Any, list[ConeIndexSinkage]] = {}
        for tyre, bearing in sorted(set(wanted) - self.tables.keys(), key=repr):
            if isinstance(bearing, ConeIndexSinkage):
                alike = tyre, dataclasses.replace(bearing, cone_index=1.0)
                groups.setdefault(alike, []).append(bearing)
            else:
                self.tables[tyre, bearing] = series_table(tyre, bearing)
        for (tyre, sinkage), bearings in groups.items():
            for first in range(0, len(bearings), CHUNK):
                part = bearings[first : first + CHUNK]
                rows, end = series_tables(tyre, sinkage, np.array([one.cone_index for one in part]))
                self.tables |= {(tyre, one): (row, end) for one, row in zip(part, rows, strict=True)}
