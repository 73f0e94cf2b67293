"""A user's Numba function, called from compiled code by its address: five numbers in, four out.

So it runs at full speed, and what calls it need not be compiled anew. An address is worth nothing in
another process: what holds one must not be pickled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import carray, cfunc, config, types

from .machine_code import CALLED, LARGE, NUMBERS

_SIGNATURE = types.void(*[types.float64] * 5, types.CPointer(types.float64))


class OwnFunction:
    """Five numbers to four, as compiled code calls it; the address lives as long as this object.

    Arguments:
        function: what Numba can compile, from five floats to a tuple of four.
    Raises: Numba's own errors, where it cannot.
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
