"""The backhoe's dig cycle in one solve, or with its 16 bodies and its oil in steps of two lengths."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.hydraulic_cases.backhoe import DURATION, digging
from bodies import compile, equilibrium, simulate
from rig.two_rates.exchange import MultiRate
from rig.two_rates.linkage import Linkage

Array = NDArray[np.float64]

RECORD = 8e-3  # [s] interval of the records
REFERENCE = 1e-4  # [s] step of the reference, one solve of bodies and oil
SOLVE_STEPS = (1e-3, 2e-3, 8e-3)
# (T, c, t): step of the bodies, interval of the exchange, step of the oil [s]
SPLITS = ((1e-3, 1e-3, 1e-4), (2e-3, 2e-3, 2e-4), (8e-3, 2e-3, 1e-3))
OPTIONS = ({}, {"input": "linear", "force": "mean"})
METHOD = "ode5"


@dataclass(frozen=True)
class DigRun:
    """One run of the dig cycle."""

    method: str
    steps: str  # step lengths as text [ms]
    error: float  # largest error of all pistons [m]; infinite: one has left its cylinder
    ended: float  # time of the run's end [s]
    cost: float  # cost of a simulated millisecond [us]

    def cells(self) -> list[str]:
        """Table cells: method, steps, largest error of a piston, cost."""
        if not math.isfinite(self.error):
            return [self.method, self.steps, f"a piston leaves its cylinder at {self.ended:.1f} s", ""]
        return [self.method, self.steps, f"{1e3 * self.error:.2g} mm", f"{self.cost:.0f} µs"]


def one_solve(step: float, seconds: float = DURATION) -> tuple[Array, float]:
    """Lengths of all pistons at every record [m], and the computing time [s]."""
    model = compile(digging())
    start, began = equilibrium(model), time.perf_counter()
    run = simulate(model, seconds, step, state=start, record_every=round(RECORD / step), progress=False)
    took, names = time.perf_counter() - began, [b.cylinder.name for b in model.circuit.branches]
    return np.stack([run.hydraulics.extension(name)[1:] for name in names], axis=1), took


def two_rates(T: float, c: float, t: float, seconds: float = DURATION, **options: str) -> Array:
    """Lengths of all pistons at every record [m], bodies and oil at two rates.

    Raises:
        RuntimeError: a piston outside its stroke.
    """
    linkage = Linkage(digging(), T)
    oil, y = linkage.oil()
    rates = MultiRate(linkage, oil, T, c, t, method=METHOD, **options)  # type: ignore[arg-type]
    count, every = round(seconds / RECORD), round(RECORD / max(T, c))
    x, _, _ = rates.run(linkage.start, y, RECORD * count)
    return x[every::every, : len(linkage.circuit.branches)]


def rows(seconds: float = DURATION) -> Iterator[DigRun]:
    """Rows of every method; errors against one solve at 0.1 ms."""
    exact, _ = one_solve(REFERENCE, seconds)
    for step in SOLVE_STEPS:
        got, took = one_solve(step, seconds)
        error = float(np.abs(got - exact).max())
        yield DigRun("one solve, auto", f"{1e3 * step:g}", error, seconds, 1e3 * took / seconds)
    for T, c, t in SPLITS:
        for options in OPTIONS:
            method = "two rates, " + (", ".join(options.values()) or "held, last")
            steps, began = " / ".join(f"{1e3 * s:g}" for s in (T, c, t)), time.perf_counter()
            try:
                error, ended = (
                    float(np.abs(two_rates(T, c, t, seconds, **options) - exact).max()),
                    seconds,
                )
            except RuntimeError as failure:
                error, ended = math.inf, float(str(failure).split()[1])
            cost = 1e3 * (time.perf_counter() - began) / seconds
            yield DigRun(method, steps, error, ended, cost)
