"""A truck, a tractor, a rover, a robot and more, each from its file: the ground carries their weight.

Every machine is described by parts in a file that ships with the package (``vehicle.shipped()``); copy
a file, change it, and give its path instead of the name.
"""

from pathlib import Path

import bodies
from bodies import vehicle

UTILITY = Path(__file__).with_name("utility_vehicle.toml")  # a user's own vehicle file
MACHINES = ("truck", "tractor", "rover", "skid_steer", "hmmwv_4x4")


def main(picture: Path | None = None) -> float:
    """Largest relative difference of the wheels' load from the weight, all at rest; by hand 0."""
    drawn, worst = {}, 0.0
    for name in (*MACHINES, *([UTILITY] if UTILITY.is_file() else ())):
        model = bodies.compile(vehicle.load(name))
        rest = bodies.equilibrium(model)
        run = bodies.simulate(model, duration=0.001, step=0.001, state=rest)
        mechanism = model.mechanism
        mass = sum(body.mass for body in mechanism.bodies)
        weight = -mass * mechanism.gravity.acceleration[2]
        load = sum(run.channel_force(wheel.name)[-1, 0] for wheel in mechanism.wheels)
        worst = max(worst, abs(load / weight - 1.0))
        drawn[f"{mechanism.name}: {len(mechanism.bodies)} bodies, {mass:.0f} kg"] = run
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8.0, 7.2), layout="constrained")
        for axes, (title, run) in zip(figure.subplots(3, 2).flat, drawn.items(), strict=False):
            axes.imshow(run.picture(0.0, size=(640, 380)))
            axes.set_axis_off()
            axes.set_title(title, fontsize=9)
        figure.savefig(picture, dpi=150)
    return worst


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"loads and weights differ by at most {main(Path('out/any_machine.png')):.1e}")
    print("picture: out/any_machine.png")
