"""Records in compiled code: Numba's side of ``records``, through its public extension API.

A record is two addresses, a row of numbers an address and a count: no reference counts, no strides, no
negative indices. A kernel that reads records is therefore quick to compile, and the memory must outlive
the call. ``dtype`` is what a number is: float64, or a lane of several.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    type_callable,
)
from numba.np.arrayobj import populate_array

from . import bundles
from . import records as declared

typed_as: Any = infer_global  # its own annotation says that it returns nothing
_LONG = ir.IntType(64)
INT = types.int64


class Row(types.Type):
    """Numbers in a row: address and count."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(f"Row({dtype})")


class Table(types.Type):
    """Numbers in rows and columns: address, rows, columns."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(f"Table({dtype})")


class _Declared(types.Type):
    def __init__(self, declaration: Any, dtype: Any) -> None:
        self.declaration, self.dtype = declaration, dtype
        super().__init__(
            f"{type(self).__name__}({declaration.__module__}.{declaration.__name__}, {dtype})"
        )


class One(_Declared):
    """One record: where its floats and its ints are."""


class Many(_Declared):
    """Records: where the first one's floats and ints are, and how many."""


class BundleOf(_Declared):
    """A bundle: where floats, ints and the table of places are."""


def _model(kind: type, *members: tuple[str, Any]) -> None:
    @register_model(kind)
    class _Model(models.StructModel):
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            fields = [(n, t if isinstance(t, types.Type) else t(fe_type)) for n, t in members]
            super().__init__(dmm, fe_type, fields)


def _pointer(kind: Any) -> Any:
    return types.CPointer(kind.dtype)


_INTS = types.CPointer(INT)
_model(Row, ("data", _pointer), ("size", types.intp))
_model(Table, ("data", _pointer), ("rows", types.intp), ("columns", types.intp))
_model(One, ("floats", _pointer), ("ints", _INTS))
_model(Many, ("floats", _pointer), ("ints", _INTS), ("count", types.intp))
_model(BundleOf, ("floats", _pointer), ("ints", _INTS), ("places", _INTS))


# reading and writing by number --------------------------------------------------------------------
def _item(kind: Any, index: Any) -> Any:
    """What ``kind[index]`` is."""
    if isinstance(kind, Table):
        pair: Any = getattr(index, "types", ())
        if len(pair) == 2 and all(isinstance(k, types.Integer) for k in pair):
            return kind.dtype
        return Row(kind.dtype) if isinstance(index, types.Integer) else None
    if isinstance(kind, Row):
        if index == types.slice2_type:
            return kind
        return kind.dtype if isinstance(index, types.Integer) else None
    if isinstance(kind, Many) and isinstance(index, types.Integer):
        return One(kind.declaration, kind.dtype)
    return None


@typed_as(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        found = _item(*args)
        return None if found is None else signature(found, *args)


@typed_as(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        kind, index, _ = args
        found = _item(kind, index)
        if found is None or found is not kind.dtype:
            return None
        return signature(types.void, kind, index, found)


@typed_as(len)
class _Len(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], Row | Many):
            return signature(types.intp, *args)
        return None


def _parts(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return cgutils.create_struct_proxy(kind)(context, builder, value)


def _made(context: Any, builder: Any, kind: Any, **members: Any) -> Any:
    made = cgutils.create_struct_proxy(kind)(context, builder)
    for name, value in members.items():
        setattr(made, name, value)
    return made._getvalue()


def _move(builder: Any, pointer: Any, by: Any) -> Any:
    return builder.gep(pointer, [by if isinstance(by, ir.Value) else _LONG(by)], inbounds=True)


def _integer(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.cast(builder, value, kind, types.intp)


def _place(context: Any, builder: Any, kind: Any, value: Any, index_kind: Any, index: Any) -> Any:
    """Address of one number of a row or a table."""
    at = _parts(context, builder, kind, value)
    if isinstance(kind, Row):
        return _move(builder, at.data, _integer(context, builder, index_kind, index))
    i, j = (
        _integer(context, builder, one, builder.extract_value(index, k))
        for k, one in enumerate(index_kind.types)
    )
    return _move(builder, at.data, builder.add(builder.mul(i, at.columns), j))


@lower_builtin(operator.getitem, Row, types.Integer)
@lower_builtin(operator.getitem, Table, types.BaseTuple)
def _read(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(_place(context, builder, sig.args[0], args[0], sig.args[1], args[1]))


@lower_builtin(operator.setitem, Row, types.Integer, types.Any)
@lower_builtin(operator.setitem, Table, types.BaseTuple, types.Any)
def _write(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value = context.cast(builder, args[2], sig.args[2], sig.args[0].dtype)
    builder.store(value, _place(context, builder, sig.args[0], args[0], sig.args[1], args[1]))
    return context.get_dummy_value()


@lower_builtin(operator.getitem, Row, types.SliceType)
def _slice(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    at = _parts(context, builder, sig.args[0], args[0])
    cut = context.make_helper(builder, sig.args[1], args[1])
    stop = builder.select(builder.icmp_signed("<", cut.stop, at.size), cut.stop, at.size)
    size = builder.sub(stop, cut.start)
    return _made(context, builder, sig.args[0], data=_move(builder, at.data, cut.start), size=size)


@lower_builtin(operator.getitem, Table, types.Integer)
def _row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    at = _parts(context, builder, sig.args[0], args[0])
    i = _integer(context, builder, sig.args[1], args[1])
    data = _move(builder, at.data, builder.mul(i, at.columns))
    return _made(context, builder, sig.return_type, data=data, size=at.columns)


@lower_builtin(operator.getitem, Many, types.Integer)
def _one(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    at = _parts(context, builder, kind, args[0])
    k = _integer(context, builder, sig.args[1], args[1])
    return _made(
        context,
        builder,
        sig.return_type,
        floats=_move(builder, at.floats, builder.mul(k, _LONG(kind.declaration.FLOATS))),
        ints=_move(builder, at.ints, builder.mul(k, _LONG(kind.declaration.INTS))),
    )


@lower_builtin(len, Row)
def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _parts(context, builder, sig.args[0], args[0]).size


@lower_builtin(len, Many)
def _count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _parts(context, builder, sig.args[0], args[0]).count


# reading and writing by name ----------------------------------------------------------------------
@infer_getattr
class _RowAttributes(AttributeTemplate):
    key = Row

    def generic_resolve(self, kind: Any, name: str) -> Any:
        return {"size": types.intp, "shape": types.UniTuple(types.intp, 1)}.get(name)


@infer_getattr
class _TableAttributes(AttributeTemplate):
    key = Table

    def generic_resolve(self, kind: Any, name: str) -> Any:
        return types.UniTuple(types.intp, 2) if name == "shape" else None


@lower_getattr_generic(Row)
def _row_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    size = _parts(context, builder, kind, value).size
    return size if name == "size" else cgutils.pack_array(builder, [size])


@lower_getattr_generic(Table)
def _table_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    at = _parts(context, builder, kind, value)
    return cgutils.pack_array(builder, [at.rows, at.columns])


@infer_getattr
class _OneAttributes(AttributeTemplate):
    key = One

    def generic_resolve(self, kind: Any, name: str) -> Any:
        field = kind.declaration.fields.get(name)
        if field is None:
            return None
        if isinstance(field, declared._Nested):
            return One(field.record, kind.dtype)
        dtype = INT if field.whole else kind.dtype
        return dtype if field.scalar else Row(dtype)


def _field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    field = kind.declaration.fields[name]
    at = _parts(context, builder, kind, value)
    return field, _move(builder, at.ints if field.whole else at.floats, field.offset)


@lower_getattr_generic(One)
def _read_field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    inner = kind.declaration.fields[name]
    if isinstance(inner, declared._Nested):
        at = _parts(context, builder, kind, value)
        floats, ints = _move(builder, at.floats, inner.floats), _move(builder, at.ints, inner.ints)
        return _made(context, builder, One(inner.record, kind.dtype), floats=floats, ints=ints)
    field, place = _field(context, builder, kind, value, name)
    if field.scalar:
        return builder.load(place)
    row = Row(INT if field.whole else kind.dtype)
    return _made(context, builder, row, data=place, size=_LONG(field.size))


@lower_setattr_generic(One)
def _write_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    kind, given = sig.args
    field, place = _field(context, builder, kind, args[0], name)
    value = context.cast(builder, args[1], given, INT if field.whole else kind.dtype)
    builder.store(value, place)


def _entry_type(kind: Any, entry: Any) -> Any:
    if isinstance(entry, bundles._Inner):
        return BundleOf(entry.bundle, kind.dtype)
    if isinstance(entry, bundles._One):
        return One(entry.record, kind.dtype)
    if isinstance(entry, bundles._Records):
        return Many(entry.record, kind.dtype)
    if isinstance(entry, bundles._Table | bundles._IntTable):
        return Table(INT if isinstance(entry, bundles._Ints) else kind.dtype)
    if isinstance(entry, bundles._Halves):
        return Row(types.int32)
    return Row(INT if isinstance(entry, bundles._Ints) else kind.dtype)


@infer_getattr
class _BundleAttributes(AttributeTemplate):
    key = BundleOf

    def generic_resolve(self, kind: Any, name: str) -> Any:
        entry = kind.declaration.entries.get(name)
        return None if entry is None else _entry_type(kind, entry)


@lower_getattr_generic(BundleOf)
def _read_entry(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    entry = kind.declaration.entries[name]
    at = _parts(context, builder, kind, value)
    found = _entry_type(kind, entry)

    def place(slot: int) -> tuple[Any, Any]:
        return tuple(builder.load(_move(builder, at.places, 2 * slot + k)) for k in range(2))

    if isinstance(found, BundleOf):
        places = _move(builder, at.places, 2 * entry.floats)
        return _made(context, builder, found, floats=at.floats, ints=at.ints, places=places)
    if isinstance(found, One | Many):
        nothing = _LONG(0), _LONG(0)  # a record of integers alone has no floats, and the other way round
        start, stop = place(entry.floats) if entry.floats >= 0 else nothing
        first, last = place(entry.ints) if entry.ints >= 0 else nothing
        members = {"floats": _move(builder, at.floats, start), "ints": _move(builder, at.ints, first)}
        if isinstance(found, Many):
            if entry.record.FLOATS:
                total, each = builder.sub(stop, start), entry.record.FLOATS
            else:
                total, each = builder.sub(last, first), entry.record.INTS
            members["count"] = builder.sdiv(total, _LONG(each))
        return _made(context, builder, found, **members)
    whole = isinstance(entry, bundles._Ints)
    slot = entry.ints if whole else entry.floats
    start, stop = place(slot)
    first = at.ints if whole else at.floats
    if isinstance(entry, bundles._Halves):
        first = builder.bitcast(first, context.get_value_type(types.CPointer(types.int32)))
    data, size = _move(builder, first, start), builder.sub(stop, start)
    if isinstance(found, Row):
        return _made(context, builder, found, data=data, size=size)
    columns = builder.load(_move(builder, at.places, 2 * slot + 2))
    rows = builder.sdiv(size, columns)
    return _made(context, builder, found, data=data, rows=rows, columns=columns)


def as_array(row: Any) -> Any:
    """A row as an ordinary array, for kernels that take arrays; the same memory."""
    return row


@type_callable(as_array)
def _type_of_array(context: Any) -> Any:
    return lambda row: types.Array(row.dtype, 1, "C") if isinstance(row, Row) else None


@lower_builtin(as_array, Row)
def _code_of_array(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    at, kind = _parts(context, builder, sig.args[0], args[0]), sig.return_type
    found = context.make_array(kind)(context, builder)
    size = _LONG(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    populate_array(found, at.data, [at.size], [size], size, None)
    return found._getvalue()


def bundle_at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A bundle on the memory of two arrays, whatever its numbers are; its table at the start or base."""
    kind = sig.return_type
    floats, ints = (
        context.make_array(one)(context, builder, value).data
        for one, value in zip(sig.args[:2], args[:2], strict=True)
    )
    floats = builder.bitcast(floats, context.get_value_type(_pointer(kind)))
    places = _move(builder, ints, args[2]) if len(args) > 2 else ints
    return _made(context, builder, kind, floats=floats, ints=ints, places=places)


def viewer(bundle: type[bundles.Bundle]) -> Any:
    """The function ``view(F, N)`` that makes the bundle of two flat arrays, in Python and compiled.

    ``view(F, N, base)`` where its table of places stands in ``N`` from ``base`` on.
    """

    def view(F: Any, N: Any, base: int = 0) -> Any:
        return bundle(F, N, base)

    view.__name__ = view.__qualname__ = f"view_of_{bundle.__name__.lower()}"

    @type_callable(view)
    def _type(context: Any) -> Any:
        return lambda F, N, base=None: BundleOf(bundle, F.dtype)

    lower_builtin(view, types.Array, types.Array)(bundle_at)
    lower_builtin(view, types.Array, types.Array, types.Integer)(bundle_at)
    return view
