"""A drawbar test: steady states of a vehicle with a load car at increasing pulls."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mlcp import renamed

from .. import checks
from ..building.compile import compile
from ..checks import checked
from ..driveline import Clutch, ElectricMotor, Engine
from ..forces import JointSpring
from ..report.traction import quotient
from ..rest.equilibrium import equilibrium
from ..running.recorded_run import simulate
from ..running.simulation import Simulation
from ..signals import Schedule, Signal
from .part import Piece
from .readings import off_the_law, wheel_readings
from .tools.load_car import LoadCar
from .vehicle import Vehicle

STARTS = {
    "throttle": Schedule(((0.0, 0.0), (0.2, 1.0))),
    "clutch": Schedule(((0.0, 0.0), (0.3, 0.0), (1.5, 1.0))),
}


def bench(car: Vehicle, hitch: Sequence[float], controls: Mapping[str, Signal] | None = None) -> Any:
    """Compiled mechanism of a vehicle with a load car, whose retarding force is the input "pull" [N].

    Arguments:
        car: the vehicle. hitch: hitch point [m], axes of the vehicle.
        controls: signals by name; default: full throttle, and a closing clutch.
    """
    mass = min(500.0, 0.2 * sum(body.mass for body in car.mechanism().bodies))
    piece = Piece(mass=mass, inertia=(0.2 * mass,) * 3, reason="loads the drawbar")
    # length [m]: a drawbar as long as this is nearly level at any sinkage
    load = LoadCar(name="load car", hitch=tuple(hitch), length=30.0, body=piece)
    given = car.launched(STARTS) | dict(controls or {})
    loaded = dataclasses.replace(car, parts=(*car.parts, load), controls={**car.controls, "pull": 0.0})
    return compile(loaded.mechanism(given))


@renamed.arguments(settle="warm_up")
@checked
def pull_test(
    car: Vehicle,
    pulls: Sequence[float],
    hitch: Sequence[float],
    *,
    controls: Mapping[str, Signal] | None = None,
    warm_up: float = 8.0,
    average: float = 2.0,
    step: float = 2e-3,
) -> dict[str, np.ndarray]:
    """Table of the steady states of a vehicle under increasing pulls straight ahead, one row per pull.

    The run at a pull starts from the final state of the run before, and lasts ``warm_up + average``.
    Powers and speeds are means over ``average``, ratios are ratios of means. The table ends before the
    first pull that stalls the vehicle or has no steady state.

    Arguments:
        car: the vehicle. pulls: increasing pulls [N]. hitch: hitch point [m], axes of the vehicle.
        controls: signals by name; default: full throttle, and a closing clutch.
        warm_up, average: durations [s]. step: step length h [s].

    Returns:
        Columns of equal length by names with units: means of
        :meth:`bodies.Trajectory.tractive_performance`; "off_the_law [-]", the largest deviation of a
        wheel's forces from its ground law over its load; "balance.engine [W]", power of engines and
        motors, and the powers into which it divides: "slip" and "resistance" of the wheels, "bounce"
        (vertical motion of the wheels on tyre and soil), friction of the "driveline", "pull" on the
        drawbar, "gain" of kinetic and potential energy.

    Raises:
        MechanismError: pulls that do not increase, an invalid hitch, control or time, or a vehicle that
            stalls at the first pull.
    """
    who = f"pull_test of {car.name!r}"
    wanted = np.array([checks.number(who, "pulls [N]", p, 0.0) for p in pulls])
    if wanted.size == 0 or np.any(np.diff(wanted) <= 0.0):
        raise checks.MechanismError(f"{who}: pulls must rise, got {checks.shown(list(pulls))}.")
    for name, value in (("warm_up", warm_up), ("average", average)):
        checks.number(who, f"{name} [s]", value, 0.0, open_low=True)
    model = bench(car, hitch, controls)
    commands = {
        e.command: model.mechanism.inputs[e.command]
        for e in model.mechanism.elements
        if isinstance(e, ElectricMotor) and isinstance(e.command, str)
    }
    state = equilibrium(model, inputs=dict.fromkeys(commands, 0.0))
    sim = Simulation(model, step, state=state)
    for name, command in commands.items():
        sim.set_input(name, command)
    sim.run(round(4.0 / step))  # 4 s without a pull, while the clutch closes
    # [m/s] at a lower speed the vehicle has stalled; smaller for a vehicle that is slow without a pull
    stall = min(0.05, 0.1 * float(np.linalg.norm(sim.velocity("load car"))))
    rows = []
    for pull in wanted:
        sim.set_input("pull", float(pull))
        sim.run(round(warm_up / step))
        run = simulate(model, average, step, state=sim.state(), record_work=True, progress=False)
        sim = Simulation(model, step, state=run.final)
        row = averaged(run)
        row |= balance(run)
        # in a steady state the energy's rate of change is at most 1 % of the engine's power
        unsteady = abs(row["balance.gain [W]"]) > 0.01 * row["balance.engine [W]"]
        if row["vehicle.speed [m/s]"] < stall or (unsteady and pull > 0.0):
            break
        sim.run(1)
        wheels = {w.name: w for w in model.mechanism.wheels}
        readings = wheel_readings(sim)
        row["off_the_law [-]"] = max(off_the_law(r, wheels[name]) for name, r in readings.items())
        rows.append(row)
    if not rows:
        raise checks.MechanismError(f"{who}: it does not go at a pull of {wanted[0]:g} N.")
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def averaged(run: Any) -> dict[str, float]:
    """Time means of :meth:`bodies.Trajectory.tractive_performance`; ratios are those of the means."""
    table = run.tractive_performance()
    mean = {name: float(np.mean(values[1:])) for name, values in table.items()}
    owners = {name.rsplit(".", 1)[0] for name in table if name.endswith(".axle_power [W]")}
    for who in owners:
        gross, net = mean[f"{who}.gross_traction [N]"], mean[f"{who}.net_traction [N]"]
        power = mean[f"{who}.axle_power [W]"]
        load = mean[f"{who}.load [N]"]
        for name, part in (
            ("gross_traction", gross),
            ("net_traction", net),
            ("motion_resistance", gross - net),
        ):
            mean[f"{who}.{name}_ratio [-]"] = float(quotient(np.array(part), np.array(load)))
        speed = mean["vehicle.speed [m/s]"]
        rim = float(quotient(np.array(power), np.array(gross)))
        mean[f"{who}.travel_reduction [-]"] = float(quotient(np.array(rim - speed), np.array(rim)))
        mean[f"{who}.tractive_efficiency [-]"] = float(quotient(np.array(net * speed), np.array(power)))
    return mean


def balance(run: Any) -> dict[str, float]:
    """Mean power of engines and motors [W], and the powers into which it divides, by name.

    ``run``: a run with ``record_work`` and a record in every step.
    """
    mechanism, elapsed = run.model.mechanism, run.time[-1] - run.time[0]
    work = {name: float(w[-1] - w[0]) / elapsed for name, w in run.work().items()}
    kinds = {e.name: type(e) for e in mechanism.elements}
    kinetic = run.energy().kinetic
    slip = resistance = bounce = 0.0
    for wheel in mechanism.wheels:
        w = run.wheel(wheel.name)
        radius = wheel.soil.tyre.radius if wheel.soil else wheel.radius
        gross = w.traction - w.rolling_moment / radius
        rim, v_x, v_y = (0.5 * (x[1:] + x[:-1]) for x in (w.rim_speed, w.v_x, w.v_y))
        slip += float(np.mean(gross[1:] * (rim - v_x) - w.lateral[1:] * v_y))
        normal = run.model.structure.rows + run.model.channels[wheel.name][0]
        bounce += float(run.work_done[-1, normal] - run.work_done[0, normal])
        resistance += float(np.mean((gross - w.traction - w.resistance)[1:] * v_x))

    found = {
        "engine": sum(work[name] for name, kind in kinds.items() if kind in (Engine, ElectricMotor)),
        "slip": slip,
        "resistance": resistance,
        "bounce": -bounce / elapsed,
        "driveline": -sum(work[name] for name, kind in kinds.items() if kind in (JointSpring, Clutch)),
        "pull": -work.get("load", 0.0),
        "gain": (kinetic[-1] - kinetic[0]) / elapsed - work["gravity and applied"],
    }
    return {f"balance.{name} [W]": float(value) for name, value in found.items()}
