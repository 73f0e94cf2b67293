"""Lazily compiled kernels: compiled at the first call from compiled code, cached on disk.

An ordinary kernel is compiled into every entry point that can reach it, even if few runs call it. A
``lazy`` kernel is compiled by itself, as a unit. Its callers share one memory cell for the unit's
address, null until the first call, which compiles the unit or reads it from disk.

The argument types of a lazy kernel are declared, since no caller is there to infer them from. Called
with other types (lanes, that is several vehicles in one SIMD register, or a simulator's read-only
arrays) it is an ordinary kernel, compiled into its caller.

The Python function that compiled code calls for an address raises nothing. A unit that cannot be
compiled returns zeros; the error, or a Ctrl-C during the compilation, is raised at the end of the entry
point called from Python (``mlcp.jit.entry_point``), or by a host after its step.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from numba import types

from ..jit import SWITCHED_OFF, Kernel, address, cached, can_keep, choosing, is_cached
from .bundles import Bundle
from .failures import NotCompiled, deferred_signals, keep, kept
from .lazy_call import FAILED, caller, name_cell
from .record_types import BundleOf, RecordType
from .records import Record
from .row_types import Row, Table
from .workspace import WorkArray
from .workspace_types import WorkOf

FLOAT, INT, BOOL = types.float64, types.int64, types.boolean
FLOATS, INTS, TABLE = Row(types.float64), Row(types.int64), Table(types.float64)

UNITS: dict[str, Lazy] = {}  # lazily compiled kernels by name
_PLACES: dict[int, Lazy] = {}  # lazily compiled kernels by the address of their ``place``


def several(kind: Any, count: int) -> Any:
    """Numba type of a tuple of ``count`` values of one kind."""
    return types.UniTuple(kind, count)


def bundle(declared: type[Bundle]) -> Any:
    """Numba type of a ``Bundle`` (named records and arrays) of float64."""
    return BundleOf(declared, types.float64)


def record(declared: type[Record]) -> Any:
    """Numba type of a ``Record`` (named numbers) of float64."""
    return RecordType(declared, types.float64)


def work(declared: type[WorkArray]) -> Any:
    """Numba type of a ``WorkArray`` (scratch with named parts) of float64."""
    return WorkOf(declared, types.float64)


def named(kind: Any, *fields: Any) -> Any:
    """Numba type of a named tuple ``kind`` whose fields have the given types."""
    same = len(set(fields)) == 1
    return types.NamedUniTuple(fields[0], len(fields), kind) if same else types.NamedTuple(fields, kind)


class Lazy:
    """Lazily compiled kernel.

    Attributes:
        name: name of the function.
        entry: the function as a compiled entry point.
        begun_elsewhere: function called with the kernel's name before the unit is compiled or read; it
            may wait until another process has compiled the kernel.
        announced: sentences printed so far; each is printed once.
    """

    announced: ClassVar[set[str]] = set()

    def __init__(self, function: Callable[..., Any], kinds: Any, packages: Sequence[str]) -> None:
        self.name, self._signature = function.__name__, kinds
        self.entry: Any = cached(function, packages, wrapped=False)
        self.begun_elsewhere: Callable[[str], object] = lambda name: None
        self._lock = threading.Lock()
        # address of the unit, 0 until it is compiled or read, and address of ``_find``
        self.place: Any = (ctypes.c_int64 * 2)(0, ctypes.cast(_FIND, ctypes.c_void_p).value or 0)
        where = ctypes.addressof(self.place)
        self.symbol = f"wheelground.{function.__module__}.{function.__qualname__}"
        UNITS[self.name] = _PLACES[where] = self
        name_cell(self.symbol, where)

    def is_kept(self) -> bool:
        """True if the unit is compiled, in memory or on disk."""
        return bool(self.place[0]) or is_cached(self.entry, *self._signature.args)

    def find(self, announce: bool = True) -> int:
        """Return the unit's address; the first call compiles or reads the unit.

        announce: True to announce a compilation on stderr, the first time.
        """
        with self._lock:
            if not self.place[0]:
                if announce and not self.is_kept():
                    often = "once per installation" if can_keep(self.entry) else "in every process"
                    sentence = f"wheelground: compiling further parts when they are needed ({often}) ..."
                    if sentence not in self.announced:
                        print(sentence, file=sys.stderr)
                    self.announced.add(sentence)
                self.begun_elsewhere(self.name)
                self.place[0] = address(self.entry, *self._signature.args)
            return self.place[0]


def _find(where: int, again: int, answer: int) -> None:
    """Write the address of a memory cell's unit to ``answer``, for compiled code.

    ``again``: 1 if Ctrl-C ended the previous call before ``deferred_signals`` began, without a result.
    """
    unit = _PLACES[where]
    try:
        with deferred_signals():
            if not isinstance(kept(), NotCompiled):
                unit.find()
    except Exception as error:
        keep(_refusal(unit, error))
    except BaseException as error:  # usually a KeyboardInterrupt, deferred until now
        keep(error)
    if again:
        keep(KeyboardInterrupt())
    ctypes.c_int64.from_address(answer).value = unit.place[0] or FAILED


def _refusal(unit: Lazy, error: Exception) -> NotCompiled:
    says = str(error).strip().splitlines()
    words = f"{type(error).__name__}: {says[0]}" if says else type(error).__name__
    refused = NotCompiled(
        f"{unit.name}, a kernel that few runs need, could not be compiled ({words}); "
        "the results of this call are void"
    )
    refused.__cause__ = error
    return refused


_FIND = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)(_find)


def lazy(kinds: Any, *packages: str) -> Callable[[Callable[..., Any]], Any]:
    """Decorator that compiles a function at its first call from compiled code.

    Arguments:
        kinds: Numba's signature of the function, made of the types above.
        packages: top-level packages of all kernels in the function's reach.

    Written above a function as :func:`mlcp.jit.entry_point` is; kernels call the result like a kernel.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        if SWITCHED_OFF:
            function.py_func = function  # type: ignore[attr-defined]
            return function
        unit, inside = Lazy(function, kinds, packages), Kernel(function)
        unit_call = Kernel(caller(function, unit.symbol, kinds))
        made = choosing(inside, lambda types: unit_call if tuple(types) == kinds.args else inside)
        made.unit = unit
        return made

    return decorate
