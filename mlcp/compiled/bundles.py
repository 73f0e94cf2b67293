"""Bundles: all records and arrays of a computation by name, in one pair of flat arrays.

    class Ground(Bundle):
        wheels = records(Wheel, "every wheel", part=MODEL)
        load = array("N", "normal force of every wheel")

A table of places in the array of int64 says where each begins and ends; so a bundle's sizes are no part
of its type, and one compiled kernel serves all of them.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .records import Record, Records

STATE, MODEL, WORK = "state", "model", "work"


class _Entry:
    """One name of a bundle: which slots of the table of places are its."""

    floats = ints = -1  # slots
    dtype: Any = np.float64

    def __init__(self, unit: str, meaning: str, part: str) -> None:
        self.unit, self.meaning, self.part = unit, meaning, part
        self.name = ""

    def take(self, slot: int) -> int:
        """Take slots from here on; returns the next free one."""
        self.floats = slot
        return slot + 1

    def view(self, floats: Any, ints: Any) -> Any:
        """What Python reads."""
        return floats

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        if bundle is None:
            return self
        empty = bundle.F[:0], bundle.N[:0]
        return self.view(
            bundle._place(self.floats, bundle.F) if self.floats >= 0 else empty[0],
            bundle._place(self.ints, bundle.N) if self.ints >= 0 else empty[1],
        )


class _Floats(_Entry):
    pass


class _Ints(_Entry):
    dtype = np.int64

    def take(self, slot: int) -> int:
        self.ints = slot
        return slot + 1

    def view(self, floats: Any, ints: Any) -> Any:
        return ints


class _Halves(_Ints):
    """Int32; where they begin is counted in them."""

    dtype = np.int32

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        return self if bundle is None else bundle._place(self.ints, bundle.N.view(np.int32))


class _Table(_Floats):
    """A matrix; the slot behind that of its numbers says how many columns."""

    def take(self, slot: int) -> int:
        self.floats = slot
        return slot + 2

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        if bundle is None:
            return self
        columns = bundle.N[bundle.base + 2 * self.floats + 2]
        return bundle._place(self.floats, bundle.F).reshape(-1, columns)


class _IntTable(_Ints):
    """The same of int64."""

    def take(self, slot: int) -> int:
        self.ints = slot
        return slot + 2

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        if bundle is None:
            return self
        columns = bundle.N[bundle.base + 2 * self.ints + 2]
        return bundle._place(self.ints, bundle.N).reshape(-1, columns)


class _Records(_Entry):
    def __init__(self, record: type[Record], *rest: Any) -> None:
        super().__init__(*rest)
        self.record = record

    def take(self, slot: int) -> int:
        self.floats, self.ints = slot, slot + 1
        return slot + 2

    def view(self, floats: Any, ints: Any) -> Any:
        return Records(self.record, floats, ints)


class _One(_Records):
    def view(self, floats: Any, ints: Any) -> Any:
        return self.record(floats, ints)


class _Inner(_Entry):
    """A bundle in a bundle: its slots are part of the outer one's."""

    def __init__(self, bundle: type[Bundle], meaning: str) -> None:
        super().__init__("", meaning, "")
        self.bundle = bundle

    def take(self, slot: int) -> int:
        self.floats = slot
        return slot + self.bundle.SLOTS

    def __get__(self, bundle: Any, owner: Any = None) -> Any:
        return self if bundle is None else self.bundle(bundle.F, bundle.N, bundle.base + 2 * self.floats)


def array(unit: str, meaning: str, part: str = WORK) -> Any:
    """Float64 in a row."""
    return _Floats(unit, meaning, part)


def whole(meaning: str, part: str = WORK) -> Any:
    """Int64 in a row."""
    return _Ints("", meaning, part)


def halves(meaning: str, part: str = WORK) -> Any:
    """Int32 in a row, as other libraries have them; lent, not packed."""
    return _Halves("", meaning, part)


def table(unit: str, meaning: str, part: str = WORK) -> Any:
    """A matrix of float64."""
    return _Table(unit, meaning, part)


def whole_table(meaning: str, part: str = WORK) -> Any:
    """A matrix of int64."""
    return _IntTable("", meaning, part)


def records(record: type[Record], meaning: str, part: str = WORK) -> Any:
    """Records of a kind."""
    return _Records(record, "", meaning, part)


def record(kind: type[Record], meaning: str, part: str = WORK) -> Any:
    """A single record."""
    return _One(kind, "", meaning, part)


def inner(bundle: type[Bundle], meaning: str) -> Any:
    """Another bundle."""
    return _Inner(bundle, meaning)


class Bundle:
    """Everything that lies in a pair of flat arrays, by name.

    The table of places stands in ``N`` from ``base`` on: start and stop of every slot.

    Attributes:
        entries: the declared entries by name.
        SLOTS: how many slots they take.
    """

    entries: ClassVar[dict[str, _Entry]] = {}
    SLOTS: ClassVar[int] = 0

    def __init_subclass__(cls) -> None:
        cls.entries = {}
        cls.SLOTS = 0
        for name, entry in list(vars(cls).items()):
            if isinstance(entry, _Entry):
                entry.name = name
                cls.SLOTS = entry.take(cls.SLOTS)
                cls.entries[name] = entry

    def __init__(self, F: Any, N: Any, base: int = 0) -> None:
        self.F, self.N, self.base = F, N, base

    def _place(self, slot: int, memory: Any) -> Any:
        pair = self.base + 2 * slot
        return memory[self.N[pair] : self.N[pair + 1]]

    @classmethod
    def pack(cls, **values: Any) -> Any:
        """Lay the entries' values into two new flat arrays; what is not given is empty.

        Arguments:
            values: arrays, :class:`Records`, a :class:`Record`, or for an inner bundle a dict like this.

        Every float array starts at a multiple of eight numbers, a cache line.

        Raises:
            AttributeError: a name that the bundle does not have.
        """
        floats: dict[int, Any] = {}
        ints: dict[int, Any] = {}
        columns: dict[int, int] = {}
        cls._lay(values, 0, floats, ints, columns)
        room = sum(-(-a.size // 8) * 8 for a in floats.values())
        memory = np.zeros(room + 16)
        first = -memory.ctypes.data // 8 % 8
        F = memory[first : first + room + 8]
        places, at = np.zeros(2 * cls.SLOTS, np.int64), 0
        for slot, array in floats.items():
            places[2 * slot : 2 * slot + 2] = at, at + array.size
            F[at : at + array.size] = array.ravel()
            at += -(-array.size // 8) * 8
        at, parts = places.size, [places]
        for slot, array in ints.items():
            places[2 * slot : 2 * slot + 2] = at, at + array.size
            parts.append(np.asarray(array, np.int64).ravel())
            at += array.size
        for slot, count in columns.items():
            places[2 * slot] = count
        return cls(F, np.concatenate(parts))

    @classmethod
    def _lay(cls, values: Any, base: int, floats: Any, ints: Any, columns: Any) -> None:
        unknown = [name for name in values if name not in cls.entries]
        if unknown:
            raise AttributeError(f"{cls.__name__} has no entry {unknown[0]!r}")
        for name, entry in cls.entries.items():
            value, slot = values.get(name), base + entry.floats
            if isinstance(entry, _Inner):
                entry.bundle._lay(value or {}, slot, floats, ints, columns)
            elif isinstance(entry, _Records):
                if value is None:
                    value = Records.of(entry.record, int(isinstance(entry, _One)))
                floats[slot], ints[base + entry.ints] = value._floats, value._ints
            elif isinstance(entry, _Ints):
                slot = base + entry.ints
                ints[slot] = np.zeros(0, np.int64) if value is None else np.asarray(value)
                if isinstance(entry, _IntTable):
                    columns[slot + 1] = 0 if value is None else ints[slot].shape[1]
            else:
                floats[slot] = np.zeros(0) if value is None else np.asarray(value, float)
                if isinstance(entry, _Table):
                    columns[slot + 1] = 0 if value is None else floats[slot].shape[1]
