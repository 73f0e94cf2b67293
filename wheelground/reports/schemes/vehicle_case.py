"""Case of the whole vehicle: from rest, full throttle in first gear, straight ahead on soft ground."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import bodies
from contact import Regularisation
from contact.laws.base import KernelLaw

from .history import Goal, History, history

#: Inputs before the start of a run; at time 0 the throttle opens.
STANDING = {"throttle": 0.0, "brake": 0.0, "steering": 0.0, "gear": 1.0, "clutch": 1.0}
BODY = "frame"  # body with the compared speed
#: Combination of longitudinal and lateral force that does not reduce the thrust of a straight drive.
COMBINED = "demand"


@dataclass(frozen=True)
class VehicleCase:
    """Case of the whole vehicle: 45 bodies on four wheels on soil, for ``duration`` [s].
    at_rest: True if the exact solution is rest; whole: True, since its steps are expensive."""

    law: str | KernelLaw
    goal: Goal
    name: str = "vehicle"
    title: str = "45 bodies, full throttle from rest in first gear"
    duration: float = 3.0
    at_rest: bool = False
    whole: bool = True

    def run(
        self,
        scheme: str | Regularisation,
        solver: str,
        step: float,
        every: int = 1,
        samples: int = 0,
        tick: Callable[[float], None] | None = None,
    ) -> History:
        """Run the case once; ``every``: steps per record; ``samples``: number of stored problems."""
        model = model_of(self.law, scheme)
        sim = bodies.Simulation(model, step, solver=solver, state=standing(self.law), record_work=True)
        sim.set_input("throttle", 1.0)
        steps = max(round(self.duration / step) // every * every, every)
        return history(sim, steps, every, samples, tick, piece_of)


def piece_of(run: bodies.Trajectory) -> dict[str, Any]:
    """Columns of a history from a piece of records, the first of which belongs to the previous piece."""
    wheels = [run.wheel(w.name) for w in run.model.mechanism.wheels]
    work = {name: done - done[0] for name, done in run.work().items()}
    joints = [e.name for e in run.model.mechanism.elements if type(e) in RIGID]

    def each(name: str) -> np.ndarray:
        return np.stack([getattr(w, name) for w in wheels], axis=1)[1:]

    forward = run.velocity(BODY)[1:, 0]
    return {
        "time": run.time[1:],
        "position": run.position(BODY)[1:, 0],
        "speeds": np.column_stack([forward, each("rim_speed")]),
        "slip": each("slip"),
        "thrust": each("traction"),
        "resistance": -each("resistance"),
        "load": each("load"),
        "lost": -sum(float(work[name][-1]) for name in joints if name in work),
        "turned_over": float(sum(np.maximum(np.diff(work["engine"]), 0.0))),
    }


#: Ideal joints do no work: their recorded work is an error of the step.
RIGID = (
    bodies.Fixed, bodies.Revolute, bodies.Prismatic, bodies.Cylindrical, bodies.Spherical,
    bodies.Universal, bodies.Planar, bodies.Distance, bodies.PointOnLine,
)  # fmt: skip


@functools.lru_cache(maxsize=32)
def model_of(law: str | KernelLaw, scheme: str | Regularisation) -> Any:
    """Compile the vehicle with all wheels under a ground law and a scheme."""
    from bodies.vehicle import load

    changes = dict(law=law, regularisation=scheme, combined=COMBINED)
    return bodies.compile(load("hmmwv", controls=STANDING, **changes))


@functools.lru_cache(maxsize=32)
def standing(law: str | KernelLaw) -> Any:
    """Static equilibrium of the vehicle, computed under a scheme with static friction."""
    inputs = {k: v for k, v in STANDING.items() if k != "throttle"}
    return bodies.equilibrium(model_of(law, "implicit"), inputs={**inputs, "throttle": 0.0})


def vehicle_case(law: str | KernelLaw) -> VehicleCase:
    """Make the case of the whole vehicle for a ground law."""
    from bodies.vehicle import read

    wheel = read("hmmwv").on(law=law, combined=COMBINED).wheel
    return VehicleCase(law, Goal("law", wheel=wheel))
