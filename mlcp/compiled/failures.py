"""Errors and signals during compiled code, kept until Python can raise or handle them."""

from __future__ import annotations

import importlib.util
import signal
import threading
from collections.abc import Callable
from typing import Any

NAMES = ("SIGINT", "SIGTERM", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGHUP", "SIGUSR1", "SIGUSR2")
NUMBERS: tuple[int, ...] = tuple(int(getattr(signal, n)) for n in NAMES if hasattr(signal, n))
# C functions of CPython; their wrappers in ``signal`` make enumerations, which takes ten times as long
_quick: Any = importlib.import_module("_signal" if importlib.util.find_spec("_signal") else "signal")
_kept: dict[int, BaseException] = {}  # first kept error of each thread, by the thread's number


class NotCompiled(RuntimeError):
    """Failed compilation of a lazily compiled kernel; the results of the interrupted call are void."""


def keep(error: BaseException) -> None:
    """Keep an error for this thread, unless an earlier error of the thread is kept."""
    _kept.setdefault(threading.get_ident(), error)


def kept() -> BaseException | None:
    """Error kept for this thread, None if there is none."""
    return _kept.get(threading.get_ident())


def raise_kept() -> None:
    """Raise the error kept for this thread, if any."""
    if _kept:
        error = _kept.pop(threading.get_ident(), None)
        if error is not None:
            raise error


def raising(compiled: Any) -> Callable[..., Any]:
    """Wrap a compiled function so that it raises a kept error at its end.

    The wrapper's attribute ``dispatcher`` is Numba's object.
    """

    def called(*arguments: Any) -> Any:
        answer = compiled(*arguments)
        raise_kept()
        return answer

    called.__dict__.update(dispatcher=compiled, py_func=compiled.py_func)
    return called


class deferred_signals:
    """Delay Python's signal handlers, such as KeyboardInterrupt on Ctrl-C, to the end of the block.

    The handlers' first exception is raised then. No effect outside the main thread, where Python
    handles no signals.
    """

    def __init__(self) -> None:
        self._handlers: list[tuple[int, Callable[..., Any]]] = []
        self._received: list[tuple[int, Any]] = []

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in NUMBERS:
            handler = _quick.getsignal(number)
            if callable(handler):
                self._handlers.append((number, handler))
                _quick.signal(number, self._receive)

    def _receive(self, number: int, frame: Any) -> None:
        self._received.append((number, frame))

    def __exit__(self, *error: object) -> None:
        for number, handler in self._handlers:
            _quick.signal(number, handler)
        if self._received:
            self._handle()

    def _handle(self) -> None:
        """Call the handler of every delayed signal."""
        handlers, raised = dict(self._handlers), None
        for number, frame in self._received:
            try:
                handlers[number](number, frame)
            except BaseException as error:
                raised = raised or error
        if raised is not None:
            raise raised
