"""Cells a second on one core."""

from __future__ import annotations

import time

import numpy as np

from mobility import lumped, surface
from mobility.kernels.entry import cells_over, chances_over
from mobility.performance.odds import odds

from .row import Measurement

CELLS, ROUNDS = 200_000, 7


def _least(work) -> float:
    """Least processor time of several rounds [s]."""
    best = np.inf
    for _ in range(ROUNDS):
        start = time.thread_time()
        work()
        best = min(best, time.thread_time() - start)
    return best


def measure() -> list[Measurement]:
    """Rows of the table of rates [cells/s]."""
    car = lumped("hmmwv_4x4")
    start = time.process_time()
    table = surface(car)
    tabulated = time.process_time() - start
    start = time.process_time()
    chances = odds(table, 0.15, 0.03)
    counted = time.process_time() - start
    random = np.random.default_rng(1)
    strength = np.exp(random.uniform(np.log(5e4), np.log(3e6), CELLS))
    slope = np.abs(random.normal(0.0, 0.2, CELLS))
    limit, codes = np.full(CELLS, np.nan), np.empty((3, CELLS), np.uint8)
    values = np.empty((5, CELLS), np.float32)
    four = np.empty((CELLS, 4), np.float32)
    all_ = (table.table, chances, strength, slope, limit, codes, values)
    some = (chances, strength, slope, four)
    cells_over(*all_)
    chances_over(*some)
    whole, part = _least(lambda: cells_over(*all_)), _least(lambda: chances_over(*some))
    return [
        Measurement("vehicle's table", tabulated, "s", timing=True),
        Measurement("tables of its chances", counted, "s", timing=True),
        Measurement(
            "P(GO) and three quantiles, one core", CELLS / part / 1e6, "M cells/s", 2.0, True, True
        ),
        Measurement("every layer, one core", CELLS / whole / 1e6, "M cells/s", timing=True),
    ]
