"""A locked wheel on a 40 % slope of soft soil: which scheme holds it?

A damper, however stiff, creeps: it carries a force only while it moves. The schemes that switch to a
set-valued row at rest do not move at all.
"""

from pathlib import Path

import numpy as np

from bodies import compile, simulate
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, WheelContact

SLOPE, MINUTE, STEP = 0.4, 60.0, 1e-3  # rise over run, s, s


def creep(scheme: str):
    """Time [s] and creep downhill [mm] in a minute."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation=scheme)
    vehicle = QuarterVehicle(mass=250.0, wheel_inertia=6.0, wheel=wheel, slope=SLOPE, brake=1e4)
    run = simulate(compile(vehicle.mechanism()), MINUTE, STEP, record_every=100)
    x = run.position("wheel")[1:, 0]  # from 0.1 s on, when the wheel has taken its load
    return run.time[1:], 1e3 * (x[0] - x)


def main(picture: Path | None = None) -> float:
    """Return the steady creep of ``local`` [mm/min]; ``implicit`` does not creep."""
    runs = {scheme: creep(scheme) for scheme in ("local", "implicit")}
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.0, 3.2), layout="constrained")
        axes = figure.subplots()
        for scheme, (time, distance) in runs.items():
            axes.plot(time, distance, label=scheme)
        axes.set(xlabel="time [s]", ylabel="creep downhill [mm]", title="Parked on a 40 % slope")
        axes.legend()
        figure.savefig(picture, dpi=150)
    position = runs["implicit"][1]
    if np.abs(position).max() > 1e-6:
        raise AssertionError(f"implicit crept {np.abs(position).max()} mm")
    time, distance = runs["local"]
    settled = distance[time > 0.5 * MINUTE]
    return float(settled[-1] - settled[0]) * MINUTE / float(np.ptp(time[time > 0.5 * MINUTE]))


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"local creeps {main(Path('out/parked_on_a_slope.png')):.3f} mm a minute; implicit holds")
    print("picture: out/parked_on_a_slope.png")
