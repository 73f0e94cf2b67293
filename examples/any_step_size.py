"""One drive in steps of 0.001, 0.01, 0.02 and 0.05 s: the implicit scheme gives the same motion.

The scheme linearises the thrust at the *end* of the step and repeats the solve until thrust and law
agree: in this drive a coarse step costs accuracy of first order, not stability.
"""

from pathlib import Path

import numpy as np

from bodies import Schedule, compile, simulate
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, WheelContact

FINE, STEPS = 1e-3, (0.01, 0.02, 0.05)  # time steps [s]


def drive(step: float):
    """Time [s] and speed of the rim [m/s] over 20 s, one record every 0.1 s."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation="implicit")
    vehicle = QuarterVehicle(
        mass=250.0, wheel_inertia=6.0, wheel=wheel, torque=Schedule.ramp(600.0, 10.0), pull=50.0
    )
    run = simulate(compile(vehicle.mechanism()), 20.0, step, record_every=round(0.1 / step))
    return run.time, run.wheel("wheel").rim_speed


def main(picture: Path | None = None) -> float:
    """Return the largest error of the rim speed at the longest step over that at the second longest."""
    time, fine = drive(FINE)
    runs = {step: drive(step) for step in STEPS}
    errors = {step: float(np.abs(speed - fine).max()) for step, (_, speed) in runs.items()}
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.0, 3.4), layout="constrained")
        axes = figure.subplots()
        axes.plot(time, fine, label=f"h = {FINE:g} s", color="0.7", linewidth=4.0)
        for k, (mark, (step, (time, speed))) in enumerate(zip("ov^", runs.items(), strict=True)):
            label = f"h = {step:g} s, off by {errors[step]:.3f} m/s at most"
            axes.plot(time, speed, mark, label=label, markersize=5.0, markevery=(5 * k, 15))
        axes.set(xlabel="time [s]", ylabel="speed of the rim [m/s]")
        axes.legend(fontsize=8)
        figure.savefig(picture, dpi=150)
    return errors[0.05] / errors[0.02]


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    ratio = main(Path("out/any_step_size.png"))
    print(f"error at 0.05 s over error at 0.02 s: {ratio:.3f} (first order: about 2.5)")
    print("picture: out/any_step_size.png")
