"""Eight numbers at once: what two wheels' channels need, in one vector register.

LLVM is not asked to find such vectors by itself (Numba leaves that off, for it doubles the time to
compile), so kernels say where they are.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import lower_builtin, register_model, type_callable

from mlcp.compiled.row_types import Row

WIDTH = 8
_DOUBLES = ir.VectorType(ir.DoubleType(), WIDTH)
_POINTER = _DOUBLES.as_pointer()


class Eight(types.Type):
    """Numba's type of eight doubles."""

    def __init__(self) -> None:
        super().__init__(name="Eight")


eight = Eight()


@register_model(Eight)
class EightModel(models.PrimitiveModel):
    """A vector register."""

    def __init__(self, manager, kind) -> None:
        super().__init__(manager, kind, _DOUBLES)


def load(array, at):
    """The eight numbers of a row from number ``at`` on."""
    return array[at : at + WIDTH].copy()


def store(array, at, v):
    """Write eight numbers."""
    array[at : at + WIDTH] = v


def zeros():
    """Eight zeros."""
    return np.zeros(WIDTH)


def times(f, v):
    """f v."""
    return f * v


def plus(v, f, w):
    """v + f w."""
    return v + f * w


def _pointer(context, builder, kind, row, at):
    if isinstance(kind, Row):
        data = cgutils.create_struct_proxy(kind)(context, builder, row).data
    else:
        data = context.make_array(kind)(context, builder, row).data
    return builder.bitcast(builder.gep(data, [at]), _POINTER)


def _splat(builder, f):
    one = builder.insert_element(ir.Constant(_DOUBLES, ir.Undefined), f, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(one, ir.Constant(_DOUBLES, ir.Undefined), zeros)


@type_callable(load)
def _type_of_load(context):
    return lambda array, at: eight


@lower_builtin(load, types.Array, types.Integer)
@lower_builtin(load, Row, types.Integer)
def _code_of_load(context, builder, signature, arguments):
    pointer = _pointer(context, builder, signature.args[0], *arguments)
    value = builder.load(pointer)
    value.align = 8
    return value


@type_callable(store)
def _type_of_store(context):
    return lambda array, at, v: types.none


@lower_builtin(store, types.Array, types.Integer, Eight)
@lower_builtin(store, Row, types.Integer, Eight)
def _code_of_store(context, builder, signature, arguments):
    array, at, v = arguments
    builder.store(v, _pointer(context, builder, signature.args[0], array, at)).align = 8
    return context.get_dummy_value()


@type_callable(zeros)
def _type_of_zeros(context):
    return lambda: eight


@lower_builtin(zeros)
def _code_of_zeros(context, builder, signature, arguments):
    return ir.Constant(_DOUBLES, [0.0] * WIDTH)


@type_callable(times)
def _type_of_times(context):
    return lambda f, v: eight


@lower_builtin(times, types.Float, Eight)
def _code_of_times(context, builder, signature, arguments):
    return builder.fmul(_splat(builder, arguments[0]), arguments[1])


@type_callable(plus)
def _type_of_plus(context):
    return lambda v, f, w: eight


@lower_builtin(plus, Eight, types.Float, Eight)
def _code_of_plus(context, builder, signature, arguments):
    v, f, w = arguments
    return builder.fadd(v, builder.fmul(_splat(builder, f), w))
