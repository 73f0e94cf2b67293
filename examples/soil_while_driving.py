"""Cone index of the soil under a wheel, fitted twice a second while it drives from firm to soft ground.

A window contains torque, speed and rim speed of the last two seconds. A second vehicle is simulated
over this window with trial values of cone index and initial speed, until its speeds fit the measured
ones. The last answer stays if the window does not determine a new one.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bodies
import rig
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, WheelContact
from identify import Unknown
from rig.observer import Window

Array = NDArray[np.float64]
TYRE, STEP, EVERY = Tyre(0.762, 0.2, 0.14), 5e-3, 8  # a row of the window every eight steps
FIRM, SOFT, CHANGE = 600e3, 300e3, 8.0  # cone indices [Pa], time of their change [s]


def vehicle(cone_index: float) -> QuarterVehicle:
    """A mass of 300 kg on a wheel, which is driven by the input "torque"."""
    wheel = WheelContact(TYRE, ConeIndexSoil(float(cone_index)))
    return QuarterVehicle(300.0, 6.0, wheel, "torque", pull=4.0)


def torque_at(time: float) -> float:
    """Torque on the wheel [N m]: varying from 3 s to 12 s, else zero."""
    return 350.0 - 150.0 * float(np.cos(2.0 * time)) if 3.0 < time < 12.0 else 0.0


def shadow(values: Mapping[str, Array], history: Mapping[str, Array]) -> dict[str, Array]:
    """Predicted speed and rim speed over the window, for all trial values together."""
    pairs = zip(values["cone_index"], values["start"], strict=True)
    models = [bodies.compile(vehicle(soil).mechanism(float(speed))) for soil, speed in pairs]
    batch = bodies.Batch(models, step=STEP)
    speed, rim = [], []
    for torque in history["torque"]:
        speed.append(batch.velocity("wheel")[:, 0].copy())
        rim.append(TYRE.radius * batch.angular_velocity("wheel")[:, 1].copy())
        batch.set_input("torque", float(torque))
        batch.run(EVERY)
    return {"velocity.0": np.array(speed).T, "rim_speed": np.array(rim).T}


def drive(seconds: float = 14.4) -> dict[str, Array]:
    """Time [s], fitted cone index [Pa] and status of the fit, at every row of the window."""
    window = Window(
        shadow,
        {"cone_index": Unknown(400e3, 100e3, 1.5e6, log=True), "start": Unknown(1.0, -1.0, 20.0)},
        {"velocity.0": 0.15, "rim_speed": 0.15},
        reads=("torque",),
        ports={"rim_speed": rig.Port("m/s"), "torque": rig.Port("N m")},
        seconds=2.0,
    )
    window.start(rig.Site(tick=EVERY * STEP))
    truth = bodies.Batch(bodies.compile(vehicle(FIRM).mechanism()), 1, step=STEP)
    rng, rows = np.random.default_rng(0), []
    for time in EVERY * STEP * np.arange(round(seconds / (EVERY * STEP))):
        if CHANGE <= time < CHANGE + EVERY * STEP:
            truth.set("soil.cone_index", SOFT)
        speeds = truth.velocity("wheel")[0, 0], TYRE.radius * truth.angular_velocity("wheel")[0, 1]
        for name, value in zip(
            ("velocity", "rim_speed"), speeds, strict=True
        ):  # measured with a noise of 1 % and 1 cm/s
            window.input(name)[0] = value + (0.01 + 0.01 * abs(value)) * rng.standard_normal()
        window.input("torque")[0] = torque_at(time)
        truth.set_input("torque", torque_at(time))
        truth.run(EVERY)
        window.advance(time, EVERY * STEP)
        rows.append((time, window.output("identified")[0], window.output("identified_status")[0]))
    return dict(zip(("time", "cone_index", "status"), np.array(rows).T, strict=True))


def main(picture: Path | None = None) -> float:
    """Fitted cone index 3 s after the change [kPa], with a noise of 1 % and 1 cm/s on both speeds."""
    found = drive()
    time, answer, status = found.values()
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes = figure.add_subplot()
        axes.step(
            [0.0, CHANGE, time[-1]],
            [FIRM / 1e3, SOFT / 1e3, SOFT / 1e3],
            "k--",
            where="post",
            label="true",
        )
        axes.step(time, answer / 1e3, where="post", color="#1b7fbd", label="fitted")
        old = status < 1.0
        axes.plot(time[old], answer[old] / 1e3, ".", color="#e07b00", markersize=3, label="old answer")
        axes.set(xlabel="time [s]", ylabel="cone index [kPa]", ylim=(0.0, 800.0))
        axes.legend()
        figure.savefig(picture, dpi=150)
    return float(answer[time < CHANGE + 3.0][-1]) / 1e3


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    number = main(Path("out/soil_while_driving.png"))
    print(f"cone index 3 s after the change: {number:.0f} kPa; picture: out/soil_while_driving.png")
