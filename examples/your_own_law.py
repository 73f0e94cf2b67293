"""A ground law of your own, as a plain Python function, in a run at full speed.

The function is sampled once, when the law object is made; the step never calls Python.
"""

from pathlib import Path

import numpy as np

from bodies import Schedule, compile, simulate
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, UserLaw, WheelContact

TORQUE = 500.0  # drive torque [N m]


def gravel(slip, load):
    """Thrust and resistance ratio [-] over slip [-] and load [N], arrays in and out."""
    return 0.7 * np.sign(slip) * (1.0 - np.exp(-6.0 * np.abs(slip))), 0.05 + 0.0 * load


def main(picture: Path | None = None) -> float:
    """Return the final slip [-]; by hand -ln(1 - T / (0.7 r F_n)) / 6: torque T, radius r, load F_n."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.0)
    law = UserLaw(gravel, load=(500.0, 1e4))
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), law=law, regularisation="implicit", sinkage="bekker")
    vehicle = QuarterVehicle(
        mass=250.0, wheel_inertia=6.0, wheel=wheel, torque=Schedule.ramp(TORQUE, 5.0), pull=50.0
    )
    run = simulate(compile(vehicle.mechanism()), 15.0, 1e-3).wheel("wheel")
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.0, 3.4), layout="constrained")
        axes = figure.subplots()
        slip = np.linspace(0.0, 0.5, 200)
        axes.plot(slip, gravel(slip, np.full_like(slip, 2452.5))[0], "k--", label="the function")
        axes.plot(run.slip[1:], run.traction[1:] / run.load[1:], linewidth=2.0, label="the run")
        axes.set(xlabel="slip ratio [-]", ylabel="thrust ratio [-]")
        axes.legend()
        figure.savefig(picture, dpi=150)
    return float(run.slip[-1])


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"slip ratio {main(Path('out/your_own_law.png')):.6f}")
    print("picture: out/your_own_law.png")
