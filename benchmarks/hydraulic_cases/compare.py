"""Error, energy balance and cost of every integration method and step, compared with SciPy's Radau."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from bodies.hydraulics import Bench
from bodies.hydraulics.bench import INTEGRATIONS

from . import circuits, reference
from .row import CircuitRun

EXACT_STEP = 5e-4  # [s] interval of the reference's records
IMPLICIT_STEPS = (5e-4, 1e-3, 2e-3, 5e-3, 8e-3)
EXPLICIT_STEPS = (2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3)
EXPLICIT = ("ode3", "ode5")
ROUNDS = 3  # number of timed runs; the fastest is the cost
#: Allowed error of the piston's position at steps of 1 ms, by circuit and method [m].
LIMITS = {
    ("boom", "backward"): 2e-3,
    ("boom", "auto"): 3e-4,
    ("bucket", "backward"): 2e-4,
    ("bucket", "auto"): 2e-4,
}
DIVERGED = 0.05  # [m] error above which a run counts as diverged


def measure(bench: Bench, method: str, step: float, times: Any, exact: Any) -> CircuitRun:
    """Row of the table: errors and CPU time of one method at one step."""
    name, every = bench.circuit.name, max(1, round(EXACT_STEP / step))
    if math.isclose(circuits.DURATION / step, round(circuits.DURATION / step)) is False:
        raise ValueError(f"step {step:g} s does not divide {circuits.DURATION:g} s")
    most = LIMITS.get((name, method), math.inf) if step == 1e-3 else math.inf
    limits = method not in EXPLICIT, DIVERGED, most
    best, found = math.inf, None
    for _ in range(ROUNDS):
        began = time.process_time()
        try:
            found = bench.run(circuits.DURATION, step, method, record_every=every)
        except RuntimeError:  # a piston left its cylinder
            return CircuitRun(
                name, method, step, math.inf, math.inf, math.nan, 0, 0.0, math.nan, *limits
            )
        best = min(best, time.process_time() - began)
    length = np.interp(found.time, times, exact[:, 0])
    pressure = np.stack([np.interp(found.time, times, exact[:, c]) for c in (2, 3)], axis=1)
    with np.errstate(all="ignore"):
        error = float(np.max(abs(found.length[:, 0] - length)))
        rms = float(np.sqrt(np.mean((found.pressure[:, 0] - pressure) ** 2)))
    gap = math.nan
    if found.pumped > 0.0:
        gap = (found.pumped - found.done - found.lost - found.gained) / found.pumped
    error = error if math.isfinite(error) else math.inf
    cost = 1e3 * best / circuits.DURATION
    return CircuitRun(name, method, step, error, rms, gap, found.missed, found.passes, cost, *limits)


def compare(name: str) -> tuple[Any, Any, list[CircuitRun]]:
    """Times and states of the reference, and all runs of a circuit."""
    bench = circuits.bench(name)
    times = np.linspace(0.0, circuits.DURATION, round(circuits.DURATION / EXACT_STEP) + 1)
    exact = reference.solve(bench, times)
    methods = [(method, step) for method in INTEGRATIONS for step in IMPLICIT_STEPS]
    methods += [(method, step) for method in EXPLICIT for step in EXPLICIT_STEPS]
    bench.run(0.01, 1e-3)  # compiles before the timing
    return times, exact, [measure(bench, method, step, times, exact) for method, step in methods]
