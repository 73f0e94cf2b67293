"""Deflection of a truck tyre, wheels in shallow snow, and turns of skid-steered robots."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterator

import numpy as np

import bodies
from bodies import vehicle
from contact import OutsideValidity, ShallowSnow, Tyre

from .sources import MeasuredRows, table

STEP, SECONDS, AVERAGED = 2e-3, 3.0, 0.5  # step, time until a turn is steady, duration of the mean [s]
HALF = 0.2  # half the difference of both sides' commands [-]
CARCASS = {"carcass_stiffness": 170e3, "inflation_share": 0.56, "toe": 2.6e-3}  # truck tyre [N/m, -, m]
WHEEL = 0.05  # wheel radius in turns on the spot [m]; the turning factor does not depend on it
DRIVE = ((0.0, 100.0), (210.0, 0.0))  # (rpm, N m): stiff drives prescribe the rim speeds
STIFF = 1e6  # tyre pressure [Pa] with hardly any deflection, as turning factors refer to the free radius
FLOOR = (0.7, 0.0)  # coefficients of friction and rolling resistance [-]
SNOW_LOAD = 6800.0  # wheel load in shallow snow [N]
SNOW = (0.3, 0.09)  # friction and fitted rolling resistance on packed snow [-]


def deflections() -> Iterator[MeasuredRows]:
    """Deflection of the truck tyre at three pressures: membrane formula without and with a carcass."""
    rows = table("truck_tyre")
    for pressure in (4, 6, 8):
        of = rows[rows["pressure_bar"] == pressure]
        for model, given, about in (
            ("membrane", {}, "diameter, width, pressure of the source"),
            ("carcass", CARCASS, "k_c 170 kN/m, m 0.56, toe 2.6 mm fitted to all three pressures"),
        ):
            tyre = Tyre(1.13, 0.309, 0.311, pressure=1e5 * pressure, **given)
            yield MeasuredRows(
                "Ragheb", f"truck tyre, {pressure} bar, {model}", "deflection", "mm", "load [kN]",
                of["load_kN"], of["deflection_mm"], 1e3 * tyre.deflection_at(1e3 * of["load_kN"]), about,
            )  # fmt: skip


def snow() -> Iterator[MeasuredRows]:
    """Sinkage, and resistance at the measured sinkage, of a leading wheel in shallow snow."""
    rows, tyre = table("shallow_snow"), Tyre(0.76, 0.235, 0.18, pressure=1.79e5)
    found = [
        (one.sinkage(tyre.pressure), one.resistance(tyre, z) / SNOW_LOAD)
        for h, z, _, density in rows
        for one in (ShallowSnow(h, density),)
    ]
    about = "density and depth measured; resistance at the measured sinkage"
    for quantity, unit, measured, predicted in (
        ("sinkage", "mm", 1e3 * rows["sinkage_m"], 1e3 * np.array(found)[:, 0]),
        ("resistance over load", "-", rows["resistance"], np.array(found)[:, 1]),
    ):
        yield MeasuredRows(
            "Shoop", "wheel in shallow snow", quantity, unit, "depth [m]", rows["depth_m"], measured,
            predicted, about,
        )  # fmt: skip


def robot(
    wheelbase: float, track: float, radius: float, surface: tuple[float, float]
) -> vehicle.Vehicle:
    """The vehicle ``skid_steer`` with another wheelbase, track and wheel radius [m] on a hard floor."""
    plain = vehicle.read("skid_steer")
    front, rear = (
        dataclasses.replace(part, wheel_centre=(side * wheelbase / 2, track / 2, radius))
        for part, side in zip(plain.parts[1:3], (1.0, -1.0), strict=True)
    )
    tyre = dataclasses.replace(plain.wheel.tyre, diameter=2.0 * radius, pressure=STIFF)
    motors = dataclasses.replace(plain.parts[3], full_load=DRIVE, motoring=((0.0, 0.0), (210.0, 100.0)))
    friction, rolling = surface
    return dataclasses.replace(
        plain,
        parts=(plain.parts[0], front, rear, motors),
        wheel=dataclasses.replace(plain.wheel, tyre=tyre),
        hard=dataclasses.replace(plain.hard, friction=friction, rolling=rolling),
    )


def turn(machine: vehicle.Vehicle, track: float, radius: float, share: float) -> tuple[float, float]:
    """Return (yaw rate over the yaw rate without sliding, forward speed over the mean rim speed) [-].

    share: mean command over the difference of both sides' commands [-].
    """
    mean = 2.0 * HALF * share
    commands = {"left": mean - HALF, "right": mean + HALF}
    sim = bodies.Simulation(bodies.compile(machine.mechanism(commands)), STEP)
    sim.run(round(SECONDS / STEP))

    def angles() -> np.ndarray:
        hubs = [[f"{axle}_{side} hub" for axle in ("front", "rear")] for side in ("left", "right")]
        return np.array([np.mean([sim.coordinate(hub) for hub in pair]) for pair in hubs])

    def heading() -> float:
        w, _, _, z = sim.quaternion("frame")
        return 2.0 * float(np.arctan2(z, w))

    before, turned, distance = angles(), heading(), 0.0
    for _ in range(round(AVERAGED / STEP)):
        sim.run(1)
        distance += STEP * float(np.hypot(*sim.velocity("frame")[:2]))
    left, right = radius * np.abs(angles() - before) * np.sign(list(commands.values()))
    yaw = (heading() - turned + np.pi) % (2.0 * np.pi) - np.pi
    return yaw * track / (right - left), 2.0 * distance / (right + left) if share else float("nan")


def turns() -> Iterator[MeasuredRows]:
    """Manufacturers' factors of four robots; yaw rate and speed of the Husky in three kinds of turn."""
    rows = table("skid_steered")
    factors = []
    for row in rows:
        machine = robot(row["wheelbase_m"], row["track_m"], WHEEL, FLOOR)
        factors.append(1.0 / turn(machine, row["track_m"], WHEEL, 0.0)[0])
    yield MeasuredRows(
        "makers", "four robots turn on the spot", "effective over geometric track", "-", "",
        np.arange(1.0, len(rows) + 1.0), rows["factor"], np.array(factors),
        "wheelbase and track of the maker; friction 0.7, no rolling resistance",
        names=tuple(str(name) for name in rows["robot"]),
    )  # fmt: skip
    rows = table("husky_drive")
    machine = robot(0.512, 0.55, 0.165, SNOW)
    ratios = np.array([turn(machine, 0.55, 0.165, share) for share in rows["speed_share"]])
    about = "friction 0.3 assumed; rolling resistance 0.09 fitted to these medians"
    for quantity, column, values in (
        ("yaw rate over that without sliding", "yaw_ratio", ratios[:, 0]),
        ("speed over mean rim speed", "speed_ratio", ratios[:, 1]),
    ):
        known = np.isfinite(rows[column])
        yield MeasuredRows(
            "Baril", "Husky, pivot to gentle turn", quantity, "-", "mean over difference of speeds [-]",
            rows["speed_share"][known], rows[column][known], values[known], about,
        )  # fmt: skip


def rows() -> list[MeasuredRows]:
    """All rows of tyres, snow and robots."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OutsideValidity)
        return [*deflections(), *snow(), *turns()]
