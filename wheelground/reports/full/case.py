"""Full-vehicle test of Peiret et al.: full throttle for 10 s on flat soft ground, upshift at 5 s."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bodies
from bodies import Schedule, vehicle
from contact import REGULARISATIONS, checks

SCHEMES = tuple(REGULARISATIONS)
SOLVERS = ("direct", "osqp", "pgs")
DURATION, SHIFT = 10.0, 5.0  # simulated time, time of the upshift [s]
TARGET, SPREAD = (
    19.1,
    0.1,
)  # published speed and tolerance [km/h]; soil and gearing were fitted to this speed
#: Controls of the test. The clutch closes over 0.8 s at the start, and opens around the gear change.
CONTROLS = {
    "throttle": Schedule(((0.0, 0.0), (0.2, 1.0))),
    "gear": Schedule(((0.0, 3), (SHIFT, 4)), hold=True),
    "clutch": Schedule(
        (
            (0.0, 0.0),
            (0.2, 0.0),
            (1.0, 1.0),
            (SHIFT - 0.1, 1.0),
            (SHIFT, 0.0),
            (SHIFT + 0.1, 0.0),
            (SHIFT + 0.4, 1.0),
        )
    ),
}
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
COLUMNS = ("load", "traction", "resistance", "slip")


@dataclass(frozen=True)
class FullVehicleCase:
    """Full-vehicle test with the options of the command line."""

    step: float = 1e-3
    duration: float = DURATION
    cone_index: float | None = None
    name: str | Path = "hmmwv"

    def __post_init__(self) -> None:
        checks.within("full vehicle", "step", self.step, 0.0, 0.05, unit="s", open_low=True)
        checks.within("full vehicle", "duration", self.duration, 0.1, 3600.0, unit="s")
        self.vehicle("implicit")

    def vehicle(self, scheme: str) -> vehicle.Vehicle:
        """Description of the test's vehicle, with a regularisation scheme for the wheels."""
        return vehicle.read(self.name).on(regularisation=scheme, cone_index=self.cone_index)

    def model(self, scheme: str) -> bodies.Model:
        """Compiled model of the test's vehicle, with the controls of the test."""
        return bodies.compile(self.vehicle(scheme).mechanism(dict(CONTROLS)))

    def at_rest(self, scheme: str) -> bodies.State:
        """Static equilibrium of the vehicle on its soil.

        Raises:
            ValueError: the vehicle lacks wheels or inputs of the test, or cannot be compiled.
            SimulationError: the vehicle does not come to rest.
        """
        model = self.model(scheme)
        for body in ("frame", *(f"{wheel} wheel" for wheel in WHEELS)):
            checks.known("body of the test's vehicle", body, model.body_index)
        return bodies.equilibrium(model)

    @property
    def as_published(self) -> bool:
        """Whether the published speed applies: default vehicle, soil and duration."""
        return self.cone_index is None and self.name == "hmmwv" and self.duration == DURATION


@dataclass(frozen=True, eq=False)
class FullVehicleRun:
    """One run: histories of time (n,) [s], speed (n,) [m/s] and wheels (n, wheels, COLUMNS)."""

    scheme: str
    solver: str
    step: float
    time: NDArray[np.float64]
    speed: NDArray[np.float64]
    wheels: NDArray[np.float64]
    names: tuple[str, ...]
    simulation: bodies.Simulation = field(repr=False)
    wall_s: float

    @property
    def km_h(self) -> float:
        """Speed at the end [km/h]."""
        return 3.6 * float(self.speed[-1])

    def history(self, wheel: str, column: str) -> NDArray[np.float64]:
        """History of one wheel's load, traction, resistance [N] or slip [-]."""
        return self.wheels[:, self.names.index(wheel), COLUMNS.index(column)]

    @property
    def steady(self) -> dict[str, float]:
        """Final speed, and final load, traction, resistance and slip of every wheel, for comparisons."""
        values = {"speed": float(self.speed[-1])}
        for k, name in enumerate(self.names):
            values |= {f"{name} {c}": float(self.wheels[-1, k, m]) for m, c in enumerate(COLUMNS)}
        return values


def run_case(
    case: FullVehicleCase,
    scheme: str,
    solver: str = "direct",
    progress: Callable[[float], None] | None = None,
) -> FullVehicleRun:
    """Run the test once from standstill; ``progress`` is called with the fraction done."""
    model = case.model(scheme)
    start = bodies.equilibrium(model)
    simulation = bodies.Simulation(model, case.step, solver=solver, state=start)
    each = max(1, round(0.01 / case.step))
    records = max(1, round(case.duration / case.step) // each)
    names = tuple(w.name for w in model.mechanism.wheels)
    times, speed = np.zeros(records), np.zeros(records)
    wheels = np.zeros((records, len(names), len(COLUMNS)))
    begin = time.perf_counter()
    for k in range(records):
        simulation.run(each)
        times[k], speed[k] = simulation.time, simulation.velocity("frame")[0]
        for m, reading in enumerate(vehicle.wheel_readings(simulation).values()):
            wheels[k, m] = [getattr(reading, c) for c in COLUMNS]
        if progress is not None and k % 20 == 0:
            progress(k / records)
    wall = time.perf_counter() - begin
    return FullVehicleRun(scheme, solver, case.step, times, speed, wheels, names, simulation, wall)


def time_per_step(run: FullVehicleRun, steps: int = 500, repeats: int = 12) -> float:
    """Computing time per step of the steady drive [s]: the smallest of ``repeats`` runs of ``steps``."""
    simulation = bodies.Simulation(
        run.simulation.model, run.step, solver=run.solver, state=run.simulation.state()
    )
    best = np.inf
    for _ in range(repeats):
        begin = time.perf_counter()
        simulation.run(steps)
        best = min(best, (time.perf_counter() - begin) / steps)
    return best
