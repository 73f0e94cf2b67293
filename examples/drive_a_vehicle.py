"""A whole vehicle on soft soil: 45 bodies from engine to wheels, full throttle, a change of gear at 5 s.

The vehicle is a file that ships with the package (``bodies/vehicle/files/hmmwv.toml``); copy it,
change it, and give its path instead of the name. The drive is section 4.2 of Peiret et al.'s paper.
"""

from pathlib import Path

import bodies
from bodies import Schedule, vehicle

CONTROLS = {
    "throttle": Schedule(((0.0, 0.0), (0.2, 1.0))),
    "gear": Schedule(((0.0, 3), (5.0, 4)), hold=True),
    "clutch": Schedule(((0.2, 0.0), (1.0, 1.0), (4.9, 1.0), (5.0, 0.0), (5.1, 0.0), (5.4, 1.0))),
}


def main(picture: Path | None = None) -> float:
    """Speed after 10 s [km/h]; soil and gearing are chosen so that it is the paper's 19.1."""
    model = bodies.compile(vehicle.load("hmmwv", controls=dict(CONTROLS)))
    start = bodies.equilibrium(model)
    run = bodies.simulate(model, duration=10.0, step=1e-3, record_every=10, state=start)
    speed = 3.6 * run.velocity("frame")[:, 0]
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 4.6), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        above.plot(run.time, speed)
        above.set_ylabel("speed [km/h]")
        for name in ("front_left", "rear_left"):
            below.plot(run.time, run.wheel(name).slip, label=name.replace("_", " "), linewidth=0.9)
        below.set(xlabel="time [s]", ylabel="slip ratio [-]", ylim=(-0.05, 1.05))
        below.legend()
        figure.savefig(picture, dpi=150)
    if run.missed:
        raise AssertionError(f"{run.missed} steps missed their tolerance")
    return float(speed[-1])


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"speed after 10 s: {main(Path('out/drive_a_vehicle.png')):.2f} km/h")
    print("picture: out/drive_a_vehicle.png")
