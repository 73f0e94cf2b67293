"""Objects that several threads share: one at a time, and never half-changed in another process."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

from ..checks import SimulationError

PAUSE = 1e-5  # [s] between two turns of one thread: who waits comes in


class Shared:
    """What threads take in turns.

    A process that is forked has no other threads: a turn that one of them had is over there, and where
    it was changing the object, what it left is refused in a sentence.
    """

    def _share(self) -> None:
        """Begin; every new object does, copies too."""
        self._lock: Any = threading.RLock()
        self._halfway: bool = False  # a turn is changing it
        self._torn: bool = False
        _SHARED.add(self)

    def _unshared(self) -> dict[str, Any]:
        """Its attributes but those of the turns, which a copy has of its own."""
        return {k: v for k, v in self.__dict__.items() if k not in ("_lock", "_halfway", "_torn")}

    def turn(self) -> Any:
        """The lock to look at it under.

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
        """A turn in which it changes."""
        with self.turn():
            outer, self._halfway = self._halfway, True
            try:
                yield
            finally:
                self._halfway = outer

    def _forked(self) -> None:
        """In the new process, whose only thread this is."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._torn, self._lock = self._halfway, threading.RLock()


def let_others() -> None:
    """Let a thread that waits for its turn have it."""
    time.sleep(PAUSE)


_SHARED: WeakSet[Shared] = WeakSet()


def _after_fork() -> None:
    for one in list(_SHARED):
        one._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
