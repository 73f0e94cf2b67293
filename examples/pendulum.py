"""A mechanism in ten lines: the simple pendulum, from horizontal at rest, against a published value.

A body, a rod of constant length, gravity; each step removes the joint error of the step before.
"""

from pathlib import Path

from bodies import Body, Distance, Gravity, Mechanism, compile, simulate


def main(picture: Path | None = None) -> float:
    """Return the horizontal position after 10 s [m]; published: -0.2750874626 (IFToMM A01)."""
    bob = Body("bob", 1.0, (1e-3, 1e-3, 1e-3), position=(-1.0, 0.0, 0.0))
    rod = Distance(name="rod", body_a="ground", body_b="bob", position_b=(-1.0, 0.0, 0.0))
    model = compile(Mechanism("pendulum", (bob,), (rod,), gravity=Gravity((0.0, 0.0, -9.81))))
    run = simulate(model, duration=10.0, step=1e-4, record_every=100)
    place = run.position("bob")
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.0, 3.0), layout="constrained")
        axes = figure.subplots()
        axes.plot(run.time, place[:, 0], label="x")
        axes.plot(run.time, place[:, 2], label="z")
        axes.set(xlabel="time [s]", ylabel="position of the bob [m]")
        axes.legend()
        figure.savefig(picture, dpi=150)
    return float(place[-1, 0])


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"x after 10 s: {main(Path('out/pendulum.png')):.6f} m")
    print("picture: out/pendulum.png")
