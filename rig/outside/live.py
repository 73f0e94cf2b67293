"""Live run of a rig in real time: cockpit in a browser, clients over TCP, journal of the inputs."""

from __future__ import annotations

import contextlib
import gc
import os
import pathlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from numpy.typing import ArrayLike

from ..errors import RigError, checked
from ..posed import Posed
from ..rig import Rig
from ..run import Run
from ..timing.clock import Clock, WallClock
from ..timing.pace import Pace
from .background_compilation import compiling_the_rest, load
from .cockpit import describe
from .front import Front
from .geodesy import Origin
from .journal import Journal
from .net.server import LOOPBACK, new_token

SCENE = 2  # port of the scene less port of the cockpit, if other computers have access


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Context without garbage collection and, if permitted, with higher process priority."""
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


@checked
def live(
    rig: Rig, seconds: float, *, clock: Clock | None = None, policy: str = "catch-up",
    journal: str | pathlib.Path | None = None, origin: Origin | None = None, name: str = "a rig",
    on_start: Callable[[Front], None] = lambda front: None,
    warn: Callable[[str], object] = warnings.warn,
    scene: bool = False, boundary: ArrayLike | None = None, **server: Any,
) -> Run:  # fmt: skip
    """Run a rig in real time with cockpit, server, lines and journal.

    Arguments:
        rig: rig before its run; made with ``begin=False`` it begins after the cockpit and the scene are
            open, which show its initial state and the progress of the compilation.
        seconds: duration [s].
        clock: clock of the run; None: that of the computer.
        policy: policy for late ticks, see ``rig.POLICIES``.
        journal: file of the inputs; None: none.
        origin: geographic origin of the rig's world, for fixes in the journal.
        name: title sent to clients.
        on_start: called once with the listening front, for instance to print its address.
        warn: called at the end with a sentence if the journal ended early.
        scene: True: the cockpit has a live scene, drawn by another process.
        boundary: corners of the field, for map and scene, shape (n, 2) [m]; None: none.
        server: host, port, web_port, token and origins of the server; lines and transmit of ``Front``.

    Raises:
        RigError: as ``Rig.run``, ``Front`` and ``Journal``.
    """
    if "machine" in server:
        raise RigError("machine is no option here: it is described from the rig")
    clock = clock or WallClock()
    rig.ticks_of(seconds)  # check the duration before the compilation
    Pace(clock, rig.tick, policy)
    machine = describe(rig, name, boundary=boundary)
    for block in rig.blocks.values():
        if isinstance(block, Posed) and not rig.begun:
            block.begin_compiling()  # in parallel with the start of the other processes
    with contextlib.ExitStack() as stack:
        drawn = None
        if scene:
            from .view.scene import LiveScene

            host, page = server.get("host", LOOPBACK[0]), server.get("web_port", -1)
            if server.get("token") is None:
                server["token"] = new_token(host)
            port = 0 if host in LOOPBACK or page <= 0 else page + SCENE
            beyond = {"host": host, "token": server["token"] or "", "port": port}
            drawn = stack.enter_context(LiveScene(rig, boundary=boundary, **beyond))
            machine |= {"scene": drawn.port, "legend": drawn.legend}
        poses = None if drawn is None else drawn.poses
        front = Front(rig, poses=poses, journal=journal, origin=origin, machine=machine, **server)
        stack.callback(lambda: front.failed and warn(front.failed))
        stack.enter_context(front)
        if drawn is not None:
            drawn.follow(front)
        on_start(front)
        solved = any(isinstance(block, Posed) for block in rig.blocks.values())
        if not rig.begun:
            front.prepare(lambda: (rig.begin(), solved and load()))
        if solved:
            stack.enter_context(compiling_the_rest())
        outside: Callable[[float], Any] = front
        if journal is not None:
            kept = next(
                (tuple(rig.blocks[c].outputs) for c in ("linkage", "machine") if c in rig.blocks), ()
            )
            outside = stack.enter_context(Journal(front, rig, signals=kept)).outside(front)
        stack.enter_context(undisturbed())
        return rig.run(seconds, clock=clock, policy=policy, outside=outside, after=front.show)
