"""Records: named numbers over flat memory, the same in Python and in compiled code.

All data of a compiled step lies in two flat arrays, one of float64 and one of int64, so Python passes
two arguments and a state is one copy. Classes declare the layout once::

    class Wheel(Record):
        row = integer("first row of the reduced problem")
        radius = number("m", "radius of the undeformed tyre")
        centre = numbers(3, "m", "wheel centre, axes of its body")

Code reads them by name: ``wheel.radius``, ``wheel.centre[2]``. In Python these are views of NumPy
arrays; ``record_types`` gives the same expressions to Numba. ``bundles`` collects records and arrays.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np


class _Field:
    """One name of a record, with the offset of its numbers in the record's part of the flat memory."""

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
        """View of the field in many records; the last axis of ``memory`` is one record's numbers."""
        return memory[..., self.offset if self.scalar else slice(self.offset, self.offset + self.size)]


def number(unit: str, meaning: str) -> Any:
    """Declare a field of one float64."""
    return _Field(1, True, False, unit, meaning)


def numbers(size: int, unit: str, meaning: str) -> Any:
    """Declare a field of ``size`` float64."""
    return _Field(size, False, False, unit, meaning)


def integer(meaning: str) -> Any:
    """Declare a field of one int64."""
    return _Field(1, True, True, "", meaning)


def integers(size: int, meaning: str) -> Any:
    """Declare a field of ``size`` int64."""
    return _Field(size, False, True, "", meaning)


class Nested:
    """Field of a record that is itself a record."""

    def __init__(self, record: type[Record], meaning: str) -> None:
        self.record, self.meaning = record, meaning
        self.name, self.floats, self.ints = "", 0, 0

    def of(self, floats: Any, ints: Any) -> Any:
        """Views of the inner record in many outer records; the last axes are one record's numbers."""
        first, last = self.floats, self.floats + self.record.FLOATS
        return floats[..., first:last], ints[..., self.ints : self.ints + self.record.INTS]

    def __get__(self, record: Any, owner: Any = None) -> Any:
        return self if record is None else self.record(*self.of(record.floats, record.ints))


def nested(record: type[Record], meaning: str) -> Any:
    """Declare a field that is itself a record."""
    return Nested(record, meaning)


class Record:
    """One record in Python: views of its numbers, read and written by name.

    Attributes:
        floats, ints: the float64 and int64 numbers of the record.
        fields: the declared fields by name.
        FLOATS, INTS: number of float64 and int64 of one record.
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
    """Array of records of one kind.

    ``records[k].name`` is a field of record k, ``records.name`` the array of this field in all records.
    """

    def __init__(self, record: type[Record], floats: Any, ints: Any) -> None:
        self._record = record
        if floats.ndim == 2:  # one row per record, for example columns of a larger table
            count = len(floats)
        else:
            count = len(floats) // record.FLOATS if record.FLOATS else len(ints) // record.INTS
        self.floats: Any = floats.reshape(count, record.FLOATS)
        self.ints: Any = ints.reshape(count, record.INTS)

    @classmethod
    def of(cls, record: type[Record], rows: Any) -> Records:
        """Make ``rows`` zeroed records, or copies of the records in a sequence ``rows``."""
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
