"""Four cases on the quarter vehicle: Table 1, parking on a slope, a step of torque, braking."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.quarter.case import PEAK, RAMP, Case
from benchmarks.quarter.closed_form import (
    SteadyState,
    brake_torque,
    braked,
    ratios,
    settled,
    strongest_slip,
)
from bodies import Schedule
from bodies.quarter import UNITS, QuarterModel, QuarterVehicle
from contact import Regularisation
from contact.laws.base import KernelLaw

from .history import Goal, History

COLUMN = {name: k for k, name in enumerate(UNITS)}
LOCKED = 1e5  # a brake that nothing overcomes [N m]
Scheme = str | Regularisation


@dataclass(frozen=True)
class QuarterCase:
    """A case under one ground law.

    Arguments:
        name, title: for tables and pictures.
        vehicle: with the default scheme; a run replaces it.
        duration [s], speed: at the start, rolling [m/s].
        goal: the closed form.
        at_rest: its exact solution is rest, so that no reference run is needed.
        whole: a whole vehicle, whose steps are dear.
    """

    name: str
    title: str
    vehicle: QuarterVehicle
    duration: float
    speed: float
    goal: Goal
    at_rest: bool = False
    whole: bool = False

    @property
    def law(self) -> str | KernelLaw:
        """The ground law."""
        return self.vehicle.wheel.law

    def run(
        self, scheme: Scheme, solver: str, step: float, every: int = 1, samples: int = 0,
        tick: Callable[[float], None] | None = None,
    ) -> History:  # fmt: skip
        """Run it once; ``every``: steps a record; ``samples``: reduced problems to keep."""
        wheel = replace(self.vehicle.wheel, regularisation=scheme)
        vehicle = replace(self.vehicle, wheel=wheel)
        model = QuarterModel(vehicle, solver)
        model.restore(model.at_rest(step, self.speed))
        steps = round(self.duration / step) // every * every
        out = np.zeros((steps // every, len(UNITS)))
        chunk = max(steps // max(samples, 20), 1)
        chunk = -(-chunk // every) * every
        done, wall, missed, worst, problems = 0, 0.0, 0, 0.0, []
        while done < steps:
            take = min(chunk, steps - done)
            begin = time.perf_counter()
            late, residual = model.run(step, take, every, out[done // every :])
            wall += time.perf_counter() - begin
            done, missed, worst = done + take, missed + late, max(worst, residual)
            if len(problems) < samples:
                motion = model.motion
                if all(np.isfinite(x).all() for x in (motion.B, motion.u_free)):
                    problems.append(model.contact.problem(motion.B, motion.u_free))
            if tick is not None:
                tick(done / steps)
        lost, turned_over = energy(vehicle, self.speed, step * every, out)
        c = COLUMN
        radius = wheel.tyre.radius
        return History(
            time=out[:, c["time"]], position=out[:, c["x"]],
            speeds=np.stack([out[:, c["v_x"]], radius * out[:, c["omega"]]], axis=1),
            slip=out[:, [c["slip"]]], thrust=out[:, [c["traction"]]],
            resistance=out[:, [c["resistance"]]], load=out[:, [c["load"]]], lost=lost,
            turned_over=turned_over,
            passes=out[:, c["passes"]], missed=missed, residual=worst, steps=steps, wall_s=wall,
            problems=tuple(problems),
        )  # fmt: skip


def energy(vehicle: QuarterVehicle, speed: float, step: float, out: np.ndarray) -> tuple[float, float]:
    """Energy that nothing in the model has taken, and all that went in [J]; a record each step.

    Every force times the end-of-step velocity of its point, against the change of kinetic energy.
    Exact for the motion; what is left is the step's own, ``sum m dv^2 / 2``: numerical dissipation.
    """
    c = COLUMN
    v_x, v_z, omega = (out[:, c[name]] for name in ("v_x", "v_z", "omega"))
    inertia = (vehicle.mass, vehicle.mass, vehicle.wheel_inertia)
    start = 0.5 * (inertia[0] * speed**2 + inertia[2] * (speed / vehicle.wheel.tyre.radius) ** 2)
    end = 0.5 * sum(m * v[-1] ** 2 for m, v in zip(inertia, (v_x, v_z, omega), strict=True))
    weight = vehicle.mass * 9.81
    drive = out[:, c["drive_torque"]] * omega
    gravity = -weight * (np.sin(vehicle.angle) * v_x + np.cos(vehicle.angle) * v_z)
    ground = (
        out[:, c["load"]] * v_z + out[:, c["traction"]] * out[:, c["sliding_velocity"]]
        - out[:, c["resistance"]] * v_x
    )  # fmt: skip
    taken = -out[:, c["brake_torque"]] * omega - out[:, c["pull"]] * v_x
    lost = start - end + step * float(np.sum(drive + gravity + ground + taken))
    along = -weight * np.sin(vehicle.angle) * v_x
    given = np.maximum(drive, 0.0) + np.maximum(along, 0.0)
    return lost, start + step * float(np.sum(given))


def three_digits(value: float) -> float:
    """Rounded to three significant digits: a number that a person would choose."""
    return float(f"{value:.3g}")


def quarter_cases(law: str | KernelLaw) -> list[QuarterCase]:
    """The four cases under a ground law; torques and grade follow from what the law can carry."""
    plain = Case(deflection_ratio=0.2).vehicle("implicit")
    wheel = replace(plain.wheel, law=law)
    plain = replace(plain, wheel=wheel)
    load = plain.static_load
    peak = strongest_slip(wheel, load)

    def torque_at(slip: float) -> float:
        return three_digits(float(ratios(wheel, slip, load).torque) * load * wheel.tyre.radius)

    def towards(steady: SteadyState, when: str = "end") -> Goal:
        return Goal(when, steady.slip, steady.thrust_N, steady.resistance_N, told=steady.reason)

    table_1s = isinstance(law, str) and law == "brixius"
    top = PEAK if table_1s else torque_at(min(0.25, 0.7 * peak))
    table_1 = replace(plain, torque=Schedule.ramp(top, RAMP))
    sudden = torque_at(min(0.2, 0.5 * peak))
    stepped = replace(plain, torque=Schedule(((0.0, 0.0), (1.0, sudden)), hold=True))
    free = replace(plain, torque=Schedule.constant(0.0), pull=0.0)
    brake = three_digits(brake_torque(free, min(0.1, 0.5 * peak)))
    braking = replace(free, brake=brake)
    grade = parking_grade(wheel, load)
    parked = replace(free, slope=grade, brake=LOCKED)
    return [
        QuarterCase(
            "quarter", f"quarter vehicle, {top:g} N m over {RAMP:g} s", table_1, 20.0, 0.0,
            towards(settled(table_1, top)),
        ),
        QuarterCase(
            "torque step", f"rolling, {sudden:g} N m at once", stepped, 12.0, 1.0,
            towards(settled(stepped, sudden)),
        ),
        QuarterCase(
            "braking", f"braking from 5 m/s with {brake:g} N m", braking, 4.0, 5.0,
            towards(braked(braking, brake), "braking"),
        ),
        QuarterCase(
            "parking", f"wheel locked on a {100 * grade:g} % slope", parked, 20.0, 0.0,
            Goal("rest", since=5.0), at_rest=True,
        ),
    ]  # fmt: skip


def parking_grade(wheel, load: float) -> float:
    """A grade that resistance alone cannot hold, but resistance and traction can: 0.4 where it is."""
    rest, locked = ratios(wheel, 0.0, load), ratios(wheel, -1.0, load)
    low = float(locked.resistance)
    high = float(rest.resistance) + abs(float(locked.thrust))
    if low + 0.05 < 0.4 < 0.9 * high:
        return 0.4
    return three_digits(0.5 * (min(low, high) + high))
