"""Four cases on the quarter vehicle: Table 1, parking on a slope, a step of torque, braking."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import bodies
from bodies import Schedule
from bodies.vehicle import QuarterVehicle
from bodies.vehicle.quarter import GRAVITY
from contact import Regularisation
from contact.laws.base import KernelLaw

from ..quarter import closed_form
from ..quarter.case import PEAK, RAMP, QuarterVehicleCase
from .history import Goal, History, history

LOCKED = 1e5  # capacity of a brake that locks the wheel under all loads [N m]
Scheme = str | Regularisation


@dataclass(frozen=True)
class QuarterCase:
    """Case of the quarter vehicle under one ground law.

    Arguments:
        name, title: texts for tables and pictures.
        vehicle: description of the vehicle; a run replaces the scheme of the wheel.
        duration: simulated time [s]. speed: speed of the rolling vehicle at the start [m/s].
        goal: closed form of the state at the end.
        at_rest: True if the exact solution is rest; the case then needs no reference run.
        whole: True for a whole vehicle, with expensive steps.
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
        """Ground law of the wheel."""
        return self.vehicle.wheel.law

    def run(
        self,
        scheme: Scheme,
        solver: str,
        step: float,
        every: int = 1,
        samples: int = 0,
        tick: Callable[[float], None] | None = None,
    ) -> History:
        """Run the case once; ``every``: steps per record; ``samples``: number of stored problems."""
        wheel = replace(self.vehicle.wheel, regularisation=scheme)
        vehicle = replace(self.vehicle, wheel=wheel)
        model = bodies.compile(vehicle.mechanism(self.speed))
        steps = round(self.duration / step) // every * every
        sim = bodies.Simulation(model, step, solver=solver)
        found = history(sim, steps, every, samples, tick, functools.partial(piece_of, vehicle))
        start = 0.5 * vehicle.mass * self.speed**2
        start += 0.5 * vehicle.wheel_inertia * (self.speed / wheel.tyre.radius) ** 2
        return replace(found, turned_over=start + found.turned_over)


def piece_of(vehicle: QuarterVehicle, run: bodies.Trajectory) -> dict[str, Any]:
    """Columns of a history from a piece of records, the first of which belongs to the previous piece.

    lost: numerical dissipation ``sum m dv^2 / 2`` [J], which closes the energy balance if every force
    works on the end-of-step velocity of its point. turned_over: positive work of the drive and of
    gravity along the slope [J]. Both need a record of every step.
    """
    wheel, spin = run.wheel("wheel"), run.angular_velocity("wheel")[:, 1]
    velocity, step = run.velocity("wheel"), np.diff(run.time)
    change = np.diff(np.column_stack([velocity, spin]), axis=0) ** 2
    times, torques = np.transpose(vehicle.torque.points)
    torque = np.interp(run.time[1:] - 0.5 * run.step, times, torques)
    if vehicle.torque.hold:
        torque = torques[np.searchsorted(times[1:], run.time[1:] - 0.5 * run.step, side="right")]
    along = -vehicle.mass * GRAVITY * np.sin(vehicle.angle) * velocity[1:, 0]
    given = np.maximum(torque * spin[1:], 0.0) + np.maximum(along, 0.0)
    return {
        "time": run.time[1:],
        "position": run.position("wheel")[1:, 0],
        "speeds": np.column_stack([wheel.v_x, wheel.rim_speed])[1:],
        "slip": wheel.slip[1:, None],
        "thrust": wheel.traction[1:, None],
        "resistance": -wheel.resistance[1:, None],
        "load": wheel.load[1:, None],
        "lost": 0.5 * float(np.sum(change @ np.array([*[vehicle.mass] * 3, vehicle.wheel_inertia]))),
        "turned_over": float(np.sum(step * given)),
    }


def three_digits(value: float) -> float:
    """Value rounded to three significant digits."""
    return float(f"{value:.3g}")


def quarter_cases(law: str | KernelLaw) -> list[QuarterCase]:
    """Make the four cases for a ground law; torques and grade follow from the law's capacity."""
    plain = QuarterVehicleCase(deflection_ratio=0.2).vehicle("implicit")
    wheel = replace(plain.wheel, law=law)
    plain = replace(plain, wheel=wheel)
    load = plain.static_load
    peak = closed_form.strongest_slip(wheel, load)

    def torque_at(slip: float) -> float:
        return three_digits(
            float(closed_form.ratios(wheel, slip, load).torque) * load * wheel.tyre.radius
        )

    def towards(steady: closed_form.SteadyState, when: str = "end") -> Goal:
        return Goal(when, steady.slip, steady.thrust_N, steady.resistance_N, reason=steady.reason)

    table_1s = isinstance(law, str) and law == "brixius"
    top = PEAK if table_1s else torque_at(min(0.25, 0.7 * peak))
    table_1 = replace(plain, torque=Schedule.ramp(top, RAMP))
    sudden = torque_at(min(0.2, 0.5 * peak))
    stepped = replace(plain, torque=Schedule(((0.0, 0.0), (1.0, sudden)), hold=True))
    free = replace(plain, torque=Schedule.constant(0.0), pull=0.0)
    brake = three_digits(closed_form.brake_torque(free, min(0.1, 0.5 * peak)))
    braking = replace(free, brake=brake)
    grade = parking_grade(wheel, load)
    parked = replace(free, slope=grade, brake=LOCKED)
    return [
        QuarterCase(
            "quarter", f"quarter vehicle, {top:g} N m over {RAMP:g} s", table_1, 20.0, 0.0,
            towards(closed_form.steady_driving(table_1, top)),
        ),
        QuarterCase(
            "torque step", f"rolling, {sudden:g} N m at once", stepped, 12.0, 1.0,
            towards(closed_form.steady_driving(stepped, sudden)),
        ),
        QuarterCase(
            "braking", f"braking from 5 m/s with {brake:g} N m", braking, 4.0, 5.0,
            towards(closed_form.braked(braking, brake), "braking"),
        ),
        QuarterCase(
            "parking", f"wheel locked on a {100 * grade:g} % slope", parked, 20.0, 0.0,
            Goal("rest", since=5.0), at_rest=True,
        ),
    ]  # fmt: skip


def parking_grade(wheel, load: float) -> float:
    """Grade [-] for parking: too steep for the wheel's resistance alone, not if traction helps.

    The grade is 0.4 if this is in the range.
    """
    rest, locked = closed_form.ratios(wheel, 0.0, load), closed_form.ratios(wheel, -1.0, load)
    low = float(locked.resistance)
    high = float(rest.resistance) + abs(float(locked.thrust))
    if low + 0.05 < 0.4 < 0.9 * high:
        return 0.4
    return three_digits(0.5 * (min(low, high) + high))
