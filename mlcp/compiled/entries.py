"""Entries of a bundle: arrays, tables, records, another bundle.

Each entry declares its kind, its part of the memory and its length; ``bundles`` puts entries together,
``bundle_memory`` allocates their memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .lengths import length_of
from .records import Record, Records

STATE, MODEL, WORK = PARTS = "state", "model", "work"  # parts of a memory, in order


class Entry:
    """One name of a bundle, with its slots (start and stop) in the bundle's table of offsets."""

    floats = ints = -1  # slots of the entry's floats and integers; -1: none
    dtype: Any = np.float64

    def __init__(self, unit: str, meaning: str, part: str, size: str | None) -> None:
        self.unit, self.meaning, self.part = unit, meaning, part
        self.name = ""
        #: Length of each axis; None: the value determines the shape.
        self.size = None if size is None else tuple(map(length_of, size.split(",")))

    def take(self, slot: int) -> int:
        """Reserve slots of the table from ``slot`` on; return the next free slot."""
        self.floats = slot
        return slot + 1


def _numbers(bundle: Any, slot: int, memory: Any) -> Any:
    """Array number ``slot`` of a bundle, a view of its memory of floats or integers."""
    pair = bundle.base + 2 * slot
    return memory[bundle.N[pair] : bundle.N[pair + 1]]


class Floats(Entry):
    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        return self if bundle is None else _numbers(bundle, self.floats, bundle.F)


class Ints(Entry):
    dtype = np.int64

    def take(self, slot: int) -> int:
        self.ints = slot
        return slot + 1

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        return self if bundle is None else _numbers(bundle, self.ints, bundle.N)


class Halves(Ints):
    """Entry of an array of int32; its start and stop are counted in int32."""

    dtype = np.int32

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        return self if bundle is None else _numbers(bundle, self.ints, bundle.N.view(np.int32))


class Matrix(Entry):
    """Entry of a matrix: one slot for the numbers, the next slot for the number of columns."""

    def take(self, slot: int) -> int:
        return super().take(slot) + 1

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        found = super().__get__(bundle, owner)  # type: ignore[misc]
        if bundle is None:
            return found
        return found.reshape(-1, bundle.N[bundle.base + 2 * max(self.floats, self.ints) + 2])


class Table(Matrix, Floats):
    """Matrix of float64."""


class IntTable(Matrix, Ints):
    """Matrix of int64."""


class Several(Entry):
    """Entry of an array of records of one kind."""

    def __init__(self, record: type[Record], *rest: Any) -> None:
        super().__init__(*rest)
        self.record = record

    def take(self, slot: int) -> int:
        self.floats, self.ints = slot, slot + 1
        return slot + 2

    def view(self, floats: Any, ints: Any) -> Any:
        """Python's view of the records."""
        return Records(self.record, floats, ints)

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        if bundle is None:
            return self
        places = bundle.base + 2 * self.floats  # the slot of the integers is the next one
        first, last, start, stop = bundle.N[places : places + 4].tolist()
        return self.view(bundle.F[first:last], bundle.N[start:stop])


class Single(Several):
    """Entry of a bundle for one record."""

    def view(self, floats: Any, ints: Any) -> Any:
        return self.record(floats, ints)


class Inner(Entry):
    """Entry that is a bundle, with slots in the table of the outer bundle."""

    def __init__(
        self, bundle: Any, meaning: str, sizes: Mapping[str, str], shared: Mapping[str, str]
    ) -> None:
        super().__init__("", meaning, "", None)
        self.bundle, self.sizes, self.shared = bundle, sizes, shared

    def take(self, slot: int) -> int:
        self.floats = slot
        return slot + self.bundle.SLOTS

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        return self if bundle is None else self.bundle(bundle.F, bundle.N, bundle.base + 2 * self.floats)


def array(unit: str, meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """Declare an array of float64 in one of ``PARTS``; without a value it holds ``size`` zeros."""
    return Floats(unit, meaning, part, size)


def whole(meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """Declare an array of int64; arguments as of ``array``."""
    return Ints("", meaning, part, size)


def halves(meaning: str, part: str = WORK) -> Any:
    """Declare an array of int32 in another library's memory, for bundles of ``borrowed``."""
    return Halves("", meaning, part, None)


def table(unit: str, meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """Declare a matrix of float64; ``size`` has rows and columns, as in ``"rows, rows"``."""
    return Table(unit, meaning, part, size)


def whole_table(meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """Declare a matrix of int64; arguments as of ``table``."""
    return IntTable("", meaning, part, size)


def records(record: type[Record], meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """Declare an array of records of one kind; ``size`` is the number of records."""
    return Several(record, "", meaning, part, size)


def record(kind: type[Record], meaning: str, part: str = WORK) -> Any:
    """Declare an entry of one record."""
    return Single(kind, "", meaning, part, "1")


def inner(
    bundle: Any,
    meaning: str,
    sizes: Mapping[str, str] | None = None,
    shared: Mapping[str, str] | None = None,
) -> Any:
    """Declare an entry that is itself a bundle.

    Arguments:
        sizes: for each size of the inner bundle its name in the outer bundle; all are required.
        shared: path of an outer entry by the path of the inner entry that uses its memory.
    """
    return Inner(bundle, meaning, sizes or {}, shared or {})
