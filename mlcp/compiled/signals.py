"""Delay of signals during code that must not be interrupted."""

from __future__ import annotations

import importlib.util
import signal
import threading
from collections.abc import Callable
from typing import Any

NAMES = ("SIGINT", "SIGTERM", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGHUP", "SIGUSR1", "SIGUSR2")
NUMBERS: tuple[int, ...] = tuple(int(getattr(signal, n)) for n in NAMES if hasattr(signal, n))
# CPython's own functions, without the enumerations around them, which take ten times as long
_quick: Any = importlib.import_module("_signal" if importlib.util.find_spec("_signal") else "signal")


class held_back:
    """Delay Python's signal handlers, such as KeyboardInterrupt on Ctrl-C, to the end of the block.

    The handlers' first exception is raised then. No effect outside the main thread, where Python
    handles no signals.
    """

    def __init__(self) -> None:
        self._handlers: list[tuple[int, Callable[..., Any]]] = []
        self._heard: list[tuple[int, Any]] = []

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in NUMBERS:
            handler = _quick.getsignal(number)
            if callable(handler):
                self._handlers.append((number, handler))
                _quick.signal(number, self._hear)

    def _hear(self, number: int, frame: Any) -> None:
        self._heard.append((number, frame))

    def __exit__(self, *error: object) -> None:
        for number, handler in self._handlers:
            _quick.signal(number, handler)
        if self._heard:
            self._handle()

    def _handle(self) -> None:
        """Call the handler of every delayed signal."""
        handlers, raised = dict(self._handlers), None
        for number, frame in self._heard:
            try:
                handlers[number](number, frame)
            except BaseException as error:
                raised = raised or error
        if raised is not None:
            raise raised
