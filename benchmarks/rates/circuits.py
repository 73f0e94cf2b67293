"""Errors of the reference circuits against SciPy's Radau, by three kinds of solution.

One implicit solve of oil and load; explicit steps of both at one rate; or two rates: oil and load as
separate models with steps of their own, which exchange force and motion.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.hydraulic_cases import circuits, reference
from benchmarks.hydraulic_cases.compare import DIVERGED, EXACT_STEP, measure
from bodies.hydraulics import Bench
from rig.two_rates.exchange import MultiRate
from rig.two_rates.oil import Oil, Rods
from rig.two_rates.search import Choice, Search

Array = NDArray[np.float64]

ONE_SOLVE = ("auto", "backward")
SOLVE_STEPS = (1e-3, 2e-3, 8e-3)
EXPLICIT_STEPS = (5e-5, 2e-4, 1e-3)
# (T, c, t): step of the load, interval of the exchange, step of the oil [s]
SPLITS = ((8e-3, 2e-3, 1e-3), (1e-3, 1e-3, 1e-4), (2e-4, 2e-4, 5e-5), (5e-5, 5e-5, 5e-5))
OPTIONS = ({}, {"input": "linear", "force": "mean"})
METHOD = "ode5"  # integration method of the oil, as in Karkee et al. (2010)
TOLERANCE = 1e-3  # [m] allowed error of the piston in the search for steps


@dataclass(frozen=True)
class RateRun:
    """Errors and cost of one run of a circuit."""

    case: str
    method: str
    steps: str  # step lengths as text [ms]
    error: float  # largest error of the piston [m]; infinite: the run failed
    pressure: float  # root mean square error of both chambers [Pa]; nan for a run at two rates
    interface: float  # spurious work of the exchange of forces and motion over the pump's work [-]
    cost: float  # cost of a simulated millisecond [us]

    @property
    def stable(self) -> bool:
        """Whether the run was complete, with an error below ``DIVERGED``."""
        return self.error < DIVERGED

    def cells(self) -> list[str]:
        """Table cells: error of the piston, error of the pressures, work of the exchange, cost."""
        if not self.stable:
            return ["unstable", "", "", ""]
        return [
            f"{1e3 * self.error:.2g} mm" if self.error > 1e-6 else "below 0.001 mm",
            f"{1e-6 * self.pressure:.2g} MPa" if math.isfinite(self.pressure) else "",
            f"{100.0 * self.interface:.2g} %" if math.isfinite(self.interface) else "",
            f"{self.cost:.2g} µs",
        ]


class ReferenceCircuit:
    """A reference circuit with its exact solution."""

    def __init__(self, name: str) -> None:
        self.name: str = name
        self.bench: Bench = circuits.bench(name)
        count = round(circuits.DURATION / EXACT_STEP) + 1
        self.times: Array = np.linspace(0.0, circuits.DURATION, count)
        self.exact: Array = reference.solve(self.bench, self.times)
        self.pumped: float = self.bench.run(circuits.DURATION, 1e-3).pumped
        self.oil: Oil = Oil(self.bench.circuit)
        self.rods: Rods = Rods(self.bench.rods)

    def at(self, times: Array, column: int) -> Array:
        """Column of the exact solution at the given times."""
        return np.interp(times, self.times, self.exact[:, column])

    def solved(self, method: str, step: float) -> RateRun:
        """Row of a run in one solve, or by explicit steps at one rate."""
        found = measure(self.bench, method, step, self.times, self.exact)
        steps = f"{1e3 * step:g}"
        return RateRun(self.name, method, steps, found.error, found.pressure, math.nan, found.cost)

    def split(self, T: float, c: float, t: float, **options: Any) -> tuple[Array, Array, float]:
        """Times [s] and piston positions [m] at two rates; spurious work of the exchange [J]."""
        rates = MultiRate(self.rods, self.oil, T, c, t, method=METHOD, **options)
        every = max(T, c)
        count = math.floor(circuits.DURATION / every * (1.0 + 1e-9))
        start = np.array([self.bench.circuit.branches[0].cylinder.extension, 0.0])
        x, y, sent = rates.run(start, self.oil.start(self.rods.load), count * every)
        # piston's motion in the model of the load, less that in the model of the oil [m]
        moved = np.diff(x[:, 0]) - (y[1:, 0] - x[:-1, 0])
        return every * np.arange(count + 1), x[:, 0], float(sent[:, 0] @ moved)

    def exchanged(self, T: float, c: float, t: float, **options: Any) -> RateRun:
        """Row of a run at two rates."""
        method = "two rates" + (", " + ", ".join(options.values()) if options else ", held, last")
        steps, began = " / ".join(f"{1e3 * s:.3g}" for s in (T, c, t)), time.process_time()
        try:
            times, length, made = self.split(T, c, t, **options)
        except RuntimeError:
            return RateRun(self.name, method, steps, math.inf, math.nan, math.nan, math.nan)
        cost = 1e3 * (time.process_time() - began) / circuits.DURATION
        error = float(np.abs(length - self.at(times, 0)).max())
        return RateRun(self.name, method, steps, error, math.nan, abs(made) / self.pumped, cost)

    def search(self) -> Choice:
        """Steps T, c and t by the search of Karkee et al. (2010); T and c may together add an error of
        1 mm."""

        def error(pair: Array) -> float:
            return float(np.abs(pair[:, 0] - pair[:, 1]).max())

        def whole(s: float) -> Array:
            run = self.bench.run(circuits.DURATION, s, METHOD, record_every=1)
            return np.column_stack((run.length[:, 0], self.at(run.time, 0)))

        def split(T: float, c: float, t: float) -> Array:
            times, length, _ = self.split(T, c, t)
            return np.column_stack((length, self.at(times, 0)))

        span = np.repeat(self.exact[:, :1], 2, axis=1)
        return Search(whole, split, span, error=error, tolerance=TOLERANCE, close=0.05).choose()

    def rows(self, choice: Choice | None = None) -> Iterator[RateRun]:
        """Rows of every method at every step."""
        for method, steps in ((w, SOLVE_STEPS) for w in ONE_SOLVE):
            for step in steps:
                yield self.solved(method, step)
        for step in EXPLICIT_STEPS:
            yield self.solved(METHOD, step)
        found = [(choice.T, choice.c, choice.t)] if choice else []
        for T, c, t in (*SPLITS, *found):
            for options in OPTIONS:
                yield self.exchanged(T, c, t, **options)
