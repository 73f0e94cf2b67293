"""Times of the set-up and of the static equilibria of many variants of a vehicle."""

from __future__ import annotations

import functools
import time

import numpy as np

import bodies as B
from wheelground.reports.verdict import Check

#: Limits: time per vehicle of the search for the equilibria of a batch, over the time of a step of one
#: vehicle [-] (1,300 for the search of a single vehicle); time of the set-up per vehicle [s]; largest
#: difference of a state from the result of the single vehicle's search [SI].
REST, SET_UP, NEAR = 130.0, 0.03, 3e-7
VEHICLES = 256
SET = 10.0  # largest time to set a parameter of a vehicle in a batch, over the time of a step [-]
# least ratio of the time of a step of one parked vehicle alone to that among many, on one thread
PARKED = 3.0


def variants(model: B.Model, n: int) -> tuple[B.Batch, float]:
    """Batch of vehicles with different masses and soils, and the time of its set-up per vehicle [s]."""
    rng = np.random.default_rng(1)
    batch = B.Batch(model, n)
    start = time.perf_counter()
    batch.vary(
        {"soil.cone_index": rng.uniform(2.45e5, 6e5, n), "frame.mass": rng.uniform(1500.0, 2500.0, n)}
    )
    return batch, (time.perf_counter() - start) / n


def set_in_lanes(model: B.Model, batch: B.Batch) -> tuple[Check, float]:
    """Check the time to set a parameter of one vehicle in a batch, over the time of a step of one
    vehicle; returns the check and the time of the step [s]. Times are the least of some rounds.
    """
    rng, alone, least = np.random.default_rng(2), B.Simulation(model, 1e-3), [float("inf")] * 2
    for _ in range(5):
        values = rng.uniform(2.45e5, 6e5, batch.n)
        works = (
            (functools.partial(batch.set, "soil.cone_index", values), batch.n),
            (functools.partial(alone.run, 500), 500),
        )
        for k, (work, count) in enumerate(works):
            start = time.perf_counter()
            work()
            least[k] = min(least[k], (time.perf_counter() - start) / count)
    ratio = least[0] / least[1]
    words = f"a parameter set in a lane <= {SET:g} steps of a vehicle alone"
    return Check(words, f"{ratio:.2f} ({1e6 * least[0]:.0f} us)", ratio <= SET, True), least[1]


def parked(batch: B.Batch, alone: B.Simulation) -> Check:
    """Compare the time per vehicle and step of one standing vehicle with that of many on one thread."""
    least = [float("inf")] * 2
    for _ in range(10):
        for k, (run, steps, n) in enumerate(((alone.run, 500, 1), (batch.run, 20, batch.n))):
            start = time.perf_counter()
            run(steps, **({"threads": 1} if k else {}))
            least[k] = min(least[k], (time.perf_counter() - start) / (n * steps))
    words = f"{least[0] / least[1]:.2f} ({1e6 * least[1]:.1f} us)"
    return Check(
        f"parked, one thread >= {PARKED:g} vehicles alone", words, least[0] >= PARKED * least[1], True
    )


def rests(model: B.Model, n: int, threads: int) -> list[Check]:
    """Check set-up, times and results of the search for equilibria of n variants, rolling and braked."""
    found: list[Check] = []
    step = 0.0  # time of a step of one vehicle [s]
    variants(model, 8)[0].equilibrium(
        inputs={"throttle": 0.0}, patient=False, threads=threads
    )  # compile, also for lanes, and import before the measurement
    for brake in (0.0, 1.0):
        batch, set_up = variants(model, n)
        start, inputs = time.perf_counter(), {"brake": brake, "throttle": 0.0}
        batch.equilibrium(inputs=inputs, patient=False, threads=threads)
        took = time.perf_counter() - start
        if not found:
            words = f"{1e3 * set_up:.0f} ms"
            check, step = set_in_lanes(model, variants(model, n)[0])
            found.append(check)
            found.append(
                Check(f"set-up of a variant <= {1e3 * SET_UP:.0f} ms", words, set_up <= SET_UP, True)
            )
        how, steps = f"{n} at rest with brake {brake:g} on {threads}", took / (n * step)
        words = f"{how} <= {REST:g} steps of a vehicle alone each"
        found.append(Check(words, f"{steps:.0f} ({took:.1f} s)", steps <= REST, True))
        one = batch[n - 1]
        alone = B.Simulation(
            one.model, 1e-3, state=B.equilibrium(one.model, inputs=inputs, patient=False)
        )
        far = np.abs(alone.state().floats - one.state().floats).max()
        found.append(
            Check("one of them as searched alone", f"{far:.1g}", far <= NEAR and not batch.stopped)
        )
        if brake:
            found.append(parked(batch, alone))
    return found
