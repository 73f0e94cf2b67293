"""Largest memory of this process."""

from __future__ import annotations

import resource
from pathlib import Path

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def forget() -> None:
    """Reset the largest memory (Linux only)."""
    if CLEAR.exists():
        CLEAR.write_text("5")


def most() -> int:
    """Largest memory so far [byte].

    The count is Linux's for this program: the figure of ``getrusage`` includes that of the process that
    started it.
    """
    if STATUS.exists():
        words = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return 1024 * int(words.split()[1])
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
