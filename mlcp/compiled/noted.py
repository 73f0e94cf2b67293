"""Counts what is compiled or loaded while Python waits, so that no time limit counts that wait."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

_done = [0]


def noting_compiles(compile_for: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which notes that it has been called."""

    @functools.wraps(compile_for)
    def noted(*arguments: Any, **named: Any) -> Any:
        _done[0] += 1
        return compile_for(*arguments, **named)

    return noted


def compiles() -> int:
    """How many entry points have been compiled or loaded for arguments so far."""
    return _done[0]
