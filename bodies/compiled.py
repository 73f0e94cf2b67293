"""The compiled step: its parts put together for what a model needs, compiled side by side once."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from mlcp.jit import address, is_cached

STAGES = ("detect", "assemble", "factor", "solve", "integrate", "project", "measure", "pose")
_KINDS = (types.float64[::1], types.int64[::1], types.intp)
_RUN_KINDS = (*_KINDS[:2], types.int64[::1], *[types.intp] * 3)


def parts(contacts: int, solver: int, varies: bool) -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Entry points by name, the longest to compile first, and their places in the table of stages."""
    from .kernels import step

    found = {
        "prepare": (step.prepare, (2 * step.DETECT, 2 * step.ASSEMBLE)),
        "advance": (step.advance, (2 * step.INTEGRATE, 2 * step.PROJECT, 2 * step.MEASURE,
                                   2 * step.POSE)),
        "eliminate": (step.eliminate, (2 * step.FACTOR,)),
    }
    if contacts != step.NO_CONTACTS:
        solver = solver if contacts in (step.HARD, step.MIXED) else 0
        found = {"solve": (step.make_solve(contacts, solver), (2 * step.SOLVE + 1,)),
                 "touch": (step.make_touch(contacts), (2 * step.DETECT + 1,))} | found
    if varies:
        found["vary"] = (step.vary, (2 * step.SOLVE, 2 * step.INTEGRATE + 1))
    return found


@functools.cache
def table(contacts: int, solver: int, varies: bool) -> np.ndarray:
    """Addresses of the parts, two per stage; says so when they have to be compiled first."""
    found = parts(contacts, solver, varies)
    missing = [name for name, (entry, _) in found.items() if not _cached(entry, _KINDS)]
    start = time.perf_counter()
    if missing:
        print("bodies: compiling the step (once per installation, some 10 to 20 s) ...",
              file=sys.stderr, flush=True)
        if len(missing) > 1:
            _compile_side_by_side(missing, contacts, solver, varies)
    addresses = np.zeros(2 * len(STAGES), np.int64)
    for entry, places in found.values():
        addresses[list(places)] = address(entry, *_KINDS)
    address(run(), *_RUN_KINDS)
    if missing:
        print(f"bodies: compiled in {time.perf_counter() - start:.1f} s", file=sys.stderr)
    return addresses


def run() -> Any:
    """The compiled loop over steps and stages: ``run(F, N, table, steps, first, last)``."""
    from .kernels.step import run

    return run


def compile_part(name: str, contacts: int, solver: int, varies: bool) -> None:
    """Compile one part for the cache on disk."""
    entry, _ = parts(contacts, solver, varies)[name]
    address(entry, *_KINDS)


def _compile_side_by_side(names: list[str], contacts: int, solver: int, varies: bool) -> None:
    """Fill the cache from as many processes as there are cores; what fails is compiled here later."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if not cores or cores < 2 or not Path(sys.executable or "").stem.startswith("python"):
        return  # a program that embeds Python cannot be started like one
    home = str(Path(__file__).parent.parent)  # where our packages lie; a script's own folder stays out

    def compile_one(name: str) -> None:
        order = (f"import sys; sys.path.append({home!r}); from {__name__} import compile_part; "
                 f"compile_part({name!r}, {contacts}, {solver}, {varies})")
        subprocess.run([sys.executable, "-P", "-c", order], capture_output=True,
                       stdin=subprocess.DEVNULL, check=False)

    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(compile_one, names))


def _cached(entry: Any, kinds: tuple[Any, ...]) -> bool:
    try:
        return is_cached(entry, *kinds)
    except Exception:  # Numba's own interface: if it moves, only the message and the speed are lost
        return True
