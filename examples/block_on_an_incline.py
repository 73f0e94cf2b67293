"""A box on an incline: it sticks if tan(angle) <= mu, and slides at g (sin - mu cos) if not.

The four corners have hard contact with Coulomb's cone. Four contact points of one box are redundant:
the motion is unique, the distribution of the forces is not.
"""

from math import cos, sin
from pathlib import Path

import numpy as np

from bodies import Body, Box, Mechanism, Plane, RigidContact, compile, simulate

ANGLE, DURATION = 0.3, 1.0  # rad, s


def slide(friction: float):
    """Return times [s] and the distances [m] that the box has slid by then."""
    up, down = np.array([sin(ANGLE), 0.0, cos(ANGLE)]), np.array([cos(ANGLE), 0.0, -sin(ANGLE)])
    block = Body(
        "block",
        2.0,
        (0.01, 0.02, 0.03),
        position=tuple(0.1 * up),
        orientation=(cos(ANGLE / 2), 0.0, sin(ANGLE / 2), 0.0),
    )
    contact = RigidContact(
        name="feet",
        body="block",
        shape=Box(0.4, 0.3, 0.2),
        surface=Plane(normal=tuple(up)),
        friction=friction,
    )
    run = simulate(compile(Mechanism("incline", (block,), contacts=(contact,))), DURATION, 1e-3)
    return run.time, run.position("block") @ down - 0.1 * up @ down


def main(picture: Path | None = None) -> float:
    """Return the sliding distance in 1 s at mu = 0.2 [m]; by hand g (sin - mu cos) t^2 / 2."""
    runs = {friction: slide(friction) for friction in (0.2, 0.3, 0.32)}
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.0, 3.4), layout="constrained")
        axes = figure.subplots()
        for friction, (time, distance) in runs.items():
            axes.plot(time, distance, label=f"mu = {friction:g}")
        axes.set(xlabel="time [s]", ylabel="sliding [m]", title=f"tan(angle) = {np.tan(ANGLE):.3f}")
        axes.legend()
        figure.savefig(picture, dpi=150)
    if abs(runs[0.32][1][-1]) > 1e-9:
        raise AssertionError("mu = 0.32 is more than tan(angle): the block must stick")
    return float(runs[0.2][1][-1])


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"slid {main(Path('out/block_on_an_incline.png')):.6f} m in a second")
    print("picture: out/block_on_an_incline.png")
