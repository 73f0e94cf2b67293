"""A rig on the wall clock: the cockpit in a browser, clients over TCP, and a journal of what came in."""

from __future__ import annotations

import contextlib
import gc
import os
import pathlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from ..clock import Clock, WallClock
from ..errors import RigError
from ..rig import Rig
from ..run import Run
from .front import Front
from .geodesy import Origin
from .journal import Journal, JournalClock

#: Most points of the planned path that a welcome tells.
POINTS = 800


def describe(rig: Rig, name: str = "a rig") -> dict[str, Any]:
    """What the cockpit draws of a rig: its name, its planned path, its wheelbase where it has one."""
    path = rig.site.path
    points = path.points(max(0.5, path.length / POINTS))
    chassis = rig.blocks.get("chassis")
    told: dict[str, Any] = {"name": name, "path": [[round(float(v), 3) for v in p[:2]] for p in points]}
    wheelbase = getattr(chassis, "wheelbase", None)
    return told if wheelbase is None else {**told, "wheelbase": float(wheelbase)}


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """No garbage collection meanwhile, and more priority where this user may have it."""
    enabled, nice = gc.isenabled(), None
    gc.collect()
    gc.freeze()
    gc.disable()
    with contextlib.suppress(AttributeError, OSError):
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, nice - 5)
    try:
        yield
    finally:
        gc.unfreeze()
        if enabled:
            gc.enable()
        with contextlib.suppress(AttributeError, OSError):
            if nice is not None:
                os.setpriority(os.PRIO_PROCESS, 0, nice)


def live(
    rig: Rig, seconds: float, *, clock: Clock | None = None, policy: str = "catch-up",
    journal: str | pathlib.Path | None = None, origin: Origin | None = None, name: str = "a rig",
    told: Callable[[Front], None] = lambda front: None, warn: Callable[[str], object] = warnings.warn,
    **server: Any,
) -> Run:  # fmt: skip
    """Run a rig in real time with its outside.

    Arguments:
        rig: as it stands at its beginning.
        seconds: how long [s].
        clock: to keep pace with; None: the computer's.
        policy: what a late tick means, see ``rig.POLICIES``.
        journal: file for what comes in; None: none.
        origin: of the rig's world, for the journal's map.
        name: told to clients.
        told: called once with the front when it listens, to say where.
        warn: called at the end with a sentence if the journal ended early.
        server: host, port, web_port, token and origins of the server; lines and transmit of ``Front``.

    Raises:
        RigError: what ``Rig.run``, ``Front`` and ``Journal`` raise.
    """
    if "machine" in server:
        raise RigError("what the server tells of the machine is made here")
    watched = JournalClock(clock or WallClock())
    front = Front(rig, journal=journal, origin=origin, machine=describe(rig, name), **server)
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: front.failed and warn(front.failed))
        stack.enter_context(front)
        outside: Callable[[float], Any] = front
        if journal is not None:
            outside = stack.enter_context(Journal(front, rig)).outside(front, watched)
        told(front)
        stack.enter_context(undisturbed())
        return rig.run(seconds, clock=watched, policy=policy, outside=outside)
