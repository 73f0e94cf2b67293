"""Extra compilation of a model with oil: CPU time of processes with a fresh cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

MOST = 4.0  # aim of the CPU time that the oil's code adds [s]
LINKAGE, OIL = "linkage", "oil"
PROGRAM = """
import dataclasses
from benchmarks.hydraulic_cases.backhoe import digging
from benchmarks.hydraulic_cases.digs import rigid
from bodies import Limit, Simulation, compile
machine = digging()
if {linkage}:
    stop = Limit(name="stop", joint="boom pin", lower=-9.0, upper=9.0)
    machine = rigid(machine)
    machine = dataclasses.replace(machine, elements=(*machine.elements, stop))
Simulation(compile(machine), 1e-3).run(1)
"""


def cpu_time(kind: str, cache: str) -> float:
    """CPU time of a process for one step of the backhoe, with its compiling children [s]."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-c", PROGRAM.format(linkage=kind == LINKAGE)],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        check=True,
        stderr=subprocess.DEVNULL,
    )
    after = os.times()
    user, system = after.children_user, after.children_system
    return user + system - before.children_user - before.children_system


def measured() -> dict[str, float]:
    """CPU times of compilation [s]: of a linkage with stops, and of the code that oil adds.

    Each is the time of a first process less that of its repetition, which loads the code from a cache.
    The oil's first process finds the code of the linkage there.
    """
    with tempfile.TemporaryDirectory() as cache:
        found = {}
        for kind in (LINKAGE, OIL):
            cold = cpu_time(kind, cache)
            found[kind] = cold - cpu_time(kind, cache)
    return found
