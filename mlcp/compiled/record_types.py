"""Numba types of ``records`` and ``bundles``, by Numba's public extension API.

A record is two addresses, of its floats and of its integers; the memory has to outlive the call.
``dtype`` is the type of a number: float64, or a lane (numbers of several vehicles in one SIMD register).
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.extending import lower_builtin, lower_setattr_generic

from . import bundles, entries, row_types
from . import records as declared
from .extension import attributes, compiled_as, typed_as
from .row_types import LONG, Parts, Row, Table, integer, made, model, moved, pointer, tagged, within

INT = types.int64


class _Declared(types.Type):
    def __init__(self, declaration: Any, dtype: Any) -> None:
        self.declaration, self.dtype = declaration, dtype
        super().__init__(
            f"{type(self).__name__}({declaration.__module__}.{declaration.__name__}, {dtype})"
        )


class RecordType(_Declared):
    """Numba type of one record: addresses of its floats and its ints."""


class Many(_Declared):
    """Numba type of records: addresses of the first one's floats and ints, and count."""


class BundleOf(_Declared):
    """Numba type of a bundle: addresses of its floats, ints and table of offsets."""


_INTS = types.CPointer(INT)
model(RecordType, ("floats", pointer), ("ints", _INTS))
model(Many, ("floats", pointer), ("ints", _INTS), ("count", types.intp))
row_types.counted(Many, "count")
model(BundleOf, ("floats", pointer), ("ints", _INTS), ("places", _INTS))


@typed_as(operator.getitem)
def _which(kind: Any, index: Any) -> Any:
    is_one = isinstance(kind, Many) and isinstance(index, types.Integer)
    return RecordType(kind.declaration, kind.dtype) if is_one else None


@lower_builtin(operator.getitem, Many, types.Integer)
def _one(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    at = Parts(context, builder, kind, args[0])
    k = integer(context, builder, sig.args[1], args[1])
    k = within(context, builder, k, at, "count", str(kind))
    return made(
        context,
        builder,
        sig.return_type,
        floats=moved(builder, at.floats, builder.mul(k, LONG(kind.declaration.FLOATS))),
        ints=moved(builder, at.ints, builder.mul(k, LONG(kind.declaration.INTS))),
    )


def _type_of_field(kind: Any, name: str) -> Any:
    field = kind.declaration.fields.get(name)
    if field is None:
        return None
    if isinstance(field, declared.Nested):
        return RecordType(field.record, kind.dtype)
    dtype = INT if field.whole else kind.dtype
    return dtype if field.scalar else Row(dtype)


def _field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    field = kind.declaration.fields[name]
    at = Parts(context, builder, kind, value)
    return field, moved(builder, at.ints if field.whole else at.floats, field.offset)


@attributes(RecordType, _type_of_field)
def _read_field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    inner = kind.declaration.fields[name]
    if isinstance(inner, declared.Nested):
        at = Parts(context, builder, kind, value)
        floats, ints = moved(builder, at.floats, inner.floats), moved(builder, at.ints, inner.ints)
        return made(context, builder, RecordType(inner.record, kind.dtype), floats=floats, ints=ints)
    field, place = _field(context, builder, kind, value, name)
    if field.scalar:
        return tagged(builder.load(place))
    row = Row(INT if field.whole else kind.dtype)
    return made(context, builder, row, data=place, size=LONG(field.size))


@lower_setattr_generic(RecordType)
def _write_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    kind, given = sig.args
    field, place = _field(context, builder, kind, args[0], name)
    value = context.cast(builder, args[1], given, INT if field.whole else kind.dtype)
    tagged(builder.store(value, place), value)


def _entry_type(kind: Any, entry: Any) -> Any:
    if isinstance(entry, entries.Inner):
        return BundleOf(entry.bundle, kind.dtype)
    if isinstance(entry, entries.Single):
        return RecordType(entry.record, kind.dtype)
    if isinstance(entry, entries.Several):
        return Many(entry.record, kind.dtype)
    if isinstance(entry, entries.Matrix):
        return Table(INT if isinstance(entry, entries.Ints) else kind.dtype)
    if isinstance(entry, entries.Halves):
        return Row(types.int32)
    return Row(INT if isinstance(entry, entries.Ints) else kind.dtype)


def _type_of_entry(kind: Any, name: str) -> Any:
    entry = kind.declaration.entries.get(name)
    return None if entry is None else _entry_type(kind, entry)


@attributes(BundleOf, _type_of_entry)
def _read_entry(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    entry = kind.declaration.entries[name]
    at = Parts(context, builder, kind, value)
    found = _entry_type(kind, entry)

    def place(slot: int) -> tuple[Any, Any]:
        return tuple(tagged(builder.load(moved(builder, at.places, 2 * slot + k))) for k in range(2))

    if isinstance(found, BundleOf):
        places = moved(builder, at.places, 2 * entry.floats)
        return made(context, builder, found, floats=at.floats, ints=at.ints, places=places)
    if isinstance(found, RecordType | Many):
        (start, stop), (first, last) = place(entry.floats), place(entry.ints)
        members = {"floats": moved(builder, at.floats, start), "ints": moved(builder, at.ints, first)}
        if isinstance(found, Many):
            if entry.record.FLOATS:
                total, each = builder.sub(stop, start), entry.record.FLOATS
            else:
                total, each = builder.sub(last, first), entry.record.INTS
            members["count"] = builder.sdiv(total, LONG(each))
        return made(context, builder, found, **members)
    whole = isinstance(entry, entries.Ints)
    slot = entry.ints if whole else entry.floats
    start, stop = place(slot)
    first = at.ints if whole else at.floats
    if isinstance(entry, entries.Halves):
        first = builder.bitcast(first, context.get_value_type(types.CPointer(types.int32)))
    data, size = moved(builder, first, start), builder.sub(stop, start)
    if isinstance(found, Row):
        return made(context, builder, found, data=data, size=size)
    columns = builder.load(moved(builder, at.places, 2 * slot + 2))
    rows = builder.sdiv(size, columns)
    return made(context, builder, found, data=data, rows=rows, columns=columns)


def bundle_at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Emit a bundle on two arrays F, N; its table of offsets begins at ``N[0]`` or ``N[base]``."""
    kind = sig.return_type
    pairs = zip(sig.args[:2], args[:2], strict=True)
    floats, ints = (Parts(context, builder, *pair).data for pair in pairs)
    floats = builder.bitcast(floats, context.get_value_type(pointer(kind)))
    places = moved(builder, ints, args[2]) if len(args) > 2 else ints
    return made(context, builder, kind, floats=floats, ints=ints, places=places)


def viewer(bundle: type[bundles.Bundle]) -> Any:
    """Make ``view(F, N)``, which returns the bundle of two flat arrays, in Python and compiled.

    ``view(F, N, base)``: the table of offsets begins at ``N[base]``.
    """

    def view(F: Any, N: Any, base: int = 0) -> Any:
        return bundle(F, N, base)

    view.__name__ = view.__qualname__ = f"view_of_{bundle.__name__.lower()}"

    both = types.Array, types.Array
    typed = lambda F, N, base=None: BundleOf(bundle, F.dtype)  # noqa: E731  Numba reads parameters
    compiled_as(view, typed, both, (*both, types.Integer))(bundle_at)
    return view
