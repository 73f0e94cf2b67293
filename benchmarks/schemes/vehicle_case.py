"""The whole vehicle: from rest, full throttle in first gear, straight ahead on soft ground."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import bodies
from bodies.kernels import layout as L
from bodies.recorder import Recorder
from contact import Regularisation
from contact.laws.base import KernelLaw
from mlcp import MLCP

from .history import Goal, History

#: Inputs of the start; the throttle opens at t = 0.
STANDING = {"throttle": 0.0, "brake": 0.0, "steering": 0.0, "gear": 1.0, "clutch": 1.0}
BODY = "frame"  # whose speed is compared
MOST_RECORDS = 2000  # of everything, 10 kB each; then only what the comparison needs is kept


@dataclass(frozen=True)
class VehicleCase:
    """45 bodies on four soft wheels."""

    law: str | KernelLaw
    goal: Goal
    name: str = "vehicle"
    title: str = "45 bodies, full throttle from rest in first gear"
    duration: float = 3.0
    at_rest: bool = False
    whole: bool = True

    def run(
        self, scheme: str | Regularisation, solver: str, step: float, every: int = 1,
        samples: int = 0, tick: Callable[[float], None] | None = None,
    ) -> History:  # fmt: skip
        """Run it once; ``every``: steps a record; ``samples``: reduced problems to keep."""
        model = model_of(self.law, scheme)
        sim = bodies.Simulation(model, step, solver=solver, state=standing(self.law), book_work=True)
        sim.set_input("throttle", 1.0)
        steps = max(round(self.duration / step) // every * every, every)
        keep = max(steps // every // samples, 1) if samples else 0
        wall, passes, problems, before = 0.0, [], [], 0
        recorder, pieces = Recorder(sim, MOST_RECORDS + 2), []
        for k in range(steps // every):
            begin = time.perf_counter()
            sim.run(every)
            wall += time.perf_counter() - begin
            recorder.take()
            total = int(sim.work.i(L.COUNT_I)[L.ITERATIONS])
            passes.append((total - before) / every)
            before = total
            if keep and k % keep == keep - 1 and len(problems) < samples:
                problems.append(problem_of(sim))
            if tick is not None and k % 50 == 0:
                tick(k * every / steps)
            if recorder.count > MOST_RECORDS:
                pieces.append(piece_of(recorder.trajectory()))
                recorder = Recorder(sim, MOST_RECORDS + 2)
        if recorder.count > 1:
            pieces.append(piece_of(recorder.trajectory()))
        names = ("time", "position", "speeds", "slip", "thrust", "resistance", "load")
        whole = {name: np.concatenate([piece[name] for piece in pieces]) for name in names}
        return History(
            **whole, lost=pieces[-1]["lost"], turned_over=sum(p["turned_over"] for p in pieces),
            passes=np.array(passes), missed=sim.missed, residual=sim.residual(), steps=steps,
            wall_s=wall, problems=tuple(problems),
        )  # fmt: skip


def piece_of(run: Any) -> dict[str, Any]:
    """What a history keeps of some records, the first of which belongs to the piece before."""
    wheels = [run.wheel(w.name) for w in run.model.mechanism.wheels]
    work = run.work()
    joints = [e.name for e in run.model.mechanism.elements if type(e) in RIGID]

    def each(name: str) -> np.ndarray:
        return np.stack([getattr(w, name) for w in wheels], axis=1)[1:]

    ahead = run.velocity(BODY)[1:, 0]
    return {
        "time": run.time[1:], "position": run.position(BODY)[1:, 0],
        "speeds": np.column_stack([ahead, each("rim_speed")]), "slip": each("slip"),
        "thrust": each("traction"), "resistance": -each("resistance"), "load": each("load"),
        "lost": -sum(float(work[name][-1]) for name in joints if name in work),
        "turned_over": float(sum(np.maximum(np.diff(work["engine"]), 0.0))),
    }  # fmt: skip


#: Joints that should do no work: what they do is the step's own.
RIGID = (
    bodies.Fixed, bodies.Revolute, bodies.Prismatic, bodies.Cylindrical, bodies.Spherical,
    bodies.Universal, bodies.Planar, bodies.Distance, bodies.PointOnLine,
)  # fmt: skip


def problem_of(sim: Any) -> MLCP:
    """A copy of the reduced problem that the last step solved."""
    work = sim.work
    b = work.f(L.SOIL_B).copy()
    A = work.f(L.SOIL_A).reshape(len(b), len(b)).copy()
    return MLCP(0.5 * (A + A.T), b, work.f(L.SOIL_LOWER).copy(), work.f(L.SOIL_UPPER).copy())


@functools.lru_cache(maxsize=32)
def model_of(law: str | KernelLaw, scheme: str | Regularisation) -> Any:
    """The vehicle with all its wheels under a law and a scheme, compiled."""
    from bodies.vehicle import load

    return bodies.compile(load("hmmwv", controls=STANDING, law=law, regularisation=scheme))


@functools.lru_cache(maxsize=32)
def standing(law: str | KernelLaw) -> Any:
    """The state at rest on its springs, under the scheme that holds."""
    inputs = {k: v for k, v in STANDING.items() if k != "throttle"}
    return bodies.equilibrium(model_of(law, "implicit"), inputs={**inputs, "throttle": 0.0})


def vehicle_case(law: str | KernelLaw) -> VehicleCase:
    """The case under a ground law."""
    from bodies.vehicle import read

    wheel = read("hmmwv").on(law=law).wheel
    return VehicleCase(law, Goal("law", wheel=wheel))
