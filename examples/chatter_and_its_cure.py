"""The same drive under three schemes: a friction bound alone chatters at small slip, a damper does not.

Peiret et al., Fig. 4: the torque rises from 0 to 600 N m in 10 s; all schemes end at the same slip,
where the thrust carries the torque T: mu(slip) F_n = T / r, with thrust ratio mu, load F_n, radius r.
"""

from pathlib import Path

from bodies import Schedule, compile, simulate
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, WheelContact

SCHEMES = ("set-valued", "local", "implicit")


def drive(scheme: str):
    """Run of 20 s at 1 ms on a soil with a cone index of 400 kPa."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.0)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), regularisation=scheme, sinkage="bekker")
    vehicle = QuarterVehicle(
        mass=250.0, wheel_inertia=6.0, wheel=wheel, torque=Schedule.ramp(600.0, 10.0), pull=50.0
    )
    return simulate(compile(vehicle.mechanism()), 20.0, 1e-3)


def main(picture: Path | None = None) -> float:
    """Return the final slip ratio under ``implicit`` [-]."""
    runs = {scheme: drive(scheme) for scheme in SCHEMES}
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 4.8), layout="constrained")
        panels = figure.subplots(len(runs), 1, sharex=True, sharey=True)
        for axes, (scheme, run) in zip(panels, runs.items(), strict=True):
            early = (run.time > 1.5) & (run.time < 4.0)
            axes.plot(run.time[early], run.wheel("wheel").traction[early], linewidth=0.6)
            axes.set(ylabel="traction [N]", title=scheme)
        panels[-1].set_xlabel("time [s]")
        figure.savefig(picture, dpi=150)
    return float(runs["implicit"].wheel("wheel").slip[-1])


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"slip ratio at the end {main(Path('out/chatter_and_its_cure.png')):.6f}")
    print("picture: out/chatter_and_its_cure.png")
