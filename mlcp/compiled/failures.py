"""What went wrong while compiled code ran, kept for the entry point that Python has called."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

_kept: dict[int, BaseException] = {}  # by thread, the first one


class NotCompiled(RuntimeError):
    """A kernel that a run needs could not be compiled; what it was about to compute means nothing."""


def keep(error: BaseException) -> None:
    """Keep an error for this thread, unless it has one already."""
    _kept.setdefault(threading.get_ident(), error)


def kept() -> BaseException | None:
    """The error kept for this thread."""
    return _kept.get(threading.get_ident())


def raise_kept() -> None:
    """Raise what was kept for this thread."""
    if _kept:
        error = _kept.pop(threading.get_ident(), None)
        if error is not None:
            raise error


def raising(compiled: Any) -> Callable[..., Any]:
    """The compiled function, which raises at its end what was kept.

    ``dispatcher`` is Numba's object.
    """

    def called(*arguments: Any) -> Any:
        answer = compiled(*arguments)
        raise_kept()
        return answer

    called.__dict__.update(dispatcher=compiled, py_func=compiled.py_func)
    return called
