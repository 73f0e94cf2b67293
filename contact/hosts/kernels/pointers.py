"""Memory and code that another library owns, from their addresses."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def floats_at(context, address):
    """An int64 address as ``double *``, for ``numba.carray``."""

    def build(target, builder, signature, arguments):
        return builder.inttoptr(arguments[0], target.get_value_type(signature.return_type))

    return types.CPointer(types.float64)(types.int64), build


@intrinsic
def ints_at(context, address):
    """An int64 address as ``int *`` (32 bits), for ``numba.carray``."""

    def build(target, builder, signature, arguments):
        return builder.inttoptr(arguments[0], target.get_value_type(signature.return_type))

    return types.CPointer(types.int32)(types.int64), build


@intrinsic
def naturals_at(context, address):
    """An int64 address as ``unsigned *`` (32 bits), for ``numba.carray``."""

    def build(target, builder, signature, arguments):
        return builder.inttoptr(arguments[0], target.get_value_type(signature.return_type))

    return types.CPointer(types.uint32)(types.int64), build


@intrinsic
def longs_at(context, address):
    """An int64 address as ``int64_t *``, for ``numba.carray``."""

    def build(target, builder, signature, arguments):
        return builder.inttoptr(arguments[0], target.get_value_type(signature.return_type))

    return types.CPointer(types.int64)(types.int64), build


@intrinsic
def call_ground(context, function, floats, ints, stages):
    """Call ``step(double *, int64_t *, int64_t)`` at an address: compiled once, used by every host."""

    def build(target, builder, signature, arguments):
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word] * 3)
        pointer = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.call(pointer, arguments[1:])

    return types.int64(types.int64, types.int64, types.int64, types.int64), build
