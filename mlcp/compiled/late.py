"""Kernels apart: compiled when compiled code first calls them, and kept on disk on their own.

What a step rarely needs would be compiled into every entry point that can reach it. A kernel made
``late`` is a unit of its own instead: its callers hold a place in memory, empty until the first of
them comes by; that one has the unit compiled, or read from disk, and finds its address there ever after.

So the types of its arguments are declared, since nobody is there to infer them. Called with others
(lanes, a host's read-only arrays) it is an ordinary kernel, compiled into its caller.
"""

from __future__ import annotations

import _thread
import ctypes
import os
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate
from numba.extending import lower_builtin

from ..jit import SWITCHED_OFF, Kernel, address, cached, can_keep, choosing, is_cached, source_hash
from .bundles import Bundle
from .record_types import BundleOf, One
from .records import Record
from .row_types import Row, Table, typed_as

FLOAT, INT, BOOL = types.float64, types.int64, types.boolean
FLOATS, INTS, TABLE = Row(types.float64), Row(types.int64), Table(types.float64)
ARRAY, MATRIX = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")

_POINTER = ir.IntType(8).as_pointer()
UNITS: dict[str, Late] = {}  # by name
_PLACES: dict[int, Late] = {}  # by the place of their addresses


def several(kind: Any, count: int) -> Any:
    """The type of as many in a tuple."""
    return types.UniTuple(kind, count)


def bundle(declared: type[Bundle]) -> Any:
    """The type of a bundle of numbers."""
    return BundleOf(declared, types.float64)


def record(declared: type[Record]) -> Any:
    """The type of a record of numbers."""
    return One(declared, types.float64)


def named(kind: Any, *fields: Any) -> Any:
    """The type of a named tuple."""
    same = len(set(fields)) == 1
    return types.NamedUniTuple(fields[0], len(fields), kind) if same else types.NamedTuple(fields, kind)


class Late:
    """A kernel apart.

    Attributes:
        name: of the function.
        entry: what is compiled, once it is.
    """

    def __init__(self, function: Callable[..., Any], kinds: Any) -> None:
        self.name, self._signature = function.__name__, kinds
        self.entry: Any = cached(function, wrapped=False)
        self._lock = threading.Lock()
        # the address, 0 until it is known, and whom to ask for it
        self.place: Any = (ctypes.c_void_p * 2)(None, ctypes.cast(_ASK, ctypes.c_void_p))
        where = ctypes.addressof(self.place)
        self.symbol = f"wheelground.{function.__module__}.{function.__qualname__}"
        UNITS[self.name] = _PLACES[where] = self
        binding.add_symbol(self.symbol, where)

    def is_kept(self) -> bool:
        """Whether it need not be compiled any more."""
        return bool(self.place[0]) or is_cached(self.entry, *self._signature.args)

    def find(self, told: bool = True) -> int:
        """Its address; compiled or read from disk when asked for the first time, which may be told."""
        with self._lock:
            if not self.place[0]:
                if told and not self.is_kept():
                    self._say()
                self.place[0] = address(self.entry, *self._signature.args)
            return self.place[0]

    def _say(self) -> None:
        often = "once per installation" if can_keep(self.entry) else "in every process"
        print(f"mlcp: compiling what few runs need, {self.name} ({often}) ...", file=sys.stderr)


def _ask(where: int) -> int:
    """Called by compiled code. An interruption waits until Python is back at its own code."""
    stopped = False
    while True:
        try:
            found = _PLACES[where].find()
            break
        except KeyboardInterrupt:
            stopped = True
        except Exception:  # the code that waits for it can neither go on nor be left
            traceback.print_exc()
            print("what a run needs could not be compiled; it ends here", file=sys.stderr, flush=True)
            os._exit(70)
    if stopped:
        threading.Timer(0.01, _thread.interrupt_main).start()
    return found


_ASK = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(_ask)


def late(kinds: Any, *packages: str) -> Callable[[Callable[[str], Callable[..., Any]]], Any]:
    """Compile what ``make(source_hash)`` returns when compiled code first calls it.

    Arguments:
        kinds: Numba's signature of the function, made of the types above.
        packages: the top-level packages whose kernels the function can reach.

    Used as :func:`mlcp.jit.entry_point`; the result is called as a kernel is.
    """

    def decorate(make: Callable[[str], Callable[..., Any]]) -> Any:
        function = make(source_hash(*packages))
        if SWITCHED_OFF:
            function.py_func = function  # type: ignore[attr-defined]
            return function
        unit, inside = Late(function, kinds), Kernel(function)
        apart = Kernel(_caller(function, unit, kinds))
        made = choosing(inside, lambda arguments: apart if tuple(arguments) == kinds.args else inside)
        made.unit = unit
        return made

    return decorate


def _caller(function: Callable[..., Any], unit: Late, kinds: Any) -> Callable[..., Any]:
    """A function with the same arguments, whose compiled code calls the unit where it lies."""

    def ask(*arguments: Any) -> Any:
        return function(*arguments)

    class _Answer(AbstractTemplate):
        key = ask

        def generic(self, args: Any, kws: Any) -> Any:
            return kinds

    typed_as(ask, types.Function(_Answer))

    @lower_builtin(ask, *kinds.args)
    def _code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _call(context, builder, signature, arguments, unit.symbol)

    names = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
    scope: dict[str, Any] = {"ask": ask}
    exec(f"def {function.__name__}({names}):\n    return ask({names})", scope)
    return scope[function.__name__]


def _call(context: Any, builder: Any, signature: Any, arguments: Any, symbol: str) -> Any:
    """Load the address; if there is none, ask for it until there is one; call it."""
    place = cgutils.add_global_variable(builder.module, ir.ArrayType(_POINTER, 2), symbol)
    first, second = (
        builder.gep(place, [ir.IntType(32)(0), ir.IntType(32)(k)], inbounds=True) for k in (0, 1)
    )
    before = builder.block
    known = builder.load(first)
    asks, goes = builder.append_basic_block("late.asks"), builder.append_basic_block("late.goes")
    branch = builder.cbranch(builder.icmp_unsigned("==", known, ir.Constant(_POINTER, None)), asks, goes)
    branch.set_weights([1, 99])
    builder.position_at_end(asks)
    ask = builder.bitcast(builder.load(second), ir.FunctionType(_POINTER, [_POINTER]).as_pointer())
    found = builder.call(ask, [builder.bitcast(place, _POINTER)])
    again = builder.icmp_unsigned("==", found, ir.Constant(_POINTER, None))
    builder.cbranch(again, asks, goes)
    builder.position_at_end(goes)
    where = builder.phi(_POINTER)
    where.add_incoming(known, before)
    where.add_incoming(found, asks)
    given = [context.get_value_type(kind) for kind in signature.args]
    kind = ir.FunctionType(context.get_value_type(signature.return_type), given)
    return builder.call(builder.bitcast(where, kind.as_pointer()), arguments)
