"""Choice of the compiler of kernels: ``quick`` for tested versions of Numba, else Numba's own pipeline.

``quick`` depends on Numba's internals, which change from version to version. So ``quick`` is an option:
outside the tested versions, or with ``WHEELGROUND_COMPILER=stock``, kernels are compiled by Numba's
public interface alone. The results are the same; the first run takes longer.

Gain, on the 45-body vehicle on soil (Numba 0.68): with Numba's own pipeline a step takes 1.09 to 1.15
times as long, the first run on two free cores 31 instead of 12 s.
"""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import warnings
from collections.abc import Iterator
from types import ModuleType

import numba
from numba import config

TESTED = (0, 61), (0, 68)  # first and last minor version of Numba tested with ``quick``
ASKED = "WHEELGROUND_COMPILER"
COMPILERS = ("quick", "stock")


def _choose() -> ModuleType | None:
    asked = os.environ.get(ASKED, "quick")
    if asked not in COMPILERS:
        raise ValueError(f"{ASKED} = {asked!r} is unknown; known: {', '.join(COMPILERS)}.")
    if asked == "stock":
        return None
    version = tuple(int(part) for part in numba.__version__.split(".")[:2])
    first, last = TESTED
    if first <= version <= last:
        try:
            from .quick import passes

            return passes
        except (ImportError, AttributeError):  # a patched Numba, or a llvmlite of another version
            pass
    warnings.warn(
        f"Numba {numba.__version__} is none of those that the quick compiler was tested with "
        f"({first[0]}.{first[1]} to {last[0]}.{last[1]}); Numba's own pipeline compiles the kernels: "
        f"the numbers are the same, the first run takes longer ({ASKED}=stock silences this warning)",
        stacklevel=2,
    )
    return None


#: Module of the quick compiler; None: Numba's own pipeline.
QUICK = _choose()
#: Name of the compiler, for messages and for the cache's key.
COMPILER = "quick" if QUICK else "stock"

_ONE = threading.RLock()  # one thread at a time changes Numba's settings and the garbage collector


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Compile without garbage collection, and in Numba's own pipeline at LLVM's optimisation level 2.

    Numba's syntax trees have many reference cycles: scanning them, repeatedly or once at the end, would
    take an eighth of the compile time. So they become old objects, which the next full collection frees.
    Level 3 would take another fifteenth, and the compiled code is no faster. Numba would read its
    environment variables and configuration file again for each kernel.
    """
    settings = config.__dict__
    with _ONE:
        collecting, level, reload = gc.isenabled(), settings["OPT"], settings["reload_config"]
        gc.disable()
        reload()
        settings["reload_config"] = lambda: None
        if not QUICK and "NUMBA_OPT" not in os.environ:
            settings["OPT"] = type(level)(2)
        try:
            yield
        finally:
            settings["OPT"], settings["reload_config"] = level, reload
            if collecting:
                if gc.get_freeze_count() == 0:  # the program itself has frozen no objects
                    gc.freeze()
                    gc.unfreeze()
                gc.enable()
