"""Bundles: records and arrays of a computation by name, in one pair of flat arrays.

    class Ground(Bundle):
        wheels = records(Wheel, "every wheel", part=MODEL)
        load = array("N", "normal force of every wheel", size="wheels")

    ground = Ground.made({"wheels": 4}, wheels=described)

A table of offsets in the array of int64 holds start and stop of each entry; so a bundle's sizes are not
part of its type, and one compiled kernel serves all sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from .bundle_memory import Leaf, Memory, contents, filled, flat, leaves_of, memory_of
from .entries import (
    MODEL,
    STATE,
    WORK,
    Entry,
    Single,
    array,
    halves,
    inner,
    record,
    records,
    table,
    whole,
    whole_table,
)
from .records import Records

__all__ = [
    "MODEL", "STATE", "WORK", "Bundle",
    "array", "halves", "inner", "record", "records", "table", "whole", "whole_table",
]  # fmt: skip


class Bundle:
    """Contents by name of a pair of flat arrays: F of float64, N of int64.

    The table of offsets begins at ``N[base]``. A slot is one pair in it: start and stop of an array.

    Attributes:
        entries: the declared entries by name.
        leaves: all entries with memory, inner bundles' included, by path.
        SLOTS: number of slots.
    """

    entries: ClassVar[dict[str, Entry]] = {}
    leaves: ClassVar[dict[str, Leaf]] = {}
    SLOTS: ClassVar[int] = 0

    def __init_subclass__(cls) -> None:
        cls.entries = {}
        cls.SLOTS = 0
        for name, entry in list(vars(cls).items()):
            if isinstance(entry, Entry):
                if hasattr(Bundle, name) or name in ("F", "N", "base"):
                    raise AttributeError(f"{cls.__name__}: {name!r} is a name of every bundle's own")
                entry.name = name
                cls.SLOTS = entry.take(cls.SLOTS)
                cls.entries[name] = entry
        cls.leaves = leaves_of(cls.__name__, cls.entries)

    def __init__(self, F: Any, N: Any, base: int = 0) -> None:
        self.F, self.N, self.base = F, N, base

    @classmethod
    def made(cls, sizes: Mapping[str, int], /, **values: Any) -> Any:
        """Make a bundle in memory of its own.

        Arguments:
            sizes: sizes by their names in the declarations.
            values: arrays, :class:`Records`, a :class:`Record`; for an inner bundle a bundle, a dict of
                values, or None: empty. Missing values are zeros of the declared size.

        Raises:
            AttributeError: an unknown name, one that shares another's memory, or an array with neither
                size nor value.
            ValueError: a value of another size than declared.
        """
        given = dict(flat(cls, values))
        found: dict[str, Memory] = {}
        for path, leaf in cls.leaves.items():
            if not leaf.like:
                found[path] = memory_of(path, leaf, given.get(path), sizes)
        return cls(*filled(cls, found))

    @classmethod
    def pack(cls, **values: Any) -> Any:
        """Make a bundle with arrays sized as the given values; entries not given are empty, or one
        zeroed record."""
        given, found = dict(flat(cls, values)), dict[str, Memory]()
        for path, leaf in cls.leaves.items():
            value = given.get(path)
            if value is None:
                value = Records.of(leaf.entry.record, 1) if isinstance(leaf.entry, Single) else Memory()
            found[path] = memory_of(path, leaf._replace(size=None), value, {})
        return cls(*filled(cls, found))

    def relaid(self, **values: Any) -> Any:
        """Copy the bundle to new memory, with the given values, of any length, in place of old ones."""
        found = contents(self)
        for path, value in flat(type(self), values):
            found[path] = memory_of(path, self.leaves[path]._replace(size=None), value, {})
        return type(self)(*filled(type(self), found))
