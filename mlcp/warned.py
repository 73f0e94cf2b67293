"""Warnings printed with the message first, then their origin."""

from __future__ import annotations

import warnings
from typing import Any


class SentenceWarning(UserWarning):
    """Warning of this project; printed, it begins with its message instead of a file's path."""


def _printed(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Text of a warning for printing; unchanged for other projects' warnings."""
    if not issubclass(category, SentenceWarning):
        return _others(message, category, filename, lineno, line)
    name = f"{category.__module__.split('.')[0]}.{category.__name__}"
    return (
        f"{message}\n  (a warning, {name}, at {filename}:{lineno}; "
        f"warnings.simplefilter('ignore', {name}) silences it)\n"
    )


def note(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Text of a warning as commands print it: without file and line if it is of this project."""
    if not issubclass(category, SentenceWarning):
        return _others(message, category, filename, lineno, line)
    return f"note: {message}\n"


_others: Any = warnings.formatwarning
warnings.formatwarning = _printed
