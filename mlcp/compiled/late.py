"""Kernels apart: compiled when compiled code first calls them, and kept on disk on their own.

What a step rarely needs would be compiled into every entry point that can reach it. A kernel made
``late`` is a unit of its own instead: its callers hold a place in memory, empty until the first of
them comes by; that one has the unit compiled, or read from disk, and finds its address there ever after.

So the types of its arguments are declared, since nobody is there to infer them. Called with others
(lanes, a host's read-only arrays) it is an ordinary kernel, compiled into its caller.

Compiled code cannot be left half-way. If the unit cannot be compiled it goes on with zeros for what the
unit returns, and Python raises :class:`NotCompiled` as soon as it is back at its own code; so it does
with a Ctrl-C pressed meanwhile, after the unit was compiled.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
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
_LONG = ir.IntType(8 * ctypes.sizeof(ctypes.c_long))
_FAILED = 1  # no address
UNITS: dict[str, Late] = {}  # by name
_PLACES: dict[int, Late] = {}  # by the place of their addresses


class NotCompiled(RuntimeError):
    """A kernel that a run needs could not be compiled; what it was about to compute means nothing."""


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
        self._lock, self.failed = threading.Lock(), False
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


_promised: dict[int, BaseException] = {}  # by thread


class _Promised(BaseException):
    """What is raised in a thread once it is back at its own code; it becomes what was promised."""

    def __new__(cls) -> BaseException:  # type: ignore[misc]
        for unit in UNITS.values():
            unit.failed = False  # the next call may try again
        return _promised.pop(threading.get_ident(), None) or KeyboardInterrupt()


@contextlib.contextmanager
def _without_interruption(thread: int) -> Iterator[None]:
    """Whatever Ctrl-C does is done at the end; what it raises is promised to the thread."""
    before, heard = signal.getsignal(signal.SIGINT), []
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        try:
            before(signal.SIGINT, heard[0])
        except BaseException as error:  # most often KeyboardInterrupt
            _promised.setdefault(thread, error)


def _ask(where: int, times: int, answer: int) -> None:
    """Called by compiled code, again if it is cut short, as by a Ctrl-C, and so writes no answer."""
    unit, thread = _PLACES[where], threading.get_ident()
    if times:
        _promised.setdefault(thread, KeyboardInterrupt())
    with _without_interruption(thread):
        try:
            found = unit.find() if not unit.failed else _FAILED
        except Exception as error:
            if isinstance(threading.current_thread(), threading._DummyThread):
                traceback.print_exc()  # a thread of another program: nobody would hear
                os._exit(70)
            found, unit.failed = _FAILED, True
            refused = NotCompiled(
                f"{unit.name}, a kernel that few runs need, could not be compiled ({_words(error)}); "
                "what was being computed means nothing"
            )
            refused.__cause__ = error
            _promised.setdefault(thread, refused)
    told = (ctypes.c_void_p * 2).from_address(answer)  # the promise first: the address ends the asking
    told[1] = id(_Promised) if thread in _promised else None
    told[0] = found


def _words(error: Exception) -> str:
    """The kind of an error and the first line of what it says, in one line."""
    says = str(error).strip().splitlines()
    return f"{type(error).__name__}: {says[0]}" if says else type(error).__name__


_ASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p)(_ask)


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
    """Load the address; if there is none, ask for it; call it, or return zeros."""
    place = cgutils.add_global_variable(builder.module, ir.ArrayType(_POINTER, 2), symbol)
    start = builder.gep(place, [ir.IntType(32)(0)] * 2, inbounds=True)
    null = ir.Constant(_POINTER, None)
    given = [context.get_value_type(kind) for kind in signature.args]
    answer = context.get_value_type(signature.return_type)
    before, known = builder.block, builder.load(start)
    asks, goes, done = (builder.append_basic_block(f"late.{name}") for name in ("asks", "goes", "done"))
    builder.cbranch(builder.icmp_unsigned("==", known, null), asks, goes).set_weights([1, 99])
    builder.position_at_end(asks)
    found = builder.call(_asking(builder.module), [start])
    builder.cbranch(builder.icmp_unsigned("==", found, null), done, goes)
    builder.position_at_end(goes)
    where = builder.phi(_POINTER)
    where.add_incoming(known, before)
    where.add_incoming(found, asks)
    kind = ir.FunctionType(answer, given)
    told = builder.call(builder.bitcast(where, kind.as_pointer()), arguments)
    builder.branch(done)
    builder.position_at_end(done)
    result = builder.phi(answer)
    result.add_incoming(told, goes)
    result.add_incoming(ir.Constant(answer, None), asks)
    return result


def _asking(module: Any) -> Any:
    """A function ``address(place)``, null if there is none, that also has the promise kept."""
    name = "wheelground.ask"
    if name in module.globals:
        return module.globals[name]
    int32, null = ir.IntType(32), ir.Constant(_POINTER, None)
    made = ir.Function(module, ir.FunctionType(_POINTER, [_POINTER.as_pointer()]), name)
    made.linkage = "linkonce_odr"
    made.attributes.add("noinline")
    begins, asks, tells, raises, ends = (
        made.append_basic_block(each) for each in ("begins", "asks", "tells", "raises", "ends")
    )
    builder, place = ir.IRBuilder(begins), made.args[0]

    def python(function: str, *given: Any, returns: Any = int32) -> Any:
        kind = ir.FunctionType(returns, [one.type for one in given])
        return builder.call(cgutils.get_or_insert_function(module, kind, function), given)

    def raise_later(what: Any) -> None:
        python("PyThreadState_SetAsyncExc", python("PyThread_get_thread_ident", returns=_LONG), what)

    def held(then: Any) -> None:
        """With Python's lock."""
        state = python("PyGILState_Ensure")
        then()
        python("PyGILState_Release", state, returns=ir.VoidType())

    answer = builder.alloca(_POINTER, size=2)
    builder.store(null, answer)
    held(lambda: raise_later(null))  # else it would be raised, and lost, in who is asked
    ask = builder.load(builder.gep(place, [int32(1)]))
    kind = ir.FunctionType(ir.VoidType(), [place.type, _LONG, answer.type])
    ask = builder.bitcast(ask, kind.as_pointer())
    builder.branch(asks)
    builder.position_at_end(asks)
    times = builder.phi(_LONG)
    builder.call(ask, [place, times, answer])
    found = builder.load(answer)
    times.add_incoming(_LONG(0), begins)
    times.add_incoming(builder.add(times, _LONG(1)), asks)
    builder.cbranch(builder.icmp_unsigned("==", found, null), asks, tells)
    builder.position_at_end(tells)
    promise = builder.load(builder.gep(answer, [int32(1)]))
    builder.cbranch(builder.icmp_unsigned("==", promise, null), ends, raises)
    builder.position_at_end(raises)
    held(lambda: raise_later(promise))
    builder.branch(ends)
    builder.position_at_end(ends)
    failed = builder.icmp_unsigned(
        "==", builder.ptrtoint(found, ir.IntType(64)), ir.IntType(64)(_FAILED)
    )
    builder.ret(builder.select(failed, null, found))
    return made
