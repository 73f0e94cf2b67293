"""Numba's cache on disk without its tracebacks: a torn file is replaced, a full disk reported once.

The cache does not change the compiled code. It depends on Numba's internals; if an import of them
fails, ``CodeCache`` is None and Numba's own cache serves.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import warnings
from typing import Any

try:
    from numba.core.caching import FunctionCache
    from numba.core.ccallback import CFunc
except ImportError:
    FunctionCache: Any = object
    CFunc: Any = None

ROOM = 64 * 2**20  # least free space [bytes] for keeping compiled code
_told: set[str] = set()


class _CodeCache(FunctionCache):
    """Cache of one entry point; a failure costs one compilation and one warning a folder."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for these argument types, None if it has to be compiled."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # unpickling a torn file can raise any exception
            self._discard(sig, target_context)
            _tell(self.cache_path, "cannot be read", error, "it is compiled anew")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code on disk, or warn."""
        try:
            try:
                super().save_overload(sig, data)
            except OSError:
                raise
            except Exception:  # torn index: start a new one
                self._remove(self._cache_file._index_path)
                super().save_overload(sig, data)
        except Exception as error:
            advice = "every process compiles anew until that folder can be written"
            _tell(self.cache_path, "cannot be kept", error, advice)

    def holds(self, sig: Any, codegen: Any) -> bool:
        """True if machine code for these argument types is on disk."""
        try:
            name = self._cache_file._load_index().get(self._index_key(sig, codegen))
        except Exception as error:
            self._remove(self._cache_file._index_path)
            _tell(self.cache_path, "cannot be read", error, "it is compiled anew")
            return False
        return name is not None and os.path.exists(self._cache_file._data_path(name))

    def has_room(self) -> bool:
        """True if the folder is writable and has room for compiled code."""
        folder = self.cache_path
        while not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        try:
            return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= ROOM
        except OSError:
            return False

    def _discard(self, sig: Any, target_context: Any) -> None:
        file = self._cache_file
        try:
            name = file._load_index().get(self._index_key(sig, target_context.codegen()))
        except Exception:  # the index itself is torn
            self._remove(file._index_path)
            return
        if name is not None:
            self._remove(file._data_path(name))

    @staticmethod
    def _remove(path: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(path)


CodeCache: Any = None if CFunc is None else _CodeCache


def _tell(folder: str, what: str, error: Exception, then: str) -> None:
    if folder in _told:
        return
    _told.add(folder)
    why = " ".join(str(error).split()) or type(error).__name__
    warnings.warn(
        f"compiled code in {folder} {what} ({why}), so {then}; NUMBA_CACHE_DIR chooses another folder",
        stacklevel=2,
    )
