"""A user's Numba function, called from compiled code by its address: five numbers in, four out.

So it runs at full speed, and what calls it need not be compiled anew. An address is worth nothing in
another process: what holds one must not be pickled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import carray, cfunc, config, types
from numba.extending import lower_builtin, type_callable

#: With compilation switched off, addresses are places in it.
_CALLED: list[Callable[..., tuple[float, ...]]] = []
_SWITCHED_OFF: bool = vars(config)["DISABLE_JIT"]
_GIVEN, _ANSWERS = 5, 4
_SIGNATURE = types.void(*[types.float64] * _GIVEN, types.CPointer(types.float64))


class OwnFunction:
    """Five numbers to four, as compiled code calls it; the address lives as long as this object.

    Arguments:
        function: what Numba can compile, from five floats to a tuple of four.
    Raises: Numba's own errors, where it cannot.
    """

    def __init__(self, function: Callable[..., tuple[float, ...]]) -> None:
        if _SWITCHED_OFF:
            _CALLED.append(function)
            self.address = 1 << 20 | len(_CALLED) - 1
            return

        def write(a, b, c, d, e, to):
            answer = carray(to, _ANSWERS)
            answer[0], answer[1], answer[2], answer[3] = function(a, b, c, d, e)

        self._code: Any = cfunc(_SIGNATURE, error_model="numpy")(write)
        self.address = int(self._code.address)


def call_own(where, a, b, c, d, e):
    """The four numbers of the ``OwnFunction`` at an address."""
    return _CALLED[where & (1 << 20) - 1](a, b, c, d, e)


@type_callable(call_own)
def _type_of_call(context):
    return lambda where, a, b, c, d, e: types.UniTuple(types.float64, _ANSWERS)


@lower_builtin(call_own, types.Integer, *[types.Float] * _GIVEN)
def _code_of_call(context, builder, signature, arguments):
    double = ir.DoubleType()
    to = builder.alloca(double, size=_ANSWERS)
    kind = ir.FunctionType(ir.VoidType(), [double] * _GIVEN + [double.as_pointer()])
    where = builder.inttoptr(arguments[0], kind.as_pointer())
    builder.call(where, [*arguments[1:], to])
    one = ir.IntType(64)
    answers = [builder.load(builder.gep(to, [one(k)])) for k in range(_ANSWERS)]
    return context.make_tuple(builder, signature.return_type, answers)
