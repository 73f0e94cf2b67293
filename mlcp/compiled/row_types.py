"""Rows and tables of numbers in compiled code: an address and a count.

No reference counts, no strides, no negative indices: kernels that read them compile quickly, but the
memory has to outlive the call. ``dtype`` is the type of a number: float64, or a lane (numbers of several
vehicles in one SIMD register).
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import signature
from numba.extending import lower_builtin, models, register_model
from numba.np.arrayobj import populate_array

from .extension import attributes, compiled_as, typed_as

LONG = ir.IntType(64)


class _Numbers(types.Type):
    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(f"{type(self).__name__}({dtype})")


class Row(_Numbers):
    """Numba type of numbers in a row: address and count."""


class Table(_Numbers):
    """Numba type of numbers in rows and columns: address, number of rows, number of columns."""


def model(kind: type, *members: tuple[str, Any]) -> None:
    """Register a type's data model with Numba: a struct of these members."""

    @register_model(kind)
    class _Model(models.StructModel):
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            fields = [(n, t if isinstance(t, types.Type) else t(fe_type)) for n, t in members]
            super().__init__(dmm, fe_type, fields)


def pointer(kind: Any) -> Any:
    """Type of a pointer to the numbers of a kind."""
    return types.CPointer(kind.dtype)


model(Row, ("data", pointer), ("size", types.intp))
model(Table, ("data", pointer), ("rows", types.intp), ("columns", types.intp))


@typed_as(operator.getitem)
def _item(kind: Any, index: Any) -> Any:
    """Numba type of ``kind[index]``; None for an unsupported index."""
    if isinstance(kind, Table):
        pair: Any = getattr(index, "types", ())
        if len(pair) == 2 and all(isinstance(k, types.Integer) for k in pair):
            return kind.dtype
        return Row(kind.dtype) if isinstance(index, types.Integer) else None
    if isinstance(kind, Row):
        if index == types.slice2_type:
            return kind
        return kind.dtype if isinstance(index, types.Integer) else None
    return None


@typed_as(operator.setitem)
def _set_item(kind: Any, index: Any, value: Any) -> Any:
    found = _item(kind, index)
    is_one = found is not None and found is kind.dtype
    return signature(types.void, kind, index, found) if is_one else None


def tagged(access: Any, number: Any = None) -> Any:
    """Tell LLVM by a mark on a load, or on a store of a number, that floats and integers are apart."""
    kind, node = (number or access).type, access.parent.function.module.add_metadata
    name = "integer" if isinstance(kind, ir.IntType) else "float"
    tag = node([name, node(["number"]), LONG(0)])
    access.set_metadata("tbaa", node([tag, tag, LONG(0)]))
    return access


class Parts:
    """Members of a struct, by name; without Numba's proxy in memory, half of the LLVM code remains."""

    def __init__(self, context: Any, builder: Any, kind: Any, value: Any) -> None:
        place = context.data_model_manager[kind].get_field_position
        self.emit = lambda name: builder.extract_value(value, place(name))

    def __getattr__(self, name: str) -> Any:
        return self.emit(name)


def made(context: Any, builder: Any, kind: Any, **members: Any) -> Any:
    """Emit a value of a kind from its members."""
    place = context.data_model_manager[kind].get_field_position
    value = ir.Constant(context.get_value_type(kind), ir.Undefined)
    for name, member in members.items():
        value = builder.insert_value(value, member, place(name))
    return value


def moved(builder: Any, pointer: Any, by: Any) -> Any:
    """Emit the pointer ``by`` numbers after ``pointer``."""
    return builder.gep(pointer, [by if isinstance(by, ir.Value) else LONG(by)], inbounds=True)


def integer(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Emit an index as the machine's integer."""
    return context.cast(builder, value, kind, types.intp)


def within(context: Any, builder: Any, index: Any, at: Parts, name: str, what: str) -> Any:
    """Return the index; under NUMBA_BOUNDSCHECK=1 emit a check against ``at.name`` that aborts."""
    if context.enable_boundscheck:
        size = getattr(at, name)
        outside = builder.icmp_unsigned(">=", index, size)  # a negative index is a large one, unsigned
        with builder.if_then(outside, likely=False):
            cgutils.printf(builder, f"index %ld outside {what} of %ld\n", index, size)
            everything = ir.IntType(8).as_pointer()(None)  # null pointer: flush all streams
            for name, given in (("fflush", [everything]), ("abort", [])):
                kind = ir.FunctionType(ir.VoidType(), [value.type for value in given])
                builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)
    return index


def _place(context: Any, builder: Any, kind: Any, value: Any, index_kind: Any, index: Any) -> Any:
    """Emit the address of one number of a row or a table."""
    at = Parts(context, builder, kind, value)
    if isinstance(kind, Row):
        i = integer(context, builder, index_kind, index)
        return moved(builder, at.data, within(context, builder, i, at, "size", str(kind)))
    i, j = (
        integer(context, builder, one, builder.extract_value(index, k))
        for k, one in enumerate(index_kind.types)
    )
    i = within(context, builder, i, at, "rows", str(kind))
    j = within(context, builder, j, at, "columns", str(kind))
    return moved(builder, at.data, builder.add(builder.mul(i, at.columns), j))


@lower_builtin(operator.getitem, Row, types.Integer)
@lower_builtin(operator.getitem, Table, types.BaseTuple)
def _read(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place = _place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    return tagged(builder.load(place))


@lower_builtin(operator.setitem, Row, types.Integer, types.Any)
@lower_builtin(operator.setitem, Table, types.BaseTuple, types.Any)
def _write(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value = context.cast(builder, args[2], sig.args[2], sig.args[0].dtype)
    place = _place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    tagged(builder.store(value, place), value)
    return context.get_dummy_value()


@lower_builtin(operator.getitem, Row, types.SliceType)
def _slice(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    at = Parts(context, builder, sig.args[0], args[0])
    cut = context.make_helper(builder, sig.args[1], args[1])
    stop = builder.select(builder.icmp_signed("<", cut.stop, at.size), cut.stop, at.size)
    size = builder.sub(stop, cut.start)
    return made(context, builder, sig.args[0], data=moved(builder, at.data, cut.start), size=size)


@lower_builtin(operator.getitem, Table, types.Integer)
def _row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    at = Parts(context, builder, sig.args[0], args[0])
    i = integer(context, builder, sig.args[1], args[1])
    i = within(context, builder, i, at, "rows", str(sig.args[0]))
    data = moved(builder, at.data, builder.mul(i, at.columns))
    return made(context, builder, sig.return_type, data=data, size=at.columns)


def counted(kind: type, member: str) -> None:
    """Register with Numba ``len`` of a kind whose values have their count as a member."""
    typed_as(len)(lambda value: types.intp if isinstance(value, kind) else None)

    @lower_builtin(len, kind)
    def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(Parts(context, builder, sig.args[0], args[0]), member)


counted(Row, "size")


def _type_of_row(kind: Any, name: str) -> Any:
    return {"size": types.intp, "shape": types.UniTuple(types.intp, 1)}.get(name)


@attributes(Row, _type_of_row)
def _row_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    size = Parts(context, builder, kind, value).size
    return size if name == "size" else cgutils.pack_array(builder, [size])


@attributes(Table, lambda kind, name: types.UniTuple(types.intp, 2) if name == "shape" else None)
def _table_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    at = Parts(context, builder, kind, value)
    return cgutils.pack_array(builder, [at.rows, at.columns])


def as_array(row: Any) -> Any:
    """View of a row or a table as an array, for kernels with array arguments."""
    return row


def _type_of_array(given: Any) -> Any:
    if not isinstance(given, Row | Table):
        return None
    return types.Array(given.dtype, 1 if isinstance(given, Row) else 2, "C")


@compiled_as(as_array, _type_of_array, (Row,), (Table,))
def _code_of_array(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    at, kind = Parts(context, builder, sig.args[0], args[0]), sig.return_type
    found = context.make_array(kind)(context, builder)
    item = LONG(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    if isinstance(sig.args[0], Row):
        shape, strides = [at.size], [item]
    else:
        shape, strides = [at.rows, at.columns], [builder.mul(at.columns, item), item]
    populate_array(found, at.data, shape, strides, item, None)
    return found._getvalue()
