"""Locks of objects that several threads use, and an error if a process was forked during a change."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

from ..checks import SimulationError


class Shared:
    """An object with a lock, which several threads may use.

    A forked process has a single thread: its copy of the object gets a new lock. If another thread was
    changing the object during the fork, the copy is half changed, and its use raises SimulationError.
    """

    def _share(self) -> None:
        """Initialise the lock of a new object or copy."""
        self._lock: Any = threading.RLock()
        self._halfway: bool = False  # whether a thread is changing the object
        self._torn: bool = False
        _SHARED.add(self)

    def _unshared(self) -> dict[str, Any]:
        """Attributes except the lock and its state, which are not copied."""
        return {k: v for k, v in self.__dict__.items() if k not in ("_lock", "_halfway", "_torn")}

    def turn(self) -> Any:
        """Lock of the object, a context manager.

        Raises:
            SimulationError: this process was forked while another thread was changing the object.
        """
        if self._torn:
            raise SimulationError(
                f"{type(self).__name__}: another thread was changing it when this process was forked, "
                "so it is half-changed here; fork between runs, or send a copy made before"
            )
        return self._lock

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Context manager that locks the object and marks it as half changed, for :meth:`_forked`."""
        with self.turn():
            outer, self._halfway = self._halfway, True
            try:
                yield
            finally:
                self._halfway = outer

    def _forked(self) -> None:
        """In a forked process: replace a lock that another thread held; mark a half-changed object."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._torn, self._lock = self._halfway, threading.RLock()


def let_others() -> None:
    """Pause, so that a waiting thread gets the lock."""
    time.sleep(1e-5)


_SHARED: WeakSet[Shared] = WeakSet()


def _after_fork() -> None:
    for one in list(_SHARED):
        one._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
