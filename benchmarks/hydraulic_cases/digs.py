"""Error, energy balance and cost of the backhoe's dig cycle by every integration method and step."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import numpy as np

from bodies import Model, Motor, Simulation, SimulationError, State, Trajectory, compile, equilibrium
from bodies.hydraulics import Circuit
from bodies.hydraulics.circuit import INTEGRATIONS
from bodies.mechanism import Mechanism
from bodies.running.recorder import Recorder

from .backhoe import DURATION, JOINTS, digging
from .row import CircuitRun

REFERENCE = 2e-5  # [s] step of the reference
EVERY = 8e-3  # interval of the records, a multiple of all compared steps [s]
STEPS = (5e-4, 1e-3, 2e-3, 4e-3, 8e-3)
CASE = "backhoe"
MOST_STEP, MOST_OIL = 40.0, 15.0  # [us] largest CPU time of a step of 1 ms, and of the oil's part
DIVERGED = 0.1  # [rad] error above which a run counts as diverged
#: Limits at 1 ms: joint error [rad], error of the energy balance over the pump's work.
LIMITS = {"auto": (2e-4, 1e-3), "centred": (2e-4, 1e-3), "backward": (math.inf, 5e-3)}


def dig(model: Model, start: State, step: float) -> tuple[Trajectory, float, Any]:
    """A recorded run of the cycle, its CPU time a step [s], and the simulation."""
    sim = Simulation(model, step, state=start)
    steps, every = round(DURATION / step), round(EVERY / step)
    recorder = Recorder(sim, steps // every + 1)
    began = time.process_time()
    recorder.run(steps, every)
    return recorder.trajectory(), (time.process_time() - began) / steps, sim


def pressures(run: Trajectory) -> np.ndarray:
    """Pressures of all chambers, (n, 2 cylinders) [Pa]."""
    oil = run.hydraulics
    return np.concatenate([oil.pressure(name) for name in run.model.circuit.cylinders], axis=1)


def measure(method: str, step: float, model: Model, start: State, exact: Trajectory) -> CircuitRun:
    """Row of one run: its errors against the reference."""
    limits = True, DIVERGED, *(LIMITS[method] if step == 1e-3 else (math.inf, math.inf))
    try:
        run, cost, sim = dig(model, start, step)
    except SimulationError:
        return CircuitRun(CASE, method, step, math.inf, math.inf, math.nan, 0, 0.0, math.nan, *limits)
    with np.errstate(all="ignore"):
        error = max(float(np.max(abs(run.coordinate(j) - exact.coordinate(j)))) for j in JOINTS)
        rms = float(np.sqrt(np.mean((pressures(run) - pressures(exact)) ** 2)))
    error = error if math.isfinite(error) else math.inf
    passes = sim.work.oil().clock.passes * step / DURATION
    cost *= 1e3 / step  # cost of a simulated millisecond [us]
    return CircuitRun(CASE, method, step, error, rms, gap(run), run.missed, passes, cost, *limits)


def gap(run: Trajectory) -> float:
    """Error of the energy balance over the pump's work: work less load, losses and stored energy."""
    oil = run.hydraulics
    work = {name: float(done[-1] - done[0]) for name, done in oil.work.items()}
    stored = float(oil.energy[-1] - oil.energy[0])
    if not work["pumped"] > 0.0:
        return math.nan
    return (work["pumped"] - work["done"] - work["lost"] - stored) / work["pumped"]


def compare() -> tuple[Trajectory, list[CircuitRun], float]:
    """Return the reference, the compared runs, and the CPU time of a step with rigid cylinders [s]."""
    models = {method: compile(digging(integration=method)) for method in INTEGRATIONS}
    starts = {method: equilibrium(model) for method, model in models.items()}
    exact, _, _ = dig(models["centred"], starts["centred"], REFERENCE)
    methods = [(method, step) for method in INTEGRATIONS for step in STEPS]
    found = [measure(method, step, models[method], starts[method], exact) for method, step in methods]
    return exact, found, rigid_cost()


def rigid_cost() -> float:
    """CPU time of a step with cylinders at rest and without oil [s]."""
    sim = Simulation(compile(rigid(digging())), 1e-3)
    sim.run(10)
    began = time.process_time()
    sim.run(5000)
    return (time.process_time() - began) / 5000


def rigid(mechanism: Mechanism) -> Mechanism:
    """The mechanism with motors at rest in place of its cylinders, one for each degree of freedom."""

    def without_oil(element: Any) -> list[Any]:
        if not isinstance(element, Circuit):
            return [element]
        return [
            Motor(name=b.cylinder.name, joint=b.cylinder.joint or "", mode="speed", target=0.0)
            for b in element.branches
            if b.cylinder.name != "swing right"
        ]

    elements = [piece for element in mechanism.elements for piece in without_oil(element)]
    return replace(mechanism, elements=tuple(elements))
