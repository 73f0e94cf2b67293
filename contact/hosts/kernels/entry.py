"""The machine-code entry of the ground solve, for C and Python.

``int64_t step(double *F, int64_t *N, int64_t stages)`` is a Numba ``cfunc``, that is, a C function
pointer: a host calls it without Python, and Python through ctypes. F and N are the addresses of the
host's two memory blocks.
"""

from __future__ import annotations

from numba import carray, types

from mlcp.jit import c_entry

from . import layout as L
from .ground import run

SIGNATURE = types.int64(types.CPointer(types.float64), types.CPointer(types.int64), types.int64)


@c_entry(SIGNATURE, "mlcp", "contact")
def step(floats, ints, stages):
    """Run stages of the ground solve on a host's memory; Python calls ``step.python`` with addresses."""
    header = carray(ints, (L.TABLE,))
    F = carray(floats, (header[L.FLOATS],))
    N = carray(ints, (header[L.INTS],))
    return run(F, N, stages)


def address() -> int:
    """Address of the compiled function, for C; it is compiled on the first call and cached on disk."""
    return step.address
