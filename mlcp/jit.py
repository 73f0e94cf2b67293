"""Compilation of all kernels of the project.

Two main decorators. ``kernel`` compiles a scalar function that other kernels call; it is not cached by
itself. ``entry_point`` compiles the few functions that Python calls; these are cached on disk.

The cache key has a hash of all kernel sources in an entry point's reach, so any edit of a kernel causes
a compilation: Numba's ``cache=True`` checks only the file of the function itself, and after an edit in
a kernel *called* from another file the old machine code would run. The hash is computed when the cache
is first read; at import it would take half of the import's time. If Numba's own cache is used, the hash
is part of its file names. Kernels live in ``kernels`` folders and ``kernels.py`` files and import
of the project only each other, ``jit`` and ``compiled`` (checked by a test), whose code is hashed too:
edits of other files cause no compilation. Comments and docstrings are not in the hash.
``compiled.backend`` chooses the compiler. Lanes are numbers of several vehicles side by side in one SIMD
register.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import importlib.util
import os
import re
import shutil
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from numba import cfunc, config, njit, typeof, types

from .compiled.backend import COMPILER, QUICK, compiling
from .compiled.bundles import Bundle
from .compiled.code_cache import CFunc, CodeCache
from .compiled.compile_count import counting_compiles
from .compiled.failures import raising
from .compiled.lanes import Lane
from .compiled.machine_code import CALLED
from .compiled.machine_code import call as call
from .compiled.machine_code import clock as clock
from .compiled.records import Record, Records
from .compiled.workspace import WorkArray

# "numpy" error model: a division by zero gives inf, as in compiled C, so inner loops need no check.
# No fastmath: NaN must stay visible, and the results must equal those of plain Python bit for bit.
# No run-time library: kernels allocate nothing, so arrays need no reference counts.
_OPTIONS = {"error_model": "numpy", "_nrt": False}
_ENTRY: dict[str, Any] = {"pipeline_class": QUICK.EntryCompiler} if QUICK else {}
# NUMBA_DISABLE_JIT=1: kernels are plain Python.
SWITCHED_OFF: bool = vars(config)["DISABLE_JIT"]


def _without_literals(dispatcher: Any) -> Any:
    """Make a dispatcher ignore literal types: Numba would compile once more for each literal number."""
    compiled_for = dispatcher.get_call_template

    def get_call_template(arguments: Any, named: dict[str, Any]) -> Any:
        return compiled_for(
            [types.unliteral(kind) for kind in arguments],
            {name: types.unliteral(kind) for name, kind in named.items()},
        )

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _complete(function: Callable[..., Any], **options: Any) -> Any:
    """Make Numba's dispatcher of a function that is compiled to machine code by itself."""
    made: Any = njit(**_ENTRY, **options)(function)
    if not SWITCHED_OFF:
        made.compile = compiling()(made.compile)
    return made


class Kernel:
    """Function called by other kernels; ``py_func`` is the plain Python function.

    Inside compiled code it is an ordinary Numba function, but without the wrappers for calls from
    Python and C: they would take a fifth of the first run's compile time. For a call from Python (in
    tests) a second version with wrappers is compiled.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.options = _OPTIONS | options

    @functools.cached_property
    def inner(self) -> Any:
        """Numba's function for calls from other kernels, made at the first use of the kernel."""
        inner = {"pipeline_class": QUICK.KernelCompiler} if QUICK else {}
        inside: Any = dict(no_cpython_wrapper=True, no_cfunc_wrapper=True, **inner, **self.options)
        return _without_literals(njit(**inside)(self.py_func))

    @property
    def _numba_type_(self) -> Any:
        return self.inner._numba_type_

    @property
    def signatures(self) -> Any:
        """Numba's signatures for which the kernel has been compiled so far."""
        return self.outer.signatures + self.inner.signatures

    @functools.cached_property
    def outer(self) -> Any:
        """Numba's function for calls from Python."""
        return _complete(self.py_func, **self.options)

    def __call__(self, *arguments: Any) -> Any:
        # Python's records have no Numba type: with them the plain Python function runs
        if any(isinstance(argument, Bundle | Record | Records | WorkArray) for argument in arguments):
            return self.py_func(*arguments)
        return self.outer(*arguments)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function called by other kernels; its ``py_func`` is the plain Python function."""
    return Kernel(function) if not SWITCHED_OFF else _plain(function)


def _has_lanes(kind: Any) -> bool:
    """True for Numba's type of a lane, of an array of lanes, or of a tuple that has lanes."""
    several = getattr(kind, "types", (kind, getattr(kind, "dtype", None)))
    return any(isinstance(part, Lane) for part in several)


def either(one: Any, lanes: Any) -> Any:
    """Make a kernel that is ``lanes`` if an argument has lanes, and else ``one``."""
    if SWITCHED_OFF:
        return one
    return choosing(one, lambda arguments: lanes if any(map(_has_lanes, arguments)) else one)


def choosing(one: Any, chosen_for: Callable[[Any], Any]) -> Any:
    """Make a kernel that is ``chosen_for(types of its arguments)``; calls from Python use ``one``."""
    found = Kernel(one.py_func)
    inner: Any = found.inner

    def get_call_template(arguments: Any, named: dict[str, Any]) -> Any:
        chosen = chosen_for([types.unliteral(kind) for kind in arguments]).inner
        template = chosen.get_call_template(arguments, named)
        inner.overloads.update(chosen.overloads)
        return template

    inner.get_call_template = get_call_template
    return found


def _plain(function: Callable[..., Any]) -> Any:
    """Return the function with itself as attribute ``py_func``: compilation is switched off."""
    function.py_func = function  # type: ignore[attr-defined]
    return function


def summing(function: Callable[..., Any]) -> Any:
    """Compile a kernel with sums in any order, so that several terms are added at once (SIMD).

    This is the only use of fastmath: last digits may differ from those of plain Python, and between the
    two compilers; NaN stays visible.
    """
    return Kernel(function, fastmath={"reassoc"}) if not SWITCHED_OFF else _plain(function)


def part(function: Callable[..., Any]) -> Any:
    """Compile a function with a single caller into that caller.

    Numba optimises and emits a kernel once for itself and once more in every caller up to the entry
    point; a part is emitted only inside its caller, which shortens the first run's compile time.
    """
    return njit(inline="always", **_OPTIONS)(function) if not SWITCHED_OFF else _plain(function)


def is_kernel_source(path: Path) -> bool:
    """True if the file, given relative to its package, may contain kernels."""
    folders = {"kernels", "compiled"}.intersection(path.parent.parts)
    return path.name in ("jit.py", "kernels.py") or bool(folders)


# A docstring: a text in three quotes at the start of a line. A comment: a # and the text after it, if
# this has no quotes. An overlooked comment can only cause a superfluous compilation, not prevent one.
_DOCSTRING = re.compile(r'^[ \t]*(?:r|f)?"""(?:[^"\\]|\\.|"(?!""))*"""[ \t]*\n', re.MULTILINE)
_COMMENT = re.compile(r"""[ \t]*#[^"'\n]*$""", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*(?=\n)")


def code_of(source: str) -> str:
    """Text of a Python file without docstrings, comments and blank lines."""
    return _BLANK.sub("", "\n" + _COMMENT.sub("", _DOCSTRING.sub("", source)))


@functools.cache
def source_hash(*packages: str) -> str:
    """SHA-256 of the compiler's name and the code of the packages' kernels, in a fixed order."""
    return hashlib.sha256(" ".join([COMPILER, *map(_package_hash, packages)]).encode()).hexdigest()


@functools.cache
def _package_hash(package: str) -> str:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"package {package!r} is not importable, cannot hash it")
    digest = hashlib.sha256()
    for folder in spec.submodule_search_locations:
        for path in sorted(Path(folder).rglob("*.py")):
            if not is_kernel_source(path.relative_to(folder)):
                continue
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(code_of(path.read_text(encoding="utf-8")).encode())
    return digest.hexdigest()


def entry_point(*packages: str, nogil: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Decorator that compiles a function for calls from Python, cached on disk until any kernel changes.

    Arguments:
        packages: top-level packages of all kernels in the function's reach. With more than mlcp the
            function may call lazily compiled kernels (``compiled.lazy``) and raises errors of their
            compilation.
        nogil: True to let other threads run Python while the function runs.

    Use::

        @entry_point("mlcp")
        def run_solve(A, b):
            ...
    """

    def decorate(function: Callable[..., Any]) -> Any:
        # Machine code is stored by a name with the function's position in the source. A closure made at
        # one position for several kinds of contacts needs the kind, an integer in a cell, in its name.
        kinds = [cell.cell_contents for cell in function.__closure__ or ()]
        function.__qualname__ += "".join(f"_{kind:d}" for kind in kinds if isinstance(kind, int))
        made = cached(function, packages, nogil=nogil)
        return made if SWITCHED_OFF or set(packages) <= {"mlcp"} else raising(made)

    return decorate


def cached(
    function: Callable[..., Any], packages: Sequence[str], nogil: bool = False, wrapped: bool = True
) -> Any:
    """Numba's dispatcher of a function, cached on disk; without ``wrapped`` Python cannot call it."""
    options: dict[str, Any] = {"nogil": nogil, "no_cpython_wrapper": not wrapped}
    _name_by_sources(function, packages)
    made = _complete(function, **_OPTIONS, **options)
    if SWITCHED_OFF:
        return made
    made._compile_for_args = counting_compiles(made._compile_for_args)
    try:
        if CodeCache is None:
            made.enable_caching()
        else:
            made._cache = CodeCache(made.py_func, functools.partial(source_hash, *packages))
    except RuntimeError:  # Numba finds no folder that can be written
        warnings.warn(
            "compiled code cannot be kept: neither the installation nor the home directory can be "
            "written, so every process compiles anew; set NUMBA_CACHE_DIR to a folder of your own",
            stacklevel=3,
        )
    return made


def _name_by_sources(function: Callable[..., Any], packages: Sequence[str]) -> None:
    """Add the hash of the kernels to a function's name, the file name in Numba's own cache."""
    if CodeCache is None:
        function.__qualname__ += f"_{source_hash(*packages)}"


class CEntry:
    """Function that C can call, compiled at the first use and cached as an entry point.

    Arguments:
        signature: Numba's signature; numbers are 64-bit integers, pointers ``types.CPointer``.
        packages: top-level packages of all kernels in the function's reach.
    """

    def __init__(self, function: Callable[..., Any], signature: Any, packages: Sequence[str]) -> None:
        self.function, self.signature, self.packages = function, signature, packages

    @functools.cached_property
    def compiled(self) -> Any:
        """Numba's compiled C function."""
        function = self.function
        options: dict[str, Any] = {"error_model": "numpy"}
        _name_by_sources(function, self.packages)
        if CodeCache is None:
            with contextlib.suppress(RuntimeError):  # Numba finds no folder that can be written
                return cfunc(self.signature, cache=True, **options)(function)
            return cfunc(self.signature, **options)(function)
        kinds = self.signature.args, self.signature.return_type
        made: Any = CFunc(function, kinds, locals={}, options=options, **_ENTRY)
        with contextlib.suppress(RuntimeError):
            made._cache = CodeCache(function, functools.partial(source_hash, *self.packages))
        with compiling():
            made.compile()
        return made

    @property
    def address(self) -> int:
        """Address of the function, for C."""
        return self.compiled.address

    @functools.cached_property
    def python(self) -> Any:
        """The function for Python, with addresses in place of pointers."""
        kinds = self.signature.args
        ctypes_of = [ctypes.c_void_p if isinstance(k, types.CPointer) else ctypes.c_int64 for k in kinds]
        return ctypes.CFUNCTYPE(ctypes.c_int64, *ctypes_of)(self.address)


def c_entry(signature: Any, *packages: str) -> Callable[[Callable[..., Any]], CEntry]:
    """Decorator that makes a :class:`CEntry`, for hosts in C."""
    return lambda function: CEntry(function, signature, packages)


def address(entry: Any, *kinds: Any) -> int:
    """Compile or load an entry point for some argument types; return its address for compiled code.

    So a program can be compiled in parts, each cached by itself; :func:`call` calls an address.
    """
    if SWITCHED_OFF:
        CALLED.append(entry)
        return len(CALLED)
    entry = _dispatcher(entry)
    entry.compile(kinds)
    compiled = entry.overloads[kinds]
    name = compiled.fndesc.llvm_cfunc_wrapper_name
    return compiled.library.get_pointer_to_function(name)


def _dispatcher(entry: Any) -> Any:
    """Numba's dispatcher of an entry point."""
    return getattr(entry, "dispatcher", entry)


def typed(entry: Any, *examples: Any) -> Any:
    """Compile or load an entry point for arguments of the examples' types; return the compiled function.

    The function takes only these types, unchecked: Numba's look-up of types costs half a microsecond.
    """
    if SWITCHED_OFF:
        return entry
    kinds = tuple(map(typeof, examples))
    counting_compiles(entry.compile)(kinds)
    return entry.overloads[kinds].entry_point


def is_cached(entry: Any, *kinds: Any) -> bool:
    """True if an entry point's machine code for some argument types is on disk."""
    if SWITCHED_OFF:
        return True
    entry = _dispatcher(entry)
    cache = entry._cache
    return (
        CodeCache is not None
        and isinstance(cache, CodeCache)
        and cache.has_code(kinds, entry.targetctx.codegen())
    )


def can_keep(entry: Any) -> bool:
    """True if an entry point's machine code can be kept on disk for other processes: the folder is
    writable and has 64 MiB of room."""
    cache: Any = getattr(_dispatcher(entry), "_cache", None)
    if CodeCache is None or not isinstance(cache, CodeCache):
        return False
    folder = cache.cache_path
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    try:
        return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= 64 * 2**20
    except OSError:
        return False
