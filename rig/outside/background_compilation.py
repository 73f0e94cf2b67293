"""Kernels of rare cases: loaded before a live run, or compiled during the run in another process.

Otherwise the first call of such a kernel would delay a tick by its compilation, about a second.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ORDER = "import sys; sys.path.append({home!r}); from {name} import compile_all; compile_all()"
#: Kernels called in the first minute of a drive by hand.
SOON = ("follow_law", "find_by_continuation", "direct", "lazy_lemke", "dense_residual")


def lazy_units() -> list[Any]:
    """Kernels that are compiled at their first call, see ``mlcp.compiled.lazy``."""
    from bodies.kernels import step  # noqa: F401 (its import registers them)
    from mlcp.compiled.lazy import UNITS

    return list(UNITS.values())


def load() -> None:
    """Load all cached kernels, and compile those listed in ``SOON``."""
    for unit in lazy_units():
        if unit.name in SOON or unit.is_kept():
            unit.find(announce=False)


def compile_all() -> None:
    """Compile all kernels at low priority; one that fails is compiled again at its first call."""
    with contextlib.suppress(AttributeError):
        os.nice(15)
    for unit in lazy_units():
        with contextlib.suppress(Exception):
            unit.find(announce=False)


@contextlib.contextmanager
def compiling_the_rest() -> Iterator[None]:
    """Context in which a process of low priority compiles the rarely used kernels, if not cached."""
    from mlcp.jit import can_keep

    incomplete = any(not unit.is_kept() and can_keep(unit.entry) for unit in lazy_units())
    if not incomplete or not Path(sys.executable or "").stem.startswith("python"):
        yield  # nothing to compile, or no Python executable to start a process with
        return
    home = str(Path(__file__).parent.parent.parent)  # the packages' folder, not the user's script's
    words = [sys.executable, "-P", "-c", ORDER.format(home=home, name=__name__)]
    nobody = subprocess.DEVNULL
    helper = subprocess.Popen(words, start_new_session=True, stdin=nobody, stdout=nobody, stderr=nobody)
    try:
        yield
    finally:
        helper.terminate()
        helper.wait()
