"""The compiled step of a model: its parts, which are compiled once, in parallel processes."""

from __future__ import annotations

import contextlib
import functools
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from mlcp.compiled.backend import QUICK
from mlcp.compiled.lazy import UNITS, Lazy
from mlcp.cores import cores
from mlcp.jit import SWITCHED_OFF, address, can_keep, is_cached

from ..kernels.codes import MIXED, SOFT, STAGES
from ..progress import Elapsed

#: Lazily compiled kernels that most runs on soil call some time after their start; helper processes
#: compile them after the parts of the step.
SOON = ("direct", "dense_residual", "lazy_lemke")
#: Parts with many kernels in common, compiled in one process if the quick back end of ``mlcp.compiled``
#: is in use; with Numba's own compiler two processes are faster.
TOGETHER = ("solve", "follow_law", "for_other_wheel") if QUICK else ()
SHORT = "follow"  # name of a part whose compilation takes less time than the import of Numba
_KINDS = (types.float64[::1], types.int64[::1], types.intp)
_RUN_KINDS = (*_KINDS[:2], types.int64[::1], *[types.intp] * 3, types.int64[::1], types.float64[:, ::1])

#: Helper processes started before the imports; a pool uses them before it starts others.
ready_helpers: list[subprocess.Popen[str]] = []
_listeners: list[Callable[[str, int, int], object]] = []
_notifying = threading.Lock()


@contextlib.contextmanager
def compilation_listener(listener: Callable[[str, int, int], object]) -> Iterator[None]:
    """Call a listener during compilations with (name, compiled parts, parts to compile in all).

    The calls come from different threads, but one at a time.
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def parts(
    contacts: int, solver: int, varies: bool, oil: bool = False, lazy: tuple[str, ...] = ()
) -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Entry points of a step by name, with their indices in the table of addresses; the longest
    compilations first.

    ``lazy``: names of lazily compiled kernels that the first steps call; they are compiled together with
    the step, not during its first run.
    """
    from ..kernels import codes, stages, step

    found = {
        "prepare": (step.prepare, (2 * stages.DETECT, 2 * stages.ASSEMBLE)),
        "advance": (
            step.advance,
            (2 * stages.INTEGRATE, 2 * stages.PROJECT, 2 * stages.MEASURE, 2 * stages.POSE),
        ),
        "eliminate": (step.eliminate, (2 * stages.FACTOR,)),
    }
    if contacts != codes.NO_CONTACTS:
        found = {"solve": (step.make_solve(contacts, solver), (2 * stages.SOLVE + 1,))} | found
        found["touch"] = step.make_touch(contacts), (2 * stages.DETECT + 1,)
    if varies:
        found["vary"] = (step.vary, (2 * stages.SOLVE, 2 * stages.INTEGRATE + 1))
    if oil:
        from ..hydraulics.kernels.step import follow, make_oil_solve

        first = {"oil_solve": (make_oil_solve(contacts), (2 * stages.SOLVE + 1,))}
        if contacts != codes.NO_CONTACTS:
            first = {"solve": (found["solve"][0], (step.CONTACTS,))} | first
        found = first | {name: part for name, part in found.items() if name not in first}
        found["follow"] = follow, (2 * stages.PROJECT + 1,)
    units = () if SWITCHED_OFF else lazy  # no compilation in plain Python
    return {name: (UNITS[name], ()) for name in units} | found


def lane_parts(rolling: bool = True) -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Entry points of the step in lanes (several vehicles side by side in one SIMD register), with their
    stages; with the contact solve of rolling wheels on soil if ``rolling``."""
    from ..kernels import stages
    from ..kernels.many import lanes

    return ({"lane_roll": (lanes.roll, (stages.SOLVE,))} if rolling else {}) | {
        "lane_prepare": (lanes.prepare, (stages.DETECT, stages.ASSEMBLE)),
        "lane_eliminate": (lanes.eliminate, (stages.FACTOR,)),
        "lane_advance": (lanes.advance, (stages.INTEGRATE, stages.PROJECT)),
    }


@functools.cache
def table(
    contacts: int, solver: int, varies: bool, oil: bool = False, lazy: tuple[str, ...] = ()
) -> np.ndarray:
    """Addresses of a step's parts: two for each stage, then one for the contact solve (see
    ``kernels.step``).

    Parts that are not in the cache are compiled, with a message.
    """
    found = parts(contacts, solver, varies, oil, lazy)
    addresses = np.zeros(2 * len(STAGES) + 1, np.int64)
    kind = contacts, solver, varies, oil
    _fill(addresses, found, "the step", kind, _precompiled.pop(kind, None))
    return addresses


@functools.cache
def lane_table(rolling: bool) -> np.ndarray:
    """Addresses of the stages for lanes, one per stage, with the contact solve of rolling wheels on soil
    if ``rolling``."""
    addresses = np.zeros(len(STAGES), np.int64)
    _fill(addresses, lane_parts(rolling), "the step of vehicles side by side", (0, 0, False, False))
    return addresses


def _fill(
    addresses: np.ndarray,
    found: dict[str, Any],
    what: str,
    kind: tuple[int, int, bool, bool],
    pool: CompilerPool | None = None,
) -> None:
    """Compile the parts ``found`` that are not in the cache, in parallel; write the addresses of all."""
    uncompiled = pool.names if pool else _uncompiled(found)
    start = pool.begun if pool else time.perf_counter()
    with contextlib.ExitStack() as stack:
        if uncompiled:
            kept = all(_can_keep(found[name][0]) for name in uncompiled)
            often = "once per installation" if kept else "in every process: it cannot be kept"
            print(f"bodies: compiling {what} ({often}) ...", file=sys.stderr, flush=True)
            elapsed = stack.enter_context(Elapsed(f"bodies: compiling {what}"))

            def report(done: int) -> None:
                elapsed.far = f", {done} of {len(uncompiled)} parts"
                _notify(what, done, uncompiled)

            report(0)
            if len(uncompiled) > 1 and kept:  # helper processes return their results through the cache
                (pool or CompilerPool(uncompiled, *kind)).finish(report)
        for entry, places in found.values():
            where = _address_of(entry)
            addresses[list(places)] = where
        address(run(), *_RUN_KINDS)
    if uncompiled:
        print(f"bodies: compiled in {time.perf_counter() - start:.1f} s", file=sys.stderr)


def _notify(what: str, done: int, uncompiled: list[str]) -> None:
    with _notifying:
        for listener in _listeners:
            listener(what, done, len(uncompiled))


def run() -> Any:
    """The compiled loop over steps and their stages, ``kernels.step.run``."""
    from ..kernels.step import run

    return run


def compile_part(name: str, contacts: int, solver: int, varies: bool, oil: bool) -> None:
    """Compile one part of a step's variant; its machine code is stored in the cache on disk."""
    entry, _ = (parts(contacts, solver, varies, oil, tuple(UNITS)) | lane_parts())[name]
    _address_of(entry)


def serve() -> None:
    """Compile the parts named on the standard input: a line has a part's name and the step's variant."""
    run(), lane_parts()  # import all kernels before the first order
    for line in sys.stdin:
        name, contacts, solver, varies, oil = line.split()
        compile_part(name, int(contacts), int(solver), varies == "1", oil == "1")
        print(name, flush=True)


def helper_process() -> subprocess.Popen[str]:
    """Start a process that runs :func:`serve`."""
    home = str(Path(__file__).parents[2])  # folder of this project's packages
    order = f"import sys; sys.path.append({home!r}); from {__name__} import serve; serve()"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", order],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


class CompilerPool:
    """Processes that compile parts for the cache: the present process and helpers, one for each core.

    Each process compiles several parts, so that it imports Numba only once. The helpers start at once.
    The present process compiles in :meth:`finish` only, first the parts of ``TOGETHER``. No helper is
    started for a short part. A part that a helper failed to compile is compiled by the present process
    when its address is needed. Afterwards the helpers compile the kernels of ``SOON`` (wheels on soil).

    Arguments:
        names: names of the parts.
        kind: variant of the step, see :attr:`Workspace.kind`.
    """

    def __init__(self, names: list[str], *kind: int) -> None:
        self.names: list[str] = names
        self.kind: tuple[int, ...] = kind
        self.begun: float = time.perf_counter()
        self._together = deque(name for name in TOGETHER if name in names)
        self._waiting, self._done = deque(name for name in names if name not in TOGETHER), []
        self._report: Callable[[int], object] = lambda done: None
        self._free: list[threading.Event] = []  # one per helper: set when no part remains for it
        self._ended: dict[str, threading.Event] = {}  # one per kernel of SOON: set when it is compiled
        # helpers need an interpreter, which the executable of a program that embeds Python is not
        if Path(sys.executable or "").stem.startswith("python"):
            count = min(cores(), len(names) - names.count(SHORT)) - 1
            self._free = [threading.Event() for _ in range(count)]
        if self._free and kind[0] in (SOFT, MIXED):
            soon = [name for name in SOON if name in UNITS and name not in names]
            self._ended = {name: threading.Event() for name in soon}
            for name in soon:
                UNITS[name].begun_elsewhere = self._withdraw
        self._soon = deque(self._ended)
        for free in self._free:
            threading.Thread(target=self._run_helper, args=(free,), daemon=True).start()

    def finish(self, report: Callable[[int], object]) -> None:
        """Compile parts in this process too, and wait for the helpers; calls ``report`` with the number
        of compiled parts."""
        self._report = report
        with contextlib.suppress(IndexError):
            while True:
                contacts, solver, varies, oil = self.kind
                name = (self._together or self._waiting).popleft()
                compile_part(name, contacts, solver, bool(varies), bool(oil))
                self._notify(name)
        for free in self._free:
            free.wait()

    def _withdraw(self, name: str) -> None:
        """Remove a kernel of ``SOON`` from the helpers' list before this process compiles it, or wait
        for the helper that has begun its compilation."""
        try:
            self._soon.remove(name)
        except ValueError:
            self._ended[name].wait()

    def _notify(self, name: str) -> None:
        self._done.append(name)
        self._report(len(self._done))

    def _run_helper(self, free: threading.Event) -> None:
        name = ""
        with (
            contextlib.suppress(IndexError, OSError),  # no part is left, or the helper has died
            ready_helpers.pop() if ready_helpers else helper_process() as helper,
        ):
            answered = True
            while answered:
                if not (self._waiting or self._together):
                    free.set()
                name = (self._waiting or self._together or self._soon).popleft()
                print(name, *map(int, self.kind), file=helper.stdin, flush=True)
                answered = bool(helper.stdout and helper.stdout.readline())
                if name in self._ended:
                    self._ended[name].set()
                else:
                    self._notify(name)
        free.set()
        if name in self._ended:
            self._ended[name].set()


_precompiled: dict[tuple[int, ...], CompilerPool] = {}


def precompile(
    contacts: int, solver: int, varies: bool, oil: bool = False, lazy: tuple[str, ...] = ()
) -> None:
    """Start helper processes that compile the parts of a step that are not in the cache.

    The present process continues; at the first use of the step it compiles parts, too, and waits.
    """
    kind = contacts, solver, varies, oil
    found = parts(*kind, lazy)
    uncompiled = _uncompiled(found)
    if (
        kind not in _precompiled
        and len(uncompiled) > 1
        and all(_can_keep(found[n][0]) for n in uncompiled)
    ):
        _precompiled[kind] = CompilerPool(uncompiled, *kind)


def _uncompiled(found: dict[str, Any]) -> list[str]:
    return [name for name, (entry, _) in found.items() if not _cached(entry)]


def _address_of(entry: Any) -> int:
    return entry.find(announce=False) if isinstance(entry, Lazy) else address(entry, *_KINDS)


def _can_keep(entry: Any) -> bool:
    return can_keep(entry.entry if isinstance(entry, Lazy) else entry)


def _cached(entry: Any) -> bool:
    try:
        return entry.is_kept() if isinstance(entry, Lazy) else is_cached(entry, *_KINDS)
    except Exception:  # if Numba's internals change: no message and no parallel compilation
        return True
