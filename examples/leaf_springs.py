"""A vehicle file of one's own: a van whose rigid axles hang on leaf springs drives over a bump.

The file is ``leaf_springs.toml``, beside this script. Leaf springs are bushings here, stiff along and
across, soft upward.
"""

from pathlib import Path

import numpy as np

import bodies
from bodies import Schedule, vehicle
from contact.terrain import SmoothHeightField

FILE = Path(__file__).with_suffix(".toml")
CONTROLS = {
    "throttle": Schedule(((0.0, 0.0), (0.2, 1.0))),
    "clutch": Schedule(((0.0, 0.0), (1.0, 0.0), (2.0, 1.0))),
    "gear": 1,
}


def main(picture: Path | None = None) -> float:
    """Return the fraction of the weight on the front axle at rest; by hand from the centre of mass."""
    x = np.arange(-8.0, 60.0, 0.1)
    height = 0.08 * np.clip(1.0 - np.abs(x - 9.0) / 0.6, 0.0, 1.0)  # a bump across the road, 1.2 m long
    ground = SmoothHeightField(np.tile(height, (9, 1)), (0.1, 1.0), (-8.0, -4.0))
    model = bodies.compile(vehicle.load(FILE, controls=CONTROLS, ground=ground))
    rest = bodies.equilibrium(model)
    run = bodies.simulate(model, 6.0, 2e-3, record_every=5, state=rest)
    loads = {wheel: run.wheel(wheel).load for wheel in ("front_left", "rear_left")}
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 5.4), layout="constrained")
        above, middle, below = figure.subplots(3, 1, height_ratios=(2.0, 1.0, 1.0))
        over = float(np.interp(10.0, run.position("front axle")[:, 0], run.time))
        above.imshow(run.picture(over, size=(820, 400)))
        above.set_axis_off()
        for axle in ("front", "rear"):
            place, rise = run.position(f"{axle} axle")[:, 0], run.position(f"{axle} axle")[:, 2]
            middle.plot(place, 1e3 * (rise - rise[1]), label=f"{axle} axle")
            below.plot(place, 1e-3 * loads[f"{axle}_left"], label=f"{axle}_left", linewidth=0.9)
        middle.set(ylabel="rise [mm]", xlim=(4.0, 16.0))
        below.set(xlabel="position of the axle [m]", ylabel="load [kN]", xlim=(4.0, 16.0))
        middle.legend(loc="upper right")
        below.legend(loc="upper right")
        figure.savefig(picture, dpi=150)
    at_rest = bodies.simulate(model, 1e-3, 1e-3, state=rest)
    load = {w.name: at_rest.wheel(w.name).load[-1] for w in model.mechanism.wheels}
    front = sum(value for name, value in load.items() if name.startswith("front"))
    return float(front / sum(load.values()))


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"share of the weight on the front axle: {main(Path('out/leaf_springs.png')):.4f}")
    print("picture: out/leaf_springs.png")
