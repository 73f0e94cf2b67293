"""Records: named numbers over flat memory, the same in Python and in compiled code.

All that a compiled step works with lies in two flat arrays, one of float64 and one of int64, so that
Python hands over two arguments and a state is one copy. What lies where is said once, by classes::

    class Wheel(Record):
        row = integer("first row of the reduced problem")
        radius = number("m", "of the undeformed tyre")
        centre = numbers(3, "m", "in the axes of its body")

and read by name: ``wheel.radius``, ``wheel.centre[2]``. In Python these are views of NumPy arrays;
``record_types`` gives the same expressions to Numba. ``bundles`` puts records and arrays together.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np


class _Field:
    """One name of a record: where its numbers lie in the record's part of the flat memory."""

    def __init__(self, size: int, scalar: bool, whole: bool, unit: str, meaning: str) -> None:
        self.size, self.scalar, self.whole = size, scalar, whole
        self.unit, self.meaning = unit, meaning
        self.name, self.offset = "", 0

    def __get__(self, record: Any, owner: Any = None) -> Any:
        if record is None:
            return self
        memory = record.ints if self.whole else record.floats
        if not self.scalar:
            return memory[self.offset : self.offset + self.size]
        return memory[self.offset].item()

    def __set__(self, record: Any, value: Any) -> None:
        memory = record.ints if self.whole else record.floats
        memory[self.offset : self.offset + self.size] = value

    def of(self, memory: Any) -> Any:
        """The field of records whose float64 (or int64, if it is whole) these are, last axis."""
        return memory[..., self.offset if self.scalar else slice(self.offset, self.offset + self.size)]


def number(unit: str, meaning: str) -> Any:
    """A float64."""
    return _Field(1, True, False, unit, meaning)


def numbers(size: int, unit: str, meaning: str) -> Any:
    """So many float64."""
    return _Field(size, False, False, unit, meaning)


def integer(meaning: str) -> Any:
    """An int64."""
    return _Field(1, True, True, "", meaning)


def integers(size: int, meaning: str) -> Any:
    """So many int64."""
    return _Field(size, False, True, "", meaning)


class Nested:
    """A record within a record."""

    def __init__(self, record: type[Record], meaning: str) -> None:
        self.record, self.meaning = record, meaning
        self.name, self.floats, self.ints = "", 0, 0

    def of(self, floats: Any, ints: Any) -> Any:
        """The inner record of outer ones whose numbers these are, last axis."""
        first, last = self.floats, self.floats + self.record.FLOATS
        return floats[..., first:last], ints[..., self.ints : self.ints + self.record.INTS]

    def __get__(self, record: Any, owner: Any = None) -> Any:
        return self if record is None else self.record(*self.of(record.floats, record.ints))


def nested(record: type[Record], meaning: str) -> Any:
    """Another record."""
    return Nested(record, meaning)


class Record:
    """One record in Python: views of its numbers, read and written by name.

    Attributes:
        floats, ints: its numbers.
        fields: the declared fields by name.
        FLOATS, INTS: how many float64 and int64 one record takes.
    """

    fields: ClassVar[dict[str, Any]] = {}
    FLOATS: ClassVar[int] = 0
    INTS: ClassVar[int] = 0
    __slots__ = ("floats", "ints")

    def __init_subclass__(cls) -> None:
        cls.fields = dict(cls.fields)
        for name, field in list(vars(cls).items()):
            if name in ("floats", "ints"):
                raise AttributeError(f"{cls.__name__}: {name!r} is a name of every record's own")
            if isinstance(field, _Field):
                field.name, field.offset = name, cls.INTS if field.whole else cls.FLOATS
                if field.whole:
                    cls.INTS += field.size
                else:
                    cls.FLOATS += field.size
            elif isinstance(field, Nested):
                field.name, field.floats, field.ints = name, cls.FLOATS, cls.INTS
                cls.FLOATS += field.record.FLOATS
                cls.INTS += field.record.INTS
            else:
                continue
            cls.fields[name] = field

    def __init__(self, floats: Any = None, ints: Any = None, **values: Any) -> None:
        self.floats = np.zeros(self.FLOATS) if floats is None else floats
        self.ints = np.zeros(self.INTS, np.int64) if ints is None else ints
        for name, value in values.items():
            if name not in self.fields:
                raise AttributeError(f"{type(self).__name__} has no field {name!r}")
            setattr(self, name, value)


class Records:
    """Records of one kind, one behind the other.

    ``records[k].name`` is one number, ``records.name`` the column of all.
    """

    def __init__(self, record: type[Record], floats: Any, ints: Any) -> None:
        self._record = record
        if floats.ndim == 2:  # rows of a larger table
            count = len(floats)
        else:
            count = len(floats) // record.FLOATS if record.FLOATS else len(ints) // record.INTS
        self.floats: Any = floats.reshape(count, record.FLOATS)
        self.ints: Any = ints.reshape(count, record.INTS)

    @classmethod
    def of(cls, record: type[Record], rows: Any) -> Records:
        """So many zeroed records, or copies of those given."""
        given = () if isinstance(rows, int) else rows
        count = rows if isinstance(rows, int) else len(rows)
        made = cls(record, np.zeros(count * record.FLOATS), np.zeros(count * record.INTS, np.int64))
        for k, row in enumerate(given):
            made.floats[k], made.ints[k] = row.floats, row.ints
        return made

    def __len__(self) -> int:
        return len(self.floats)

    def __getitem__(self, k: int) -> Any:
        return self._record(self.floats[k], self.ints[k])

    def __getattr__(self, name: str) -> Any:
        field = type(self).__dict__.get(name) or self.__dict__["_record"].fields.get(name)
        if field is None:
            raise AttributeError(f"{self._record.__name__} has no field {name!r}")
        if isinstance(field, Nested):
            return Records(field.record, *field.of(self.floats, self.ints))
        return field.of(self.ints if field.whole else self.floats)
