"""Warnings that are read by people: the sentence first, where it came from after it."""

from __future__ import annotations

import warnings
from typing import Any


class SentenceWarning(UserWarning):
    """A warning of this project; printed, it begins with its sentence instead of a file's path."""


def _printed(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """What Python prints of a warning; of others than ours what it always was."""
    if not issubclass(category, SentenceWarning):
        return _others(message, category, filename, lineno, line)
    name = f"{category.__module__.split('.')[0]}.{category.__name__}"
    return (
        f"{message}\n  (a warning, {name}, at {filename}:{lineno}; "
        f"warnings.simplefilter('ignore', {name}) silences it)\n"
    )


_others: Any = warnings.formatwarning
warnings.formatwarning = _printed
