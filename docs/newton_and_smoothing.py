"""The picture of Newton's method and of smoothing for one wheel:  python docs/newton_and_smoothing.py

A wheel on a wet road is pulled through its peak. Unknown is its thrust impulse z [N s], which leads to
the sliding velocity ``v = v_free + a z``; the equation is ``F(z) = z - P(z)`` with the law's impulse P.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from contact import ConeIndexSoil, Tyre, WheelContact

PICTURE = Path(__file__).resolve().parent / "images" / "newton_and_smoothing.png"
H, LOAD, V_X, A = 0.05, 5000.0, 0.4, 0.0022  # s, N, m/s, 1/kg
V_FREE = -0.44  # m/s, sliding without thrust
HOLD = 120.0  # N s, capacity of a wheel at rest
START = 60.0  # N s
WHEEL = WheelContact(Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2), ConeIndexSoil(1e6), law="wet")


def impulse(v):
    """P of the law at a sliding velocity [N s]."""
    return H * LOAD * WHEEL.thrust_ratio(min(max(-v / (V_X - v), -1.0), 1.0), LOAD)


def F(z):
    return z - impulse(V_FREE + A * z)


def slope(z):
    return (F(z + 1e-4) - F(z - 1e-4)) / 2e-4


def where_work_vanishes(z, step):
    """Step length at which the work of F along the step is zero, by bisection; 1 if it is not."""
    low, high = 0.0, 1.0
    if (A * step) * F(z + step) < 0.0:
        return 1.0
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if (A * step) * F(z + middle * step) < 0.0 else (low, middle)
    return low


def newton(z, steps):
    """Points of Newton's method, with the full steps' ends."""
    points, ends = [z], []
    for _ in range(steps):
        step = -F(z) / slope(z)
        ends.append(z + step)
        length = 1.0 if abs(F(z + step)) <= 0.5 * abs(F(z)) else where_work_vanishes(z, step)
        z += length * step
        points.append(z)
    return np.array(points), np.array(ends)


def main():
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    z = np.linspace(0.0, 260.0, 2000)
    v, law = V_FREE + A * z, np.array([impulse(V_FREE + A * one) for one in z])
    left.plot(v, law, label="law P(v)")
    left.plot(v, z, label="motion v = v_free + a z")
    left.set(xlabel="sliding velocity [m/s]", ylabel="thrust impulse [N s]", title="One wheel, one step")
    points, ends = newton(START, 5)
    values = np.array([F(one) for one in z])
    middle.axhline(0.0, color="0.7", lw=0.8)
    middle.plot(z, values, label="F(z) = z - P(z)")
    found = np.array([F(one) for one in points])
    for start, value, end in zip(points, found, ends, strict=False):
        middle.plot([start, end], [value, 0.0], color="0.5", lw=0.8, ls=":")
    middle.plot(points, found, "o-", ms=4, lw=0.8, label="Newton's steps")
    middle.set(xlabel="z [N s]", ylabel="F [N s]", title="Newton's method", xlim=(z[0], z[-1]))
    pushed = np.linspace(-2.5 * HOLD, 2.5 * HOLD, 400)
    for eps in (1.0, 0.3, 0.1, 0.0):
        over, under = np.hypot(pushed + HOLD, eps * HOLD), np.hypot(pushed - HOLD, eps * HOLD)
        right.plot(pushed, 0.5 * (over - under), label=f"eps = {eps:g}")
    right.set(xlabel="z - w / a [N s]", ylabel="P [N s]", title="A wheel at rest, smoothed")
    for axes in (left, middle, right):
        axes.legend(fontsize=8, loc="best")
    figure.savefig(PICTURE, dpi=90)
    print(f"F at the end of Newton's steps: {F(points[-1]):.1e} N s")


if __name__ == "__main__":
    main()
