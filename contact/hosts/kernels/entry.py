"""The machine-code entry of the ground solve, for C and Python.

``int64_t step(double *F, int64_t *N, int64_t stages)``. A Numba ``cfunc``: a plain C function pointer
on plain memory, so that a host calls it without a Python frame, and Python through ctypes, with two
addresses in place of forty arrays.
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
    """Function to compile; ``key``: hash of all kernel sources, for Numba's cache."""

    def step(floats, ints, stages):
        key
        header = carray(ints, (L.TABLE,))
        F = carray(floats, (header[L.FLOATS],))
        N = carray(ints, (header[L.INTS],))
        return run(F, N, stages)

    return step


@functools.cache
def address() -> int:
    """Address of the compiled function, compiled on the first call and cached on disk."""
    return compiled().address


@functools.cache
def compiled():
    """The ``cfunc``, for the life of the process."""
    return c_entry(make, SIGNATURE, "mlcp", "contact")


@functools.cache
def step():
    """Function for calls from Python: ``step(F.ctypes.data, N.ctypes.data, stages)``."""
    return PROTOTYPE(address())
