"""Bundles over foreign memory: another library's arrays, read by name in compiled code.

A bundle (``bundles``) names arrays within two flat arrays, by a table of their offsets from the start.
Here the offsets are counted from the table itself, so an array can be anywhere in memory, and nothing
is copied. Only compiled code can follow such offsets; the table must not move while in use.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from .bundles import Bundle
from .entries import Matrix
from .extension import compiled_as
from .record_types import BundleOf, bundle_at
from .records import Record, Records


class Borrowed:
    """Table of offsets of a bundle of borrowed arrays, and the arrays.

    Attributes:
        address: address of the table, for compiled code.
    """

    def __init__(self, bundle: type[Bundle]) -> None:
        self._bundle, self._kept = bundle, {}
        self._places = np.zeros(2 * bundle.SLOTS, np.int64)
        self.address = int(self._places.ctypes.data)

    def give(self, **arrays: Any) -> None:
        """Enter the addresses of arrays, ``Record`` or ``Records``, or of an inner bundle's, as a dict.

        Raises:
            TypeError: an array not contiguous or not of the entry's dtype.
        """
        self._give(self._bundle, arrays, 0)

    def _give(self, bundle: type[Bundle], arrays: dict[str, Any], base: int) -> None:
        for name, value in arrays.items():
            entry = bundle.entries[name]
            if isinstance(value, dict):
                self._give(entry.bundle, value, base + entry.floats)  # type: ignore[attr-defined]
            elif isinstance(value, Record | Records):
                self._put(base + entry.floats, value.floats, np.float64, name)
                self._put(base + entry.ints, value.ints, np.int64, name)
            else:
                slot = base + (entry.floats if entry.floats >= 0 else entry.ints)
                self._put(slot, value, entry.dtype, name)
                if isinstance(entry, Matrix):
                    self._places[2 * slot + 2] = value.shape[1]

    def _put(self, slot: int, array: Any, dtype: Any, name: str) -> None:
        memory = array.__array_interface__
        if array.dtype != dtype or memory["strides"] is not None:
            raise TypeError(f"{self._bundle.__name__}.{name} needs {np.dtype(dtype)} in a row")
        start = (memory["data"][0] - self.address) // array.itemsize
        self._places[2 * slot], self._places[2 * slot + 1] = start, start + array.size
        self._kept[slot] = array


def borrowed_viewer(bundle: type[Bundle]) -> Any:
    """Make ``view(places)``, which returns in compiled code the bundle of a :class:`Borrowed` table."""

    def view(places: Any) -> Any:
        raise TypeError(
            f"the offsets of {bundle.__name__} lead to foreign memory: only compiled code reads it"
        )

    view.__name__ = view.__qualname__ = f"lent_{bundle.__name__.lower()}"

    @compiled_as(view, lambda places: BundleOf(bundle, types.float64), (types.Array,))
    def _code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        twice = sig.return_type(*sig.args, *sig.args)
        return bundle_at(context, builder, twice, (*args, *args))

    return view
