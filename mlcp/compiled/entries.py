"""What a bundle can hold: numbers in a row, tables, records, another bundle.

Each entry says what it is, in which part of the memory it lies and how long it is; ``bundles`` puts
entries together, ``laying`` gives them memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .lengths import length_of
from .records import Record, Records

STATE, MODEL, WORK = PARTS = "state", "model", "work"  # in the order in which memory has them


class Entry:
    """One name of a bundle: which slots of the table of places are its."""

    floats = ints = -1  # slots
    dtype: Any = np.float64

    def __init__(self, unit: str, meaning: str, part: str, size: str | None) -> None:
        self.unit, self.meaning, self.part = unit, meaning, part
        self.name = ""
        #: Lengths, of a table of both axes; None: a value says it.
        self.size = None if size is None else tuple(map(length_of, size.split(",")))

    def take(self, slot: int) -> int:
        """Take slots from here on; returns the next free one."""
        self.floats = slot
        return slot + 1


def _numbers(bundle: Any, slot: int, memory: Any) -> Any:
    """The numbers of a bundle's slot in its floats or integers."""
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
    """Int32; where they begin is counted in them."""

    dtype = np.int32

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        return self if bundle is None else _numbers(bundle, self.ints, bundle.N.view(np.int32))


class Table(Floats):
    """A matrix; the slot behind that of its numbers says how many columns."""

    def take(self, slot: int) -> int:
        self.floats = slot
        return slot + 2

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        if bundle is None:
            return self
        columns = bundle.N[bundle.base + 2 * self.floats + 2]
        return _numbers(bundle, self.floats, bundle.F).reshape(-1, columns)


class IntTable(Ints):
    """The same of int64."""

    def take(self, slot: int) -> int:
        self.ints = slot
        return slot + 2

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        if bundle is None:
            return self
        columns = bundle.N[bundle.base + 2 * self.ints + 2]
        return _numbers(bundle, self.ints, bundle.N).reshape(-1, columns)


class Several(Entry):
    """Records of a kind."""

    def __init__(self, record: type[Record], *rest: Any) -> None:
        super().__init__(*rest)
        self.record = record

    def take(self, slot: int) -> int:
        self.floats, self.ints = slot, slot + 1
        return slot + 2

    def view(self, floats: Any, ints: Any) -> Any:
        """What Python reads."""
        return Records(self.record, floats, ints)

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        if bundle is None:
            return self
        places = bundle.base + 2 * self.floats  # the slot of the integers is the next one
        first, last, start, stop = bundle.N[places : places + 4].tolist()
        return self.view(bundle.F[first:last], bundle.N[start:stop])


class Single(Several):
    """One record."""

    def view(self, floats: Any, ints: Any) -> Any:
        return self.record(floats, ints)


class Inner(Entry):
    """A bundle in a bundle: its slots are part of the outer one's."""

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
    """Float64 in a row. ``size``, of this and of the others: without a value it is zeros, so many."""
    return Floats(unit, meaning, part, size)


def whole(meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """Int64 in a row."""
    return Ints("", meaning, part, size)


def halves(meaning: str, part: str = WORK) -> Any:
    """Int32 in a row, as other libraries have them; lent, not packed."""
    return Halves("", meaning, part, None)


def table(unit: str, meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """A matrix of float64; its size is that of rows and of columns, as in ``"rows, rows"``."""
    return Table(unit, meaning, part, size)


def whole_table(meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """A matrix of int64."""
    return IntTable("", meaning, part, size)


def records(record: type[Record], meaning: str, part: str = WORK, size: str | None = None) -> Any:
    """Records of a kind; their size is how many."""
    return Several(record, "", meaning, part, size)


def record(kind: type[Record], meaning: str, part: str = WORK) -> Any:
    """A single record."""
    return Single(kind, "", meaning, part, "1")


def inner(
    bundle: Any,
    meaning: str,
    sizes: Mapping[str, str] | None = None,
    shared: Mapping[str, str] | None = None,
) -> Any:
    """Another bundle.

    Arguments:
        sizes: what the outer bundle calls each size of the inner one; none is taken over unsaid.
        shared: entries of the inner bundle that lie where those of the outer one do, by their paths.
    """
    return Inner(bundle, meaning, sizes or {}, shared or {})
