"""Errors during compiled code, kept until the entry point called from Python can raise them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

_kept: dict[int, BaseException] = {}  # by thread, the first one


class NotCompiled(RuntimeError):
    """Failed compilation of a lazily compiled kernel; the results of the interrupted call are void."""


def keep(error: BaseException) -> None:
    """Keep an error for this thread, unless it has one already."""
    _kept.setdefault(threading.get_ident(), error)


def kept() -> BaseException | None:
    """Return the error kept for this thread, None if there is none."""
    return _kept.get(threading.get_ident())


def raise_kept() -> None:
    """Raise the error kept for this thread, if any."""
    if _kept:
        error = _kept.pop(threading.get_ident(), None)
        if error is not None:
            raise error


def raising(compiled: Any) -> Callable[..., Any]:
    """Wrap a compiled function so that it raises a kept error at its end.

    Its attribute ``dispatcher`` is Numba's object.
    """

    def called(*arguments: Any) -> Any:
        answer = compiled(*arguments)
        raise_kept()
        return answer

    called.__dict__.update(dispatcher=compiled, py_func=compiled.py_func)
    return called
