"""Numba's cache on disk, tolerant of failures: damaged files are replaced, a full disk reported once.

The cache does not change the compiled code. It depends on Numba's internals; if an import of them
fails, ``CodeCache`` is None and Numba's own cache is used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import warnings
from collections.abc import Callable
from typing import Any

from .shipped import Shipped

try:
    from numba.core.caching import FunctionCache
    from numba.core.ccallback import CFunc
    from numba.core.serialize import dumps
except ImportError:
    FunctionCache: Any = object
    CFunc: Any = None

_warned: set[str] = set()


class _CodeCache(FunctionCache):
    """Cache of one entry point; a failure costs one compilation and one warning a folder.

    ``sources``: function that returns the hash of all kernels in reach, a part of the cache key.
    """

    def __init__(self, function: Callable[..., Any], sources: Callable[[], str]) -> None:
        super().__init__(function)
        self._sources = sources

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return *super()._index_key(sig, codegen), self._sources()

    def _shipped(self, sig: Any, codegen: Any) -> Shipped:
        return Shipped(self._impl.filename_base, self._index_key(sig, codegen))

    def _name_by_key(self, sig: Any, codegen: Any) -> None:
        """Put the key into the data file's name: Numba's numbers may coincide in two processes."""
        digest = hashlib.sha256(repr(self._index_key(sig, codegen)).encode()).hexdigest()[:16]
        self._cache_file._data_name_pattern = f"{self._impl.filename_base}-{digest}.{{number:d}}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for these argument types, None if it has to be compiled."""
        try:
            found = super().load_overload(sig, target_context)
            if found is None and (code := self._shipped(sig, target_context.codegen())):
                found = self._impl.rebuild(target_context, code.read())
            return found
        except Exception as error:  # unpickling a damaged file can raise any exception
            self._remove(self._data_path(sig, target_context.codegen()))
            _warn(self.cache_path, "cannot be read", error, "it is compiled anew")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code on disk, or warn."""
        try:
            try:
                self._name_by_key(sig, data.codegen)
                super().save_overload(sig, data)
                self._shipped(sig, data.codegen).write(dumps(self._impl.reduce(data)))
            except OSError:
                raise
            except Exception:  # damaged index: start a new one
                self._remove(self._cache_file._index_path)
                super().save_overload(sig, data)
        except Exception as error:
            advice = "every process compiles anew until that folder can be written"
            _warn(self.cache_path, "cannot be kept", error, advice)

    def has_code(self, sig: Any, codegen: Any) -> bool:
        """True if machine code for these argument types is on disk."""
        return os.path.exists(self._data_path(sig, codegen)) or bool(self._shipped(sig, codegen))

    def _data_path(self, sig: Any, codegen: Any) -> str:
        """Path of the file for these argument types, empty if there is none; remove a damaged index."""
        try:
            name = self._cache_file._load_index().get(self._index_key(sig, codegen))
        except Exception as error:
            self._remove(self._cache_file._index_path)
            _warn(self.cache_path, "cannot be read", error, "it is compiled anew")
            return ""
        return "" if name is None else self._cache_file._data_path(name)

    @staticmethod
    def _remove(path: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(path)


CodeCache: Any = None if CFunc is None else _CodeCache


def _warn(folder: str, what: str, error: Exception, then: str) -> None:
    if folder in _warned:
        return
    _warned.add(folder)
    why = " ".join(str(error).split()) or type(error).__name__
    warnings.warn(
        f"compiled code in {folder} {what} ({why}), so {then}; NUMBA_CACHE_DIR chooses another folder",
        stacklevel=2,
    )
