"""How every compiled kernel of the project is made.

Two decorators. ``kernel`` compiles a scalar function that other kernels call; it is not cached by
itself. ``entry_point`` compiles the few functions that Python calls; these are cached on disk.

Why the hash: Numba's ``cache=True`` watches only the file of the function itself, so an edit in
a kernel *called* from another file would be answered with the old machine code. An entry point is
therefore a closure over a hash of every kernel source that it can reach; the hash is part of Numba's
cache key, and any edit of a kernel recompiles. Kernels live in ``kernels`` folders and ``kernels.py``
files and import nothing of the project from elsewhere (a test looks), so the rest can be edited freely.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import config, njit

# "numpy" error model: a division by zero gives inf instead of raising, as in compiled C, and the
# check leaves the inner loops. No fastmath: NaN must stay visible, and Python must agree bit for
# bit.
_OPTIONS = {"error_model": "numpy"}


class Kernel:
    """A function that other kernels call; ``py_func`` is the plain Python.

    Inside compiled code it is an ordinary Numba function, but without the wrappers that let Python
    and C call it: they would be a fifth of the cold start. When Python does call it (tests do), a
    second, wrapped version is compiled for that.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.inner = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)

    @property
    def _numba_type_(self) -> Any:
        return self.inner._numba_type_

    @property
    def signatures(self) -> Any:
        """Signatures compiled so far."""
        return self.outer.signatures + self.inner.signatures

    @functools.cached_property
    def outer(self) -> Any:
        """The version that Python calls."""
        return njit(**_OPTIONS)(self.py_func)

    def __call__(self, *arguments: Any) -> Any:
        return self.outer(*arguments)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call. ``kernel.py_func`` is the plain Python."""
    return Kernel(function) if not config.DISABLE_JIT else njit(function)


def part(function: Callable[..., Any]) -> Any:
    """Compile a function that has one caller, into that caller.

    Numba optimises and emits a kernel once for itself and once more in every caller up to the
    entry point; a part is only ever emitted inside its caller, which keeps the cold start short.
    """
    return njit(inline="always", **_OPTIONS)(function)


def is_kernel_source(path: Path) -> bool:
    """Whether compiled code can come from this file, given relative to its package."""
    return "kernels" in path.with_suffix("").parts or path.name == "jit.py"


@functools.cache
def source_hash(*packages: str) -> str:
    """SHA-256 over the kernel sources of the named top-level packages, in a fixed order."""
    digest = hashlib.sha256()
    for package in packages:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise ModuleNotFoundError(f"package {package!r} is not importable, cannot hash it")
        for folder in spec.submodule_search_locations:
            for path in sorted(Path(folder).rglob("*.py")):
                if not is_kernel_source(path.relative_to(folder)):
                    continue
                digest.update(path.relative_to(folder).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def entry_point(*packages: str) -> Callable[[Callable[[str], Callable[..., Any]]], Any]:
    """Compile what ``make(source_hash)`` returns, cached on disk until any kernel changes.

    Arguments:
        packages: the top-level packages whose kernels the function can reach.

    Use::

        @entry_point("mlcp")
        def solve_entry(source_hash):
            def solve_entry(A, b):
                source_hash  # enters Numba's cache key
                ...
            return solve_entry
    """

    def decorate(make: Callable[[str], Callable[..., Any]]) -> Any:
        return njit(cache=True, **_OPTIONS)(make(source_hash(*packages)))

    return decorate
