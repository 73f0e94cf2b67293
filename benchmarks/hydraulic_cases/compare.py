"""Every way at every step against Radau: error, energy, cost."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bodies.hydraulics import Bench
from bodies.hydraulics.bench import INTEGRATIONS

from . import circuits, reference

EXACT_STEP = 5e-4  # [s] of the reference's records
IMPLICIT_STEPS = (5e-4, 1e-3, 2e-3, 5e-3, 8e-3)
EXPLICIT_STEPS = (2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3)
EXPLICIT = ("ode3", "ode5")
ROUNDS = 3  # the fastest of these is the cost
#: Largest error [m] at 1 ms.
LIMITS = {
    ("boom", "backward"): 2e-3,
    ("boom", "auto"): 3e-4,
    ("bucket", "backward"): 2e-4,
    ("bucket", "auto"): 2e-4,
}
DIVERGED = 0.05  # [m] farther from the reference is no solution any more


@dataclass(frozen=True)
class Row:
    """One run."""

    case: str
    method: str
    step: float  # [s]
    error: float  # [m] of the piston
    pressure: float  # [Pa] root mean square of both chambers' error
    energy: float  # of the pump's work; nan where it is not booked
    missed: int
    passes: float
    cost: float  # [us] a simulated millisecond

    @property
    def stable(self) -> bool:
        """Whether it ended, near the reference."""
        return self.error < DIVERGED

    @property
    def passed(self) -> bool:
        """Implicit runs are stable, miss no step, and keep their limit at 1 ms."""
        if self.method in EXPLICIT:
            return True
        limit = LIMITS.get((self.case, self.method), math.inf) if self.step == 1e-3 else math.inf
        return self.stable and self.missed == 0 and self.error <= limit

    def cells(self) -> list[str]:
        """Cells of the table."""
        words = [self.method, f"{1e3 * self.step:g}"]
        if not self.stable:
            return [*words, "-", "-", "-", "-", "-", "-", "unstable"]
        implicit = self.method not in EXPLICIT
        return [
            *words,
            f"{1e3 * self.error:.2g}",
            f"{1e-6 * self.pressure:.2g}",
            f"{self.energy:.0e}" if implicit else "",
            f"{self.missed}" if implicit else "",
            f"{self.passes:.1f}" if implicit else "",
            f"{self.cost:.1f}",
            "" if self.passed else "[bold red]failed",
        ]

    def as_dict(self) -> dict[str, Any]:
        """For --json."""
        return asdict(self) | {"stable": bool(self.stable), "passed": bool(self.passed)}


def measure(bench: Bench, method: str, step: float, times: Any, exact: Any) -> Row:
    """One run, timed."""
    name, every = bench.circuit.name, max(1, round(EXACT_STEP / step))
    if math.isclose(circuits.DURATION / step, round(circuits.DURATION / step)) is False:
        raise ValueError(f"step {step:g} s does not divide {circuits.DURATION:g} s")
    best, found = math.inf, None
    for _ in range(ROUNDS):
        began = time.process_time()
        try:
            found = bench.run(circuits.DURATION, step, method, record_every=every)
        except RuntimeError:  # a piston left its cylinder
            return Row(name, method, step, math.inf, math.inf, math.nan, 0, 0.0, math.nan)
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
    return Row(name, method, step, error, rms, gap, found.missed, found.passes, cost)


def compare(name: str) -> tuple[Any, Any, list[Row]]:
    """Times and states of the reference, and all runs of a circuit."""
    bench = circuits.bench(name)
    times = np.linspace(0.0, circuits.DURATION, round(circuits.DURATION / EXACT_STEP) + 1)
    exact = reference.solve(bench, times)
    methods = [(method, step) for method in INTEGRATIONS for step in IMPLICIT_STEPS]
    methods += [(method, step) for method in EXPLICIT for step in EXPLICIT_STEPS]
    bench.run(0.01, 1e-3)  # compiles
    return times, exact, [measure(bench, method, step, times, exact) for method, step in methods]
