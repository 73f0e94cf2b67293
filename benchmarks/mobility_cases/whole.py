"""The force balance against the whole vehicle: slip and speed in random cases."""

from __future__ import annotations

import dataclasses

import numpy as np

from mobility import Driver, WholeVehicle, going, lumped
from mobility.kernels.tables import GO

from .row import Row

FREE = Driver(maximum=100.0, sight=1e4)
VEHICLES = ("hmmwv", "hmmwv_pitman", "hmmwv_4x4", "truck", "tractor")
CASES = 40


def measure() -> list[Row]:
    """Rows of the table."""
    rows = []
    for seed, name in enumerate(VEHICLES, 5):
        car, random, kept = lumped(name), np.random.default_rng(seed), []
        gears = [dataclasses.replace(car, gears=(gear,)) for gear in car.gears]
        while len(kept) < CASES:
            strength = float(np.exp(random.uniform(np.log(1.5e5), np.log(2e6))))
            along, gear = random.uniform(-0.05, 0.5), int(random.integers(1, 4))
            found = going(gears[gear - 1], strength, along, driver=FREE)
            if found.speed > 0.0:
                kept.append((strength, along, gear, float(found.slip), float(found.speed)))
        strength, along, gear, slip, speed = (np.array(x) for x in zip(*kept, strict=True))
        driven = WholeVehicle(name).keep_moving(strength, along, gear)
        off, slower = np.abs(driven.slip - slip), np.abs(driven.speed / speed - 1.0)
        starts = going(car, strength, along, driver=FREE).kind == GO
        rows += [
            Row(f"{name}: slip", float(off.max()), "-", 2e-3),
            Row(f"{name}: slip where it starts", float(off[starts].max()), "-"),
            Row(f"{name}: speed", float(slower.max()), "-", 0.01),
            Row(f"{name}: steps that missed", float(driven.missed.sum()), "", 0.0),
        ]
    return rows
