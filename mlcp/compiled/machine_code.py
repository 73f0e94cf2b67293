"""Machine code that compiled code calls by its address, and the machine's clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .extension import compiled_as

#: With compilation switched off, addresses are places in it, and those of ``LARGE`` above.
CALLED: list[Callable[..., Any]] = []
LARGE = 1 << 20
NUMBERS = 4  # of the answer to five of ``call_for_numbers``
_DOUBLE, _LONG, _INT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)


def call(where: int, F: Any, N: Any, number: int) -> int:
    """Call the entry point at an address with two flat arrays and a number; it returns an int64.

    So is a C function ``int64_t step(double *F, int64_t *N, int64_t number)``, with two addresses.
    """
    return CALLED[where - 1](F, N, number)


_WHOLE, _ARRAY = types.Integer, types.Array
_GIVEN = (_WHOLE, _ARRAY, _ARRAY, _WHOLE), (_WHOLE,) * 4


@compiled_as(call, lambda where, F, N, number: types.int64, *_GIVEN)
def _code_of_call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    where, *given = arguments
    kind = ir.FunctionType(_LONG, [one.type for one in given])
    return builder.call(builder.inttoptr(where, kind.as_pointer()), given)


def call_for_numbers(where: int, a: float, b: float, c: float, d: float, e: float) -> Any:
    """The four numbers that ``void f(double a, ..., double e, double *to)`` at an address writes."""
    return CALLED[where % LARGE - 1](a, b, c, d, e)


_ANSWER = types.UniTuple(types.float64, NUMBERS)


@compiled_as(call_for_numbers, lambda where, a, b, c, d, e: _ANSWER, (types.Integer, *[types.Float] * 5))
def _code_of_numbers(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    where, *given = arguments
    to = builder.alloca(_DOUBLE, size=NUMBERS)
    kind = ir.FunctionType(ir.VoidType(), [_DOUBLE] * len(given) + [to.type])
    builder.call(builder.inttoptr(where, kind.as_pointer()), [*given, to])
    answers = [builder.load(builder.gep(to, [_LONG(k)])) for k in range(NUMBERS)]
    return context.make_tuple(builder, signature.return_type, answers)


def clock() -> float:
    """A clock that only goes forward [s]; the same in Python and in compiled code.

    Where C has no ``clock_gettime`` (Windows), compiled code sees it stand still at zero.
    """
    return time.monotonic()


@compiled_as(clock, lambda: types.float64, ())
def _code_of_clock(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    if not hasattr(time, "clock_gettime"):
        return _DOUBLE(0.0)
    kind = ir.FunctionType(_INT, [_INT, _LONG.as_pointer()])
    read = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
    now = cgutils.alloca_once(builder, _LONG, size=2)  # seconds, nanoseconds
    builder.call(read, [_INT(time.CLOCK_MONOTONIC), now])
    parts = [builder.load(builder.gep(now, [_INT(k)])) for k in (0, 1)]
    seconds, rest = (builder.sitofp(part, _DOUBLE) for part in parts)
    return builder.fadd(seconds, builder.fmul(rest, _DOUBLE(1e-9)))
