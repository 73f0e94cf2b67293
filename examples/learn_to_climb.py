"""A driver learns to climb a soft slope: the cross-entropy method on 32 vehicles at a time.

All vehicles stand with their brakes on, one policy each. A policy is four numbers: the pedal, its
reduction per slip of the driven wheels, and the speeds of two changes of gear. Every generation is
drawn at random around the best quarter of the last one. The learned driver is compared with the best
constant pedal in the best gear.
"""

from pathlib import Path

import numpy as np

from bodies import Batch, compile, grid, vehicle

STEP, TIME, EVERY = 0.01, 6.0, 10  # s, s, steps between two decisions
SLOPE, CONE_INDEX = np.deg2rad(5.0), 3e5  # rad, Pa
MANY, BEST, GENERATIONS = 32, 8, 5  # policies in a generation, best policies, number of generations
FIRST = np.array([0.7, 0.0, 1.5, 3.0])  # pedal, its reduction per slip [-], speeds of upshifts [m/s]
SPREAD = np.array([0.25, 0.4, 0.8, 1.0])  # standard deviations of the first generation around FIRST


def climb(batch, start, policy):
    """Distance uphill of each policy in the given time [m]."""
    pedal, give, second, third = policy.T
    batch.restore(start)
    batch.set_input("brake", 0.0)
    begin = batch.position("frame")[:, 0].copy()
    for k in range(round(TIME / STEP / EVERY)):
        v = batch.velocity("frame")[:, 0]
        rim = 0.47 * batch.angular_velocity("rear_left wheel")[:, 1]
        slip = 1.0 - v / np.maximum(rim, 0.1)
        batch.set_input("throttle", np.clip(pedal - give * np.clip(slip, 0.0, 1.0), 0.0, 1.0))
        batch.set_input("gear", 1.0 + (v > second) + (v > third))
        batch.set_input("clutch", min(1.0, k * EVERY * STEP))  # engaged within the first second
        batch.run(EVERY)
    distance = batch.position("frame")[:, 0] - begin
    return np.where(np.isfinite(distance), distance, -np.inf)


def learn(score):
    """Final mean of the policies' distribution, and the sorted distances of every generation [m]."""
    rng, mean, spread, history = np.random.default_rng(0), FIRST, SPREAD, []
    for _ in range(GENERATIONS):
        tried = mean + spread * rng.standard_normal((MANY, FIRST.size))
        distance = score(tried)
        best = tried[np.argsort(-distance)[:BEST]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.02 * SPREAD
        history.append(np.sort(distance))
    return mean, np.array(history)


def main(picture: Path | None = None) -> float:
    """Return the learned driver's distance over that of the best constant pedal and gear [-]."""
    batch = Batch(compile(vehicle.load("hmmwv")), MANY, STEP)
    batch.set("soil.cone_index", CONE_INDEX)
    batch.set("gravity.acceleration", (-9.80665 * np.sin(SLOPE), 0.0, -9.80665 * np.cos(SLOPE)))
    alone = Batch(batch[0].model, 1, STEP)
    alone.equilibrium(inputs={"brake": 1.0}, patient=False)
    start = alone[0].state()

    known = grid(
        {"second": [-1.0, 1e3], "third": [-1.0, 1e3], "pedal": np.linspace(0.3, 1.0, MANY // 4)}
    )
    fixed = [known["pedal"], 0.0 * known["pedal"], known["second"], known["third"]]
    constant = climb(batch, start, np.stack(fixed, axis=1))  # -1 m/s: shift up at once; 1e3 m/s: never
    policy, history = learn(lambda tried: climb(batch, start, tried))
    distance = climb(batch, start, np.tile(policy, (MANY, 1)))[0]
    print(
        f"policy {policy.round(3)}: {distance:.2f} m; "
        f"best constant pedal and gear {constant.max():.2f} m"
    )
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes = figure.subplots()
        axes.plot(np.arange(1, GENERATIONS + 1), history, "o", color="tab:blue", alpha=0.4)
        axes.axhline(constant.max(), color="tab:orange", label="best constant pedal and gear")
        axes.set(xlabel="generation", xticks=np.arange(1, GENERATIONS + 1), ylabel="distance in 6 s [m]")
        axes.legend()
        figure.savefig(picture, dpi=150)
    return float(distance / constant.max())


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"{main(Path('out/learn_to_climb.png')):.3f} times as far")
    print("picture: out/learn_to_climb.png")
