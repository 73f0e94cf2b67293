"""Machine code called by its address, the machine's clock, and an atomic exchange."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import carray, cfunc, config, types
from numba.core import cgutils

from .extension import compiled_as

#: Functions called without compilation; element k has the address k + 1, a user's LARGE + k + 1.
CALLED: list[Callable[..., Any]] = []
LARGE = 1 << 20
NUMBERS = 4  # number of results of ``call_for_numbers``
_ONE = threading.Lock()
_DOUBLE, _LONG, _INT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)


def call(where: int, F: Any, N: Any, number: int) -> int:
    """Call the entry point at an address with two flat arrays and a number; return its int64.

    If F and N are addresses, call ``int64_t step(double *F, int64_t *N, int64_t number)`` of C.
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
    """Call ``void f(double a, ..., double e, double *to)`` at an address; return its four numbers."""
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
    """Monotonic clock [s], the same in Python and in compiled code.

    Without C's ``clock_gettime`` (Windows) it is always zero in compiled code.
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


def exchange(array: Any, k: int, value: int) -> int:
    """Write an integer to ``array[k]`` and return the old one, atomically.

    Sequentially consistent: a reader of the number also sees all earlier writes of the writing thread.
    """
    with _ONE:
        found, array[k] = array[k], value
    return found


def _type(array: Any, k: Any, value: Any) -> Any:
    flat = isinstance(array, types.Array) and array.ndim == 1 and array.layout == "C"
    return types.int64 if flat and array.dtype == types.int64 else None


@compiled_as(exchange, _type, (types.Array, types.Integer, types.Integer))
def _code_of_exchange(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    k, value = (
        context.cast(builder, arg, kind, types.int64)
        for arg, kind in zip(args[1:], sig.args[1:], strict=True)
    )
    data = context.make_array(sig.args[0])(context, builder, args[0]).data
    return builder.atomic_rmw("xchg", builder.gep(data, [k]), value, "seq_cst")


_SIGNATURE = types.void(*[types.float64] * 5, types.CPointer(types.float64))


class OwnFunction:
    """User's Numba function of five numbers to four, called at full speed without recompiling callers.

    The address is valid while this object lives, and in this process only.

    Arguments:
        function: compilable by Numba, from five floats to a tuple of four.
    Raises: Numba's own errors, if it cannot be compiled.
    """

    def __init__(self, function: Callable[..., tuple[float, ...]]) -> None:
        if vars(config)["DISABLE_JIT"]:
            CALLED.append(function)
            self.address = LARGE + len(CALLED)
            return

        def write(a, b, c, d, e, to):
            answer = carray(to, NUMBERS)
            answer[0], answer[1], answer[2], answer[3] = function(a, b, c, d, e)

        self._code: Any = cfunc(_SIGNATURE, error_model="numpy")(write)
        self.address = int(self._code.address)


def processor() -> str:
    """Name of compiler and processor, such as "LLVM 20.1.8 for znver4"."""
    return f"LLVM {'.'.join(map(str, binding.llvm_version_info))} for {binding.get_host_cpu_name()}"
