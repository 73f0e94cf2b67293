"""How threads in compiled code take work from one another."""

from __future__ import annotations

import threading
from typing import Any

from numba import types

from .extension import compiled_as

_ONE = threading.Lock()


def exchange(array: Any, k: int, value: int) -> int:
    """Put a whole number at a place of a flat array; what stood there. No thread comes between.

    What a thread wrote before it put the number there, the one that finds it sees.
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
