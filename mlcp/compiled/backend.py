"""Which way kernels are compiled: Numba's own, or quicker where that was tried.

``quick`` leans on Numba's insides, which change from version to version. So it is an option: outside
the versions that it was tested with, or where ``WHEELGROUND_COMPILER=stock`` asks for it, kernels are
compiled by Numba's public means alone. The numbers are the same; the first run takes longer.

Why it is kept, on the 45-body vehicle on soil (Numba 0.68, two processes in turn on a busy machine,
processor time): a step takes Numba's own way 1.09 to 1.15 of the quick one's, the first run 70 against
32 s. At 1.05 and as quick a first run it should go.
"""

from __future__ import annotations

import os
import warnings
from types import ModuleType

import numba

TESTED = (0, 61), (0, 68)  # first and last minor version of Numba that ``quick`` was tested with
ASKED = "WHEELGROUND_COMPILER"
WAYS = ("quick", "stock")


def _choose() -> ModuleType | None:
    asked = os.environ.get(ASKED, "quick")
    if asked not in WAYS:
        raise ValueError(f"{ASKED} = {asked!r} is unknown; known: {', '.join(WAYS)}.")
    if asked == "stock":
        return None
    version = tuple(int(part) for part in numba.__version__.split(".")[:2])
    first, last = TESTED
    if first <= version <= last:
        try:
            from .quick import passes

            return passes
        except (ImportError, AttributeError):  # a patched Numba, a llvmlite that does not fit
            pass
    warnings.warn(
        f"Numba {numba.__version__} is none of those that the quick compiler was tested with "
        f"({first[0]}.{first[1]} to {last[0]}.{last[1]}); kernels are compiled in Numba's own way: the "
        f"numbers are the same, the first run takes longer (say so yourself by {ASKED}=stock)",
        stacklevel=2,
    )
    return None


#: The passes of the quick way, or None: Numba's own way.
QUICK = _choose()
#: The name of the way, for messages and for the cache's key.
WAY = "quick" if QUICK else "stock"
