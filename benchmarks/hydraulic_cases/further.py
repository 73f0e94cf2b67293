"""Further circuits than the two of reference, against Radau."""

from __future__ import annotations

import numpy as np

from . import circuits, reference
from .compare import EXACT_STEP

SEEDS = (3, 4, 5, 6, 9, 12)  # of ``circuits.further``: loads that push, loads that pull
STEPS = (5e-4, 1e-3, 2e-3, 4e-3)
MOST = 3e-4  # [m] at 1 ms


def worst() -> dict[float, tuple[float, int]]:
    """Largest error of a piston [m] and steps missed, by step."""
    found = dict.fromkeys(STEPS, (0.0, 0))
    times = np.linspace(0.0, circuits.DURATION, round(circuits.DURATION / EXACT_STEP) + 1)
    for seed in SEEDS:
        bench = circuits.further(seed)
        exact = reference.solve(bench, times)
        for step, (error, missed) in found.items():
            run = bench.run(circuits.DURATION, step)
            at = np.round(run.time / EXACT_STEP).astype(int)
            most = float(np.max(np.abs(run.length[:, 0] - exact[at, 0])))
            found[step] = max(error, most), missed + run.missed
    return found
