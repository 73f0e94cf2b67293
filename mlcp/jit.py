"""How every compiled kernel of the project is made.

Two decorators. ``kernel`` compiles a scalar function that other kernels call; it is not cached by
itself. ``entry_point`` compiles the few functions that Python calls; these are cached on disk.

Why the hash: Numba's ``cache=True`` watches only the file of the function itself, so an edit in
a kernel *called* from another file would be answered with the old machine code. An entry point is
therefore a closure over a hash of every kernel source that it can reach; the hash is part of Numba's
cache key, and any edit of a kernel recompiles. Kernels live in ``kernels`` folders and ``kernels.py``
files and import nothing of the project from elsewhere (a test looks), so the rest can be edited freely.
Comments and docstrings are no part of the hash. Which of two ways compiles the kernels is decided in
``compiled.backend``.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import cfunc, config, njit, types

from .compiled.backend import QUICK, WAY
from .compiled.bundles import Bundle
from .compiled.code_cache import CFunc, CodeCache
from .compiled.failures import raising
from .compiled.lanes import Lane
from .compiled.machine_code import CALLED
from .compiled.machine_code import call as call
from .compiled.machine_code import clock as clock
from .compiled.noted import noting_compiles
from .compiled.records import Record, Records
from .compiled.workspace import Workspace

# "numpy" error model: a division by zero gives inf instead of raising, as in compiled C, and the
# check leaves the inner loops. No fastmath: NaN must stay visible, and Python must agree bit for
# bit. No run-time library: kernels allocate nothing, so arrays need no reference counts.
_OPTIONS = {"error_model": "numpy", "_nrt": False}
_ENTRY: dict[str, Any] = {"pipeline_class": QUICK.EntryCompiler} if QUICK else {}
# NUMBA_DISABLE_JIT=1: kernels are plain Python.
SWITCHED_OFF: bool = vars(config)["DISABLE_JIT"]


def _without_literals(dispatcher: Any) -> Any:
    """A number written in a call is a type of its own to Numba, and one more compile: not here."""
    compiled_for = dispatcher.get_call_template

    def get_call_template(arguments: Any, named: dict[str, Any]) -> Any:
        return compiled_for(
            [types.unliteral(kind) for kind in arguments],
            {name: types.unliteral(kind) for name, kind in named.items()},
        )

    dispatcher.get_call_template = get_call_template
    return dispatcher


class Kernel:
    """A function that other kernels call; ``py_func`` is the plain Python.

    Inside compiled code it is an ordinary Numba function, but without the wrappers that let Python
    and C call it: they would be a fifth of the cold start. When Python does call it (tests do), a
    second, wrapped version is compiled for that.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.options = _OPTIONS | options
        inner = {"pipeline_class": QUICK.KernelCompiler} if QUICK else {}
        inside: Any = dict(no_cpython_wrapper=True, no_cfunc_wrapper=True, **inner, **self.options)
        self.inner = _without_literals(njit(**inside)(function))

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
        return njit(**_ENTRY, **self.options)(self.py_func)

    def __call__(self, *arguments: Any) -> Any:
        # records are made inside compiled code; Python's own are for its own Python
        if any(isinstance(argument, Bundle | Record | Records | Workspace) for argument in arguments):
            return self.py_func(*arguments)
        return self.outer(*arguments)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call. ``kernel.py_func`` is the plain Python."""
    return Kernel(function) if not SWITCHED_OFF else _plain(function)


def _has_lanes(kind: Any) -> bool:
    """Whether a type is of lanes, an array or a named tuple of them."""
    several = getattr(kind, "types", (kind, getattr(kind, "dtype", None)))
    return any(isinstance(part, Lane) for part in several)


def either(one: Any, lanes: Any) -> Any:
    """A kernel that is ``one`` for numbers and ``lanes`` for lanes, whose table may be shorter."""
    if SWITCHED_OFF:
        return one
    return choosing(one, lambda arguments: lanes if any(map(_has_lanes, arguments)) else one)


def choosing(one: Any, chosen_for: Callable[[Any], Any]) -> Any:
    """A kernel that is one or another by the types of its arguments; for Python it is ``one``."""
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
    """The function itself, with compilation switched off: its own plain Python."""
    function.py_func = function  # type: ignore[attr-defined]
    return function


def summing(function: Callable[..., Any]) -> Any:
    """Compile a kernel whose sums may be taken in any order, so several terms at once (SIMD).

    The one step away from "no fastmath": last digits may differ from Python's, and from one way of
    compiling to the other; NaN stays visible.
    """
    return Kernel(function, fastmath={"reassoc"}) if not SWITCHED_OFF else _plain(function)


def part(function: Callable[..., Any]) -> Any:
    """Compile a function that has one caller, into that caller.

    Numba optimises and emits a kernel once for itself and once more in every caller up to the
    entry point; a part is only ever emitted inside its caller, which keeps the cold start short.
    """
    return njit(inline="always", **_OPTIONS)(function) if not SWITCHED_OFF else _plain(function)


def is_kernel_source(path: Path) -> bool:
    """Whether compiled code can come from this file, given relative to its package."""
    folders = {"kernels", "compiled"}.intersection(path.parent.parts)
    return path.name in ("jit.py", "kernels.py") or bool(folders)


# A docstring: a text in three quotes that a line begins with. A comment: what follows a # in a line
# without quotes. What is overlooked costs a compile too many, never one too few.
_DOCSTRING = re.compile(r'^[ \t]*(?:r|f)?"""(?:[^"\\]|\\.|"(?!""))*"""[ \t]*\n', re.MULTILINE)
_COMMENT = re.compile(r"""[ \t]*#[^"'\n]*$""", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*(?=\n)")


def code_of(source: str) -> str:
    """A Python file without docstrings, comments and blank lines."""
    return _BLANK.sub("", "\n" + _COMMENT.sub("", _DOCSTRING.sub("", source)))


@functools.cache
def source_hash(*packages: str) -> str:
    """SHA-256 over the way of compiling and the code of the packages' kernels, in a fixed order."""
    digest = hashlib.sha256(WAY.encode())
    for package in packages:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise ModuleNotFoundError(f"package {package!r} is not importable, cannot hash it")
        for folder in spec.submodule_search_locations:
            for path in sorted(Path(folder).rglob("*.py")):
                if not is_kernel_source(path.relative_to(folder)):
                    continue
                digest.update(path.relative_to(folder).as_posix().encode())
                digest.update(code_of(path.read_text(encoding="utf-8")).encode())
    return digest.hexdigest()


def entry_point(
    *packages: str, nogil: bool = False
) -> Callable[[Callable[[str], Callable[..., Any]]], Any]:
    """Compile what ``make(source_hash)`` returns, cached on disk until any kernel changes.

    Arguments:
        packages: the top-level packages whose kernels the function can reach; with another one than
            mlcp it may reach kernels apart (``compiled.late``), and raises what their compilation did.
        nogil: other threads run Python while it runs.

    Use::

        @entry_point("mlcp")
        def solve_entry(source_hash):
            def solve_entry(A, b):
                source_hash  # enters Numba's cache key
                ...
            return solve_entry
    """

    def decorate(make: Callable[[str], Callable[..., Any]]) -> Any:
        function = make(source_hash(*packages))
        # Machine code is found by name, and a name that was cached says only the place of the
        # function: two made at one place, for two kinds of contacts, must not be called the same.
        kinds = [cell.cell_contents for cell in function.__closure__ or ()]
        function.__qualname__ += "".join(f"_{kind:d}" for kind in kinds if isinstance(kind, int))
        made = cached(function, nogil=nogil)
        return made if SWITCHED_OFF or set(packages) <= {"mlcp"} else raising(made)

    return decorate


def cached(function: Callable[..., Any], nogil: bool = False, wrapped: bool = True) -> Any:
    """What Numba makes of a function that is kept on disk; not ``wrapped``, Python cannot call it."""
    options: dict[str, Any] = {"nogil": nogil, "no_cpython_wrapper": not wrapped}
    made: Any = njit(**_ENTRY, **_OPTIONS, **options)(function)
    if SWITCHED_OFF:
        return made
    made._compile_for_args = noting_compiles(made._compile_for_args)
    try:
        if CodeCache is None:
            made.enable_caching()
        else:
            made._cache = CodeCache(made.py_func)
    except RuntimeError:  # Numba found no folder that it may write
        warnings.warn(
            "compiled code cannot be kept: neither the installation nor the home directory can be "
            "written, so every process compiles anew; set NUMBA_CACHE_DIR to a folder of your own",
            stacklevel=3,
        )
    return made


def c_entry(make: Callable[[str], Callable[..., Any]], signature: Any, *packages: str) -> Any:
    """Compile what ``make(source_hash)`` returns as a plain C function; cached as an entry point is.

    Arguments:
        make: as for :func:`entry_point`.
        signature: Numba's signature of the C function; pointers are ``types.CPointer``.
        packages: the top-level packages whose kernels the function can reach.

    Returns Numba's ``cfunc``: ``address`` is where C calls it, for as long as the object lives.
    """
    function = make(source_hash(*packages))
    options: dict[str, Any] = {"error_model": "numpy"}
    if CodeCache is None:
        with contextlib.suppress(RuntimeError):  # Numba found no folder that it may write
            return cfunc(signature, cache=True, **options)(function)
        return cfunc(signature, **options)(function)
    kinds = signature.args, signature.return_type
    made: Any = CFunc(function, kinds, locals={}, options=options, **_ENTRY)
    with contextlib.suppress(RuntimeError):
        made._cache = CodeCache(function)
    made.compile()
    return made


def address(entry: Any, *kinds: Any) -> int:
    """Compile or load an entry point for some argument types; where compiled code can call it.

    So a program can be compiled in parts, each cached and reused on its own. See :func:`call`.
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
    """Numba's object of an entry point."""
    return getattr(entry, "dispatcher", entry)


def is_cached(entry: Any, *kinds: Any) -> bool:
    """Whether an entry point's machine code for some argument types is on disk."""
    if SWITCHED_OFF:
        return True
    entry = _dispatcher(entry)
    cache = entry._cache
    return (
        CodeCache is not None
        and isinstance(cache, CodeCache)
        and cache.holds(kinds, entry.targetctx.codegen())
    )


def can_keep(entry: Any) -> bool:
    """Whether what is compiled for an entry point can be kept on disk for other processes."""
    cache: Any = getattr(_dispatcher(entry), "_cache", None)
    return CodeCache is not None and isinstance(cache, CodeCache) and cache.has_room()
