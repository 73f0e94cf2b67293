"""Kernels of rare cases: loaded before a live run, or compiled beside it by a process of low priority.

Compiled in the step that first calls it, such a kernel delays that tick by a second.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ORDER = """import os, sys
sys.path.append({home!r})
if hasattr(os, "nice"):
    os.nice(15)
from {name} import seldom
for unit in seldom():
    try:
        unit.find(told=False)
    except Exception:  # it is told where it is needed
        pass
"""
#: Kernels that a vehicle driven by hand calls within its first minute.
SOON = ("dense_residual", "pivoting", "settle_rest")


def lazy_units() -> list[Any]:
    """The kernels that are compiled apart, see ``mlcp.compiled.late``."""
    from bodies.kernels import step  # noqa: F401 (they are known once it is)
    from mlcp.compiled.late import UNITS

    return list(UNITS.values())


def load() -> None:
    """Load the cached kernels, and compile those of ``SOON``."""
    for unit in lazy_units():
        if unit.name in SOON or unit.is_kept():
            unit.find(told=False)


@contextlib.contextmanager
def compiling_the_rest() -> Iterator[None]:
    """Meanwhile compile the others in another process, once per installation."""
    from mlcp.jit import can_keep

    incomplete = any(not unit.is_kept() and can_keep(unit.entry) for unit in lazy_units())
    if not incomplete or not Path(sys.executable or "").stem.startswith("python"):
        yield  # else this is part of another program
        return
    home = str(Path(__file__).parent.parent.parent)  # our packages; a script's own folder stays out
    words = [sys.executable, "-P", "-c", ORDER.format(home=home, name=__name__)]
    nobody = subprocess.DEVNULL
    helper = subprocess.Popen(words, start_new_session=True, stdin=nobody, stdout=nobody, stderr=nobody)
    try:
        yield
    finally:
        helper.terminate()
        helper.wait()
