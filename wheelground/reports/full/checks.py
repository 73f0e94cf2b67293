"""Checks of the full-vehicle test: measured values against limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

import bodies
from bodies import vehicle
from bodies.vehicle.pull_test import balance

from ..verdict import Check
from .case import SHIFT, SPREAD, TARGET, FullVehicleCase, FullVehicleRun, run_case

#: Freedoms: frame 6, cab on its mounts 6, bounce and spin of 4 wheels each, crankshaft 1; the steering
#: is prescribed, and the engaged gear couples propeller shaft and rear wheels.
FREEDOMS = 21
BODIES = 45
G = 9.80665  # gravitational acceleration [m/s^2]
COMPARED = ("set-valued", "global", "local", "implicit")  # schemes that must agree and dissipate


def check_bodies(case: FullVehicleCase) -> list[Check]:
    """Check the number of bodies, 45, and the degrees of freedom by counting and by rank."""
    mechanism, reasons = case.vehicle("implicit").assemble()
    mass = sum(b.mass for b in mechanism.bodies)
    without = [b.name for b in mechanism.bodies if not reasons.get(b.name)]
    model = case.model("implicit")
    m = bodies.mobility(model)
    return [
        Check(
            f"exactly {BODIES} bodies, each with a stated reason",
            f"{len(mechanism.bodies)} bodies, {mass:.2f} kg, {len(without)} without a reason",
            len(mechanism.bodies) == BODIES and not without,
        ),
        Check(
            f"Gruebler count and Jacobian rank give the {FREEDOMS} freedoms stated",
            f"counted {m.counted}, by rank {m.freedoms}, {m.redundant} redundant rows",
            m.counted == m.freedoms == FREEDOMS and m.redundant == 0,
        ),
    ]


def check_loads(case: FullVehicleCase) -> list[Check]:
    """Check the static wheel loads: their sum, and their distribution over the axles."""
    mechanism = case.vehicle("implicit").mechanism({"gear": 0, "clutch": 0.0})
    model = bodies.compile(mechanism)
    sim = bodies.Simulation(model, 1e-3, state=bodies.equilibrium(model))
    sim.run(1)
    load = {k: w.load for k, w in vehicle.wheel_readings(sim).items()}
    mass = np.array([b.mass for b in mechanism.bodies])
    centre = mass @ np.array([sim.position(b.name) for b in mechanism.bodies]) / mass.sum()
    weight = float(mass.sum() * G)
    front, rear = (sim.position(f"{axle}_left wheel")[0] for axle in ("front", "rear"))
    share = (centre[0] - rear) / (front - rear)
    there = (load["front_left"] + load["front_right"]) / weight
    total = sum(load.values()) / weight - 1.0
    return [
        Check(
            "static wheel loads sum to the weight to 1e-6",
            f"{sum(load.values()):.3f} N of {weight:.3f} N, off by {total:.1e}",
            abs(total) <= 1e-6,
        ),
        Check(
            "their shares follow from the centre of mass to 1e-3",
            f"front share {there:.6f}, by the centre of mass {share:.6f}",
            abs(there / share - 1.0) <= 1e-3,
        ),
    ]


def check_speed(case: FullVehicleCase, run: FullVehicleRun) -> Check:
    """Compare the steady speed with the published speed. This is no validation, since soil and gearing
    were fitted to the published speed.
    """
    name = f"speed at 10 s is {TARGET} +- {SPREAD} km/h, for which soil and gearing were chosen"
    if not case.as_published:
        return Check(name, f"{run.km_h:.4f} km/h; promised for the shipped vehicle and soil", None)
    return Check(
        name,
        f"{run.km_h:.4f} km/h ({run.scheme}, cone index "
        f"{case.vehicle('global').wheel.soil.cone_index / 1e3:g} kPa)",
        abs(run.km_h - TARGET) <= SPREAD,
    )


def check_shift(case: FullVehicleCase, run: FullVehicleRun) -> Check:
    """Check traction and slip of the driving wheels in the gear change: interruption, new thrust,
    steady state.

    The 0.03 s after the engagement of the new gear are left out: their peak is due to the
    synchronisation of the shafts in one step. The length of the interruption is that of our clutch
    schedule; Peiret et al. give only the time of the change.
    """
    name = (
        "gear change, rear wheels, after the spike: thrust falls below a tenth, slip and thrust come "
        "back above those of before, then the slip falls steadily"
    )
    if case.duration < SHIFT + 2.0:
        return Check(name, "the run ends before it", None)
    seen, passed = [], True
    for wheel in ("rear_left", "rear_right"):
        slip, traction = run.history(wheel, "slip"), run.history(wheel, "traction")
        before = np.searchsorted(run.time, SHIFT - 0.2)
        opened, closing, closed = np.searchsorted(run.time, SHIFT + np.array([0.03, 0.15, 1.0]))
        least = traction[opened:closing].min() / traction[before]
        top = closing + int(slip[closing:closed].argmax())
        rise, force = slip[top] - slip[before], traction[closing:closed].max() - traction[before]
        decay = slip[top:]
        fall = decay[0] - decay[-1]
        back = np.maximum(np.diff(decay), 0.0).sum() / fall if fall > 0.0 else np.inf
        seen.append(
            f"{wheel}: thrust to {100 * least:.1f} % of that before; slip +{rise:.3f} at "
            f"{run.time[top]:.2f} s, thrust +{force:.0f} N; then {100 * back:.1f} % of the fall upwards"
        )
        passed &= bool(least < 0.1 and rise > 0.1 and force > 500.0 and back < 0.05)
    return Check(name, "; ".join(seen), passed)


def check_steady(case: FullVehicleCase, run: FullVehicleRun) -> list[Check]:
    """Check the steady state 10 s after the run: power balance, forces by the law, left = right."""
    names = (
        "engine power = slip + resistance + driveline loss to 1 %",
        "each wheel sits on the law's curve to 1e-6 of its load",
        "left = right to 1e-9 of the load",
    )
    if case.duration < 10.0:
        return [Check(name, "the run ends before the steady state", None) for name in names]
    sim = bodies.Simulation(
        run.simulation.model, run.step, solver=run.solver, state=run.simulation.state()
    )
    sim.run(round(10.0 / run.step))
    last = bodies.simulate(
        sim.model, 0.1, run.step, state=sim.state(), solver=run.solver, record_work=True, progress=False
    )
    engine, *losses = (
        balance(last)[f"balance.{part} [W]"] for part in ("engine", "slip", "resistance", "driveline")
    )
    error = abs(engine - sum(losses)) / engine
    readings = vehicle.wheel_readings(sim)
    described = {w.name: w for w in sim.model.mechanism.wheels}
    off = {n: vehicle.off_the_law(r, described[n]) for n, r in readings.items()}
    worst = max(off, key=lambda n: off[n])
    uneven = max(
        abs(readings[f"{a}_left"].load / readings[f"{a}_right"].load - 1.0) for a in ("front", "rear")
    )
    return [
        Check(
            names[0],
            f"{engine:.1f} W = {' + '.join(f'{loss:.1f}' for loss in losses)} W, off by {error:.1e}",
            error <= 0.01,
        ),
        Check(names[1], f"at most {off[worst]:.1e} ({worst}, {run.scheme})", off[worst] <= 1e-6),
        Check(names[2], f"at most {uneven:.1e}, 20 s after the start", uneven <= 1e-9),
    ]


def difference(one: FullVehicleRun, other: FullVehicleRun) -> float:
    """Largest relative difference of two steady states in speed, slip, and forces over the load."""
    a, b = one.steady, other.steady
    gaps = [abs(b["speed"] / a["speed"] - 1.0)]
    for name in one.names:
        gaps += [
            abs(b[f"{name} {c}"] - a[f"{name} {c}"]) / a[f"{name} load"]
            for c in ("load", "traction", "resistance")
        ]
        size = abs(a[f"{name} slip"])
        gaps.append(abs(b[f"{name} slip"] - a[f"{name} slip"]) / (size if size > 1e-3 else 1.0))
    return max(gaps)


def check_agreement(case: FullVehicleCase, runs: list[FullVehicleRun]) -> Check:
    """Check that all schemes and solvers reach equal steady states."""
    name = "schemes and solvers agree on the steady state to 1e-4 (local-current only reported)"
    compared = [r for r in runs if r.scheme in COMPARED]
    if case.duration < 10.0 or len(compared) < 2:
        return Check(name, "fewer than two runs to 10 s", None)
    gaps = {f"{r.scheme}/{r.solver}": difference(compared[0], r) for r in compared[1:]}
    worst = max(gaps, key=lambda k: gaps[k])
    return Check(name, f"{len(compared)} runs, at most {gaps[worst]:.1e} ({worst})", gaps[worst] <= 1e-4)


def check_steps(
    case: FullVehicleCase,
    schemes: tuple[str, ...],
    base: FullVehicleRun,
    work: Callable[[str, Callable], FullVehicleRun],
) -> tuple[list[Check], list[FullVehicleRun]]:
    """Check joint errors and steady speed at the steps 1/60 s, 1 ms and 0.1 ms."""
    checks, runs = [], []
    for label, step in (("1/60 s", 1.0 / 60.0), ("1 ms", 1e-3), ("0.1 ms", 1e-4)):
        name = f"h = {label}: joint error below 1e-4 m, speed within 1 %"
        if case.duration < 10.0:
            checks.append(Check(name, "the run ends before the steady state", None))
            continue
        if step == base.step:
            run = base
        else:
            run = work(
                f"{base.scheme} at {label}",
                lambda tick, h=step: run_case(replace(case, step=h), base.scheme, "direct", tick),
            )
            runs.append(run)
        metres, radians = run.simulation.joint_error()
        gap = abs(run.speed[-1] / base.speed[-1] - 1.0)
        checks.append(
            Check(
                name,
                f"{metres:.1e} m, {radians:.1e} rad; speed off by {gap:.1e}",
                metres < 1e-4 and gap < 0.01,
            )
        )
    return checks, runs


def check_residual(runs: list[FullVehicleRun]) -> Check:
    """Check the largest natural residual of all runs, and the number of steps beyond a tolerance."""
    worst = max(r.simulation.residual() for r in runs)
    missed = {f"{r.scheme}/{r.solver}": r.simulation.missed for r in runs if r.simulation.missed}
    share = max(
        (r.simulation.missed * r.step / r.time[-1] for r in runs if r.solver == "direct"), default=0.0
    )
    text = ", ".join(f"{k} {v}" for k, v in missed.items()) or "none"
    return Check(
        "residuals below 1e-8; with direct fewer than 0.1 % of the steps miss a tolerance",
        f"largest residual {worst:.1e}; missed steps: {text}",
        worst < 1e-8 and share < 1e-3,
    )


def check_time(run: FullVehicleRun, seconds: float) -> Check:
    """Check the computing time of a step of 1 ms: at most 40 us."""
    name = "at most 40 us a step at 1 ms, 25 times faster than real time"
    if abs(run.step - 1e-3) > 1e-12:
        return Check(name, "promised at 1 ms", None)
    factor = run.step / seconds
    return Check(
        name,
        f"{1e6 * seconds:.1f} us a step, {factor:.1f} times real time",
        seconds <= 40e-6 and factor >= 25.0,
        True,
    )
