"""512 quarter vehicles at once: shares of soil, load and torque in the variance of the steady slip.

The steady slip follows from torque T, load F_n and wheel radius r: mu(slip) F_n = T / r, with the thrust
ratio mu of the soil. Sobol's indices are integrals over the three ranges; Gauss points in each range
make them sums over a batch, without the noise of random samples.
"""

from pathlib import Path

import numpy as np

from bodies import compile, grid, sweep
from bodies.vehicle import QuarterVehicle
from contact import ConeIndexSoil, Tyre, WheelContact

RANGES = {"soil.cone_index": (3e5, 5e5), "wheel.mass": (200.0, 300.0), "torque": (300.0, 500.0)}
POINTS = 8  # Gauss points in each range


def slips(batch):
    """Slip ratio of every vehicle after 10 s, when all are steady."""
    batch.run(2000)
    rim = 0.381 * batch.angular_velocity("wheel")[:, 1]
    return {"slip": 1.0 - batch.velocity("wheel")[:, 0] / rim}


def indices(slip, weight):
    """Sobol's first-order indices [-]: variance of the mean over all other ranges, over the variance."""
    mean = np.einsum("abc,a,b,c", slip, weight, weight, weight)
    variance = np.einsum("abc,a,b,c", (slip - mean) ** 2, weight, weight, weight)
    others = ("abc,b,c->a", "abc,a,c->b", "abc,a,b->c")
    return [weight @ (np.einsum(o, slip, weight, weight) - mean) ** 2 / variance for o in others]


def main(picture: Path | None = None) -> float:
    """Return the first-order Sobol index of the cone index [-]."""
    tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.0)
    wheel = WheelContact(tyre, ConeIndexSoil(4e5), sinkage="bekker")
    vehicle = QuarterVehicle(mass=250.0, wheel_inertia=6.0, wheel=wheel, torque="torque", pull=50.0)
    x, weight = np.polynomial.legendre.leggauss(POINTS)
    axes = {name: 0.5 * (a + b + (b - a) * x) for name, (a, b) in RANGES.items()}
    found = sweep(compile(vehicle.mechanism(1.0)), grid(axes), slips, step=5e-3, chunk=512)
    shares = indices(found["slip"].reshape((POINTS,) * 3), weight / 2.0)
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        left, right = figure.subplots(1, 2)
        left.hist(found["slip"], 40, color="tab:blue")
        left.set(xlabel="steady slip [-]", ylabel="vehicles")
        right.bar(["soil", "load", "torque"], shares, color="tab:orange")
        right.set(ylabel="share of the variance [-]", ylim=(0.0, 1.0))
        figure.savefig(picture, dpi=150)
    return float(shares[0])


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    print(f"first-order index of the cone index {main(Path('out/what_decides_the_slip.png')):.4f}")
    print("picture: out/what_decides_the_slip.png")
