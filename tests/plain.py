"""Compiled functions as plain Python, with all compiled functions that they call."""

from functools import cache
from types import FunctionType


@cache
def plain(kernel):
    """The Python function of a kernel (a function compiled by Numba); its callees are uncompiled too."""
    python = kernel.py_func
    space = dict(python.__globals__)
    found = FunctionType(python.__code__, space, python.__name__, python.__defaults__)
    for name in python.__code__.co_names:
        callee = getattr(space.get(name), "py_func", None)
        if callee and not callee.__closure__:  # closures are entry points, which no kernel calls
            space[name] = found if callee is python else plain(space[name])
    return found
