"""Objects shared by threads: locks, and refusal of copies that a fork made during a change."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

from ..checks import SimulationError

THREAD_PAUSE = 1e-5  # [s] pause between two locked sections of a thread, for waiting threads


class Shared:
    """An object with a lock, for several threads.

    A forked process has no other threads: it gets a new lock, and refuses an object that another
    thread was changing during the fork.
    """

    def _share(self) -> None:
        """Initialise the lock, for every new object and copy."""
        self._lock: Any = threading.RLock()
        self._halfway: bool = False  # being changed
        self._torn: bool = False
        _SHARED.add(self)

    def _unshared(self) -> dict[str, Any]:
        """Attributes without the lock and its state, of which every copy has its own."""
        return {k: v for k, v in self.__dict__.items() if k not in ("_lock", "_halfway", "_torn")}

    def turn(self) -> Any:
        """Lock for reading.

        Raises:
            SimulationError: this process was forked while another thread was changing it.
        """
        if self._torn:
            raise SimulationError(
                f"{type(self).__name__}: another thread was changing it when this process was forked, "
                "so it is half-changed here; fork between runs, or send a copy made before"
            )
        return self._lock

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Lock for a change of the object."""
        with self.turn():
            outer, self._halfway = self._halfway, True
            try:
                yield
            finally:
                self._halfway = outer

    def _forked(self) -> None:
        """Reset the lock in a forked process, with its single thread."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._torn, self._lock = self._halfway, threading.RLock()


def let_others() -> None:
    """Pause, so that a waiting thread gets the lock."""
    time.sleep(THREAD_PAUSE)


_SHARED: WeakSet[Shared] = WeakSet()


def _after_fork() -> None:
    for one in list(_SHARED):
        one._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
