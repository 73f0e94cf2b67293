"""Oil in another process: error against one solve of load and oil, over the latency of the exchange."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.hydraulic_cases import circuits
from rig.outside.remote import Remote, serve
from rig.two_rates.exchange import MultiRate
from rig.two_rates.oil import Oil, Rods

REFERENCE = 1e-4  # [s] step of the reference, one solve of load and oil
EXCHANGE, FAST, METHOD = 1e-3, 1e-4, "ode5"  # [s] interval of the exchange; step and method of the oil
DELAYS = (0, 1, 2, 5, 10)  # latencies in intervals of the exchange
DIVERGED = 0.05  # [m] error of the piston above which a run counts as diverged


@dataclass(frozen=True)
class SplitRun:
    """One run of a circuit with its oil in another process."""

    case: str
    delay: int  # latency in intervals of the exchange
    error: float  # largest error of the piston [m]; infinite: it has left its cylinder
    cost: float  # wall time of an exchange [us]

    @property
    def cell(self) -> str:
        """Table cell: largest error of the piston [mm], or "unstable"."""
        return f"{1e3 * self.error:.2g}" if self.error < DIVERGED else "unstable"


def _oil(case: str, ports: Any) -> None:
    serve(Oil(circuits.bench(case).circuit), ready=ports.put)


def rows(seconds: float = circuits.DURATION) -> Iterator[SplitRun]:
    """Runs of both circuits at every delay."""
    context = multiprocessing.get_context("spawn")
    for case in circuits.CASES:
        bench, ports = circuits.bench(case), context.Queue()
        every = round(EXCHANGE / REFERENCE)
        exact = bench.run(seconds, REFERENCE).length[::every, 0]
        oil, rods = Oil(bench.circuit), Rods(bench.rods)
        start = oil.start(rods.load)
        x = np.array([bench.circuit.branches[0].cylinder.extension, 0.0])
        process = context.Process(target=_oil, args=(case, ports), daemon=True)
        process.start()
        port = ports.get(timeout=120.0)
        try:
            for delay in DELAYS:
                with Remote(port, delay=delay, force=start[-1:]) as fast:
                    rates = MultiRate(rods, fast, T=EXCHANGE, c=EXCHANGE, t=FAST, method=METHOD)
                    rates.run(x, start, EXCHANGE)  # compile before the timed run
                with Remote(port, delay=delay, force=start[-1:]) as fast:
                    began = time.perf_counter()
                    rates = MultiRate(rods, fast, T=EXCHANGE, c=EXCHANGE, t=FAST, method=METHOD)
                    try:
                        motion = rates.run(x, start, seconds)[0][:, 0]
                        error = float(np.abs(motion - exact).max())
                    except Exception:  # the piston has left its cylinder
                        error = float("inf")
                    cost = 1e6 * (time.perf_counter() - began) / round(seconds / EXCHANGE)
                yield SplitRun(case, delay, error, cost)
        finally:
            process.terminate()
            process.join()


def table(found: list[SplitRun]) -> str:
    """Markdown table, for the documentation, of errors [mm] by circuit (row) and latency (column)."""
    heads = [f"{1e3 * delay * EXCHANGE:g}" for delay in DELAYS]
    lines = ["| latency [ms] | " + " | ".join(heads) + " |", "|---" * (1 + len(heads)) + "|"]
    for case in circuits.CASES:
        cells = (row.cell for row in found if row.case == case)
        lines.append(f"| {case} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    runs = list(rows())
    print(table(runs))
    for run in runs:
        print(f"{run.case}, latency {run.delay} exchanges: {run.cost:.0f} us of wall time an exchange")
