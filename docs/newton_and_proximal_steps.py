"""The picture of Newton's method and of proximal steps:  python docs/newton_and_proximal_steps.py

Left and middle: a wheel on a wet road, whose slip exceeds that of the largest thrust. The unknown is its
thrust impulse z [N s], which causes the sliding velocity ``v = v_free + a z``; with the law's impulse P
the equation is ``F(z) = z - P(z) = 0``. Right: two wheels at rest on one rigid body resist an impulse
together; only the sum of their impulses is determined.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from contact import ConeIndexSoil, Tyre, WheelContact

PICTURE = Path(__file__).resolve().parent / "images" / "newton_and_proximal_steps.png"
H, LOAD, V_X, A = 0.05, 5000.0, 0.4, 0.0022  # step [s], load [N], speed [m/s], inverse mass [1/kg]
V_FREE = -0.44  # m/s, sliding velocity without thrust
HOLD = 120.0  # N s, largest thrust impulse of a wheel at rest
PUSH, OPPOSED = 90.0, (130.0, -90.0)  # N s, impulse on two wheels at rest; their initial impulses
START = 60.0  # initial impulse of Newton's method [N s]
WHEEL = WheelContact(Tyre(0.762, 0.2, 0.14, deflection_ratio=0.2), ConeIndexSoil(1e6), law="wet")


def impulse(v):
    """P of the law at a sliding velocity [N s]."""
    return H * LOAD * WHEEL.thrust_ratio(min(max(-v / (V_X - v), -1.0), 1.0), LOAD)


def F(z):
    return z - impulse(V_FREE + A * z)


def slope(z):
    return (F(z + 1e-4) - F(z - 1e-4)) / 2e-4


def where_work_vanishes(z, step):
    """Step length at which the work of F along the step is zero, by bisection; 1 if there is none."""
    low, high = 0.0, 1.0
    if (A * step) * F(z + step) < 0.0:
        return 1.0
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if (A * step) * F(z + middle * step) < 0.0 else (low, middle)
    return low


def newton(z, steps):
    """Iterates of Newton's method, some after shortened steps, and the ends of the unshortened steps."""
    points, ends = [z], []
    for _ in range(steps):
        step = -F(z) / slope(z)
        ends.append(z + step)
        length = 1.0 if abs(F(z + step)) <= 0.5 * abs(F(z)) else where_work_vanishes(z, step)
        z += length * step
        points.append(z)
    return np.array(points), np.array(ends)


def proximal_steps(z, steps):
    """Points of proximal steps from impulses z = (z1, z2): each step from z0 solves ``z = clip(z - w)``
    by fixed-point iteration, with ``w = z1 + z2 - push + weight (z - z0)``."""
    points, weight = [z], 1.0
    for _ in range(steps):
        last = z
        for _ in range(4000):
            w = z.sum() - PUSH + weight * (z - last)
            z = np.clip(z - 0.4 * w, -HOLD, HOLD)
        points.append(z)
        weight *= 0.3
    return np.array(points)


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
    along = np.array([PUSH - HOLD, HOLD])
    right.plot(along, PUSH - along, lw=2.0, label="solutions: z1 + z2 = push")
    steps = proximal_steps(np.array(OPPOSED), 7)
    right.plot(steps[:, 0], steps[:, 1], "o-", ms=4, lw=0.8, label="proximal steps")
    right.add_patch(
        plt.Rectangle((-HOLD, -HOLD), 2 * HOLD, 2 * HOLD, fill=False, ls=":", label="capacities")
    )
    right.set(xlabel="z1 [N s]", ylabel="z2 [N s]", title="Two wheels at rest", aspect="equal")
    for axes in (left, middle, right):
        axes.legend(fontsize=8, loc="best")
    figure.savefig(PICTURE, dpi=90)
    print(f"F at the end of Newton's steps: {F(points[-1]):.1e} N s")


if __name__ == "__main__":
    main()
