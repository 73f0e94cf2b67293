"""Kernels as plain Python, with all kernels that they call."""

from functools import cache
from types import FunctionType


@cache
def plain(kernel):
    """The kernel as plain Python, with plain Python callees."""
    python = kernel.py_func
    space = dict(python.__globals__)
    found = FunctionType(python.__code__, space, python.__name__, python.__defaults__)
    for name in python.__code__.co_names:
        callee = getattr(space.get(name), "py_func", None)
        if callee and not callee.__closure__:  # entry points are closures, and called by no kernel
            space[name] = found if callee is python else plain(space[name])
    return found
