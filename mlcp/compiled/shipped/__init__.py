"""Machine code in the wheel of a platform, so that a first run compiles nothing.

This folder has a file for each entry point and types of arguments, compiled for the processor level
``LEVEL``, which most machines support. The file's name is a digest of all that the code depends on:
Python, Numba, llvmlite, the platform, the types, the function and the hash of all kernels in its reach.
If any of these differs, no file is found and the code is compiled. The code computes the same bytes as
code compiled for the machine's own processor. The cache on disk is searched first. ``hatch_build.py``
builds the wheel.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

#: Folder to read code from and write code to, in place of this folder; empty: no code is read.
ASKED = os.environ.get("WHEELGROUND_SHIPPED")
FOLDER = Path(__file__).parent if ASKED is None else Path(ASKED) if ASKED else None
LEVEL = "x86-64-v3"  # LLVM's name of the processor level
NEEDED = {"+avx2", "+bmi", "+bmi2", "+f16c", "+fma", "+lzcnt", "+movbe"}


@functools.cache
def _versions() -> tuple[Any, ...]:
    return *sys.version_info[:2], sys.platform, *map(metadata.version, ("numba", "llvmlite"))


class Shipped:
    """Machine code of one entry point for given types of arguments.

    Arguments:
        name: name of the entry point.
        key: key of Numba's cache: types, target, then hashes.
    """

    def __init__(self, name: str, key: Any) -> None:
        types, target, *hashes = key
        # True if NUMBA_CPU_NAME and NUMBA_CPU_FEATURES set the compiler to ``LEVEL``
        self.made_here = target[1:] == (LEVEL, "")
        fits = self.made_here or NEEDED.issubset(target[2].split(","))
        digest = hashlib.sha256(repr((_versions(), target[0], name, types, hashes)).encode()).hexdigest()
        self.path = FOLDER / f"{digest[:32]}.code" if FOLDER and fits else None

    def __bool__(self) -> bool:
        return self.path is not None and self.path.is_file()

    def read(self) -> Any:
        """Data of the code as Numba pickles it."""
        return pickle.loads(self.path.read_bytes()) if self.path else None

    def write(self, data: bytes) -> None:
        """Write code compiled for ``LEVEL`` to the folder ``ASKED``."""
        if self.made_here and self.path and ASKED:
            self.path.write_bytes(data)
