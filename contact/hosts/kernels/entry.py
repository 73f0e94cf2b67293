"""The one machine-code entry of the ground solve: C calls it, and so does Python.

``int64_t step(double *F, int64_t *N, int64_t stages)``. A Numba ``cfunc``: a plain C function
pointer on plain memory, so a host calls it without a Python frame, and Python calls the same code
through ctypes, which unpacks two addresses instead of forty arrays.
"""

from __future__ import annotations

import ctypes
import functools

from numba import carray, types

from mlcp.jit import c_entry

from . import layout as L
from .ground import run

SIGNATURE = types.int64(types.CPointer(types.float64), types.CPointer(types.int64), types.int64)
PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def make(key):
    """The function to compile; ``key`` holds the hash of all kernel sources, for Numba's cache."""

    def step(floats, ints, stages):
        key
        header = carray(ints, (L.TABLE,))
        F = carray(floats, (header[L.FLOATS],))
        N = carray(ints, (header[L.INTS],))
        return run(F, N, stages)

    return step


@functools.cache
def address() -> int:
    """Address of the compiled function; compiles on the first call, cached on disk."""
    return compiled().address


@functools.cache
def compiled():
    """The ``cfunc`` itself; its life is the process's."""
    return c_entry(make, SIGNATURE, "mlcp", "contact")


@functools.cache
def step():
    """The function as Python calls it: ``step(F.ctypes.data, N.ctypes.data, stages)``."""
    return PROTOTYPE(address())
