"""Lazily compiled kernels: compiled at the first call from compiled code, cached on disk.

Kernels rarely needed in a step would be compiled into every entry point that can reach them. A ``late``
kernel is a unit of its own instead: its callers share a memory cell for its address, null until the
first call, which compiles the unit or reads it from disk; later calls find the address there.

So the types of its arguments are declared; they cannot be inferred from a caller. Called with arguments
of other types (lanes, that is several vehicles in one SIMD register, or a host's read-only arrays) it is
an ordinary kernel, compiled into its caller.

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

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from ..jit import SWITCHED_OFF, Kernel, address, cached, can_keep, choosing, closed, is_cached
from .bundles import Bundle
from .failures import NotCompiled, keep, kept
from .record_types import BundleOf, One
from .records import Record
from .row_types import Row, Table
from .signals import held_back

FLOAT, INT, BOOL = types.float64, types.int64, types.boolean
FLOATS, INTS, TABLE = Row(types.float64), Row(types.int64), Table(types.float64)
ARRAY, MATRIX = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")

_WORD = ir.IntType(64)
_FAILED = 1  # in place of an address: compilation failed
UNITS: dict[str, Late] = {}  # by name
_PLACES: dict[int, Late] = {}  # by the memory cell of their address


def several(kind: Any, count: int) -> Any:
    """Type of a tuple of ``count`` values of one kind."""
    return types.UniTuple(kind, count)


def bundle(declared: type[Bundle]) -> Any:
    """Type of a bundle of float64."""
    return BundleOf(declared, types.float64)


def record(declared: type[Record]) -> Any:
    """Type of a record of float64."""
    return One(declared, types.float64)


def named(kind: Any, *fields: Any) -> Any:
    """Type of a named tuple."""
    same = len(set(fields)) == 1
    return types.NamedUniTuple(fields[0], len(fields), kind) if same else types.NamedTuple(fields, kind)


class Late:
    """Lazily compiled kernel.

    Attributes:
        name: name of the function.
        entry: the function as a compiled entry point.
        begun_elsewhere: called with the name before a compilation, to wait for one that another process
            has begun.
        announced: sentences printed so far; each is printed once.
    """

    announced: ClassVar[set[str]] = set()

    def __init__(self, function: Callable[..., Any], kinds: Any, packages: Sequence[str]) -> None:
        self.name, self._signature = function.__name__, kinds
        self.entry: Any = cached(function, packages, wrapped=False)
        self.begun_elsewhere: Callable[[str], object] = lambda name: None
        self._lock = threading.Lock()
        # the unit's address, 0 until compiled, and the function that finds it
        self.place: Any = (ctypes.c_int64 * 2)(0, ctypes.cast(_FIND, ctypes.c_void_p).value or 0)
        where = ctypes.addressof(self.place)
        self.symbol = f"wheelground.{function.__module__}.{function.__qualname__}"
        UNITS[self.name] = _PLACES[where] = self
        binding.add_symbol(self.symbol, where)

    def is_kept(self) -> bool:
        """True if the unit is compiled, in memory or on disk."""
        return bool(self.place[0]) or is_cached(self.entry, *self._signature.args)

    def find(self, told: bool = True) -> int:
        """Return the unit's address; the first call compiles or reads the unit.

        told: True to announce a compilation on stderr, the first time.
        """
        with self._lock:
            if not self.place[0]:
                if told and not self.is_kept():
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

    ``again``: Ctrl-C interrupted the first call before ``held_back``, so that it has no result.
    """
    unit = _PLACES[where]
    try:
        with held_back():
            if not isinstance(kept(), NotCompiled):
                unit.find()
    except Exception as error:
        keep(_refusal(unit, error))
    except BaseException as error:  # most often KeyboardInterrupt, after the unit was compiled
        keep(error)
    if again:
        keep(KeyboardInterrupt())
    ctypes.c_int64.from_address(answer).value = unit.place[0] or _FAILED


def _refusal(unit: Late, error: Exception) -> NotCompiled:
    says = str(error).strip().splitlines()
    words = f"{type(error).__name__}: {says[0]}" if says else type(error).__name__
    refused = NotCompiled(
        f"{unit.name}, a kernel that few runs need, could not be compiled ({words}); "
        "what was being computed means nothing"
    )
    refused.__cause__ = error
    return refused


_FIND = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)(_find)


def late(kinds: Any, *packages: str) -> Callable[[Callable[[str], Callable[..., Any]]], Any]:
    """Compile the function returned by ``make(source_hash)`` at its first call from compiled code.

    Arguments:
        kinds: Numba's signature of the function, made of the types above.
        packages: top-level packages of all kernels in the function's reach.

    Used as :func:`mlcp.jit.entry_point`; the result is called as a kernel is.
    """

    def decorate(make: Callable[[str], Callable[..., Any]]) -> Any:
        function = closed(make, packages)
        if SWITCHED_OFF:
            function.py_func = function  # type: ignore[attr-defined]
            return function
        unit, inside = Late(function, kinds, packages), Kernel(function)
        apart = Kernel(_caller(function, unit, kinds))
        made = choosing(inside, lambda arguments: apart if tuple(arguments) == kinds.args else inside)
        made.unit = unit
        return made

    return decorate


def _caller(function: Callable[..., Any], unit: Late, kinds: Any) -> Callable[..., Any]:
    """Function with the same arguments; compiled, it calls the unit at its address."""

    names = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
    scope: dict[str, Any] = {"function": function, "answer": kinds.return_type}
    exec(
        f"def ask({names}):\n    return function({names})\n"
        f"def typer({names}):\n    return answer\n"
        f"def {function.__name__}({names}):\n    return ask({names})",
        scope,
    )
    ask = scope["ask"]
    type_callable(ask)(lambda context: scope["typer"])

    @lower_builtin(ask, *kinds.args)
    def _code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _call(context, builder, signature, arguments, unit.symbol)

    return scope[function.__name__]


def _call(context: Any, builder: Any, signature: Any, arguments: Any, symbol: str) -> Any:
    """Emit the call of the unit at the address in its memory cell or from ``_find``; else zeros."""
    place = cgutils.add_global_variable(builder.module, ir.ArrayType(_WORD, 2), symbol)
    start = builder.gep(place, [ir.IntType(32)(0)] * 2, inbounds=True)
    where = cgutils.alloca_once(builder, _WORD)
    builder.store(builder.load(start), where)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned("==", builder.load(where), _WORD(0))):
        builder.store(builder.call(_finding(builder.module), [start]), where)
    answer = context.get_value_type(signature.return_type)
    kind = ir.FunctionType(answer, [context.get_value_type(kind) for kind in signature.args])
    result = cgutils.alloca_once_value(builder, ir.Constant(answer, None))
    found = builder.load(where)
    with cgutils.if_likely(builder, builder.icmp_unsigned("!=", found, _WORD(_FAILED))):
        told = builder.call(builder.inttoptr(found, kind.as_pointer()), arguments)
        builder.store(told, result)
    return builder.load(result)


def _finding(module: Any) -> Any:
    """LLVM function ``address(place)``, which calls ``_find``, again after an interrupted call."""
    name = "wheelground.find"
    if name in module.globals:
        return module.globals[name]
    made = ir.Function(module, ir.FunctionType(_WORD, [_WORD.as_pointer()]), name)
    made.linkage = "linkonce_odr"
    made.attributes.add("noinline")
    builder, place = ir.IRBuilder(made.append_basic_block("begins")), made.args[0]
    asks, ends = (made.append_basic_block(block) for block in ("asks", "ends"))
    kind = ir.FunctionType(ir.VoidType(), [place.type, _WORD, place.type])
    ask = builder.load(builder.gep(place, [ir.IntType(32)(1)]))
    ask, answer = builder.inttoptr(ask, kind.as_pointer()), builder.alloca(_WORD)
    builder.store(_WORD(0), answer)
    builder.branch(asks)
    builder.position_at_end(asks)
    again = builder.phi(_WORD)
    builder.call(ask, [place, again, answer])
    found = builder.load(answer)
    again.add_incoming(_WORD(0), made.entry_basic_block)
    again.add_incoming(_WORD(1), asks)
    builder.cbranch(builder.icmp_unsigned("==", found, _WORD(0)), asks, ends)
    builder.position_at_end(ends)
    builder.ret(found)
    return made
