"""What is a complementarity problem? Of two things one is always zero: a gap, or a force.

A ground does not pull: either the gap ``w`` or the normal force ``z`` is zero. A block sticks until
friction reaches its bound. Both are rows of ``w = A z + b`` with bounds for z; a wheel on soil needs
a few more rows.
"""

from pathlib import Path
from typing import Any

import numpy as np

from mlcp import MLCP, solve

MASS, STEP, GRAVITY, FRICTION = 2.0, 0.01, 9.81, 0.5  # kg, s, m/s^2, [-]


def landing(speed: float) -> tuple[float, float]:
    """Impulse of the ground [N s] and final speed [m/s] of a landing body."""
    answer = solve(MLCP(A=[[1.0 / MASS]], b=[speed], lower=0.0))
    return float(answer.z[0]), float(answer.w[0])


def pushed(force: float) -> tuple[float, float]:
    """Friction [N] and speed after a step [m/s] of a pushed block on a table."""
    bound = FRICTION * MASS * GRAVITY * STEP
    answer = solve(MLCP(A=[[1.0 / MASS]], b=[STEP * force / MASS], lower=-bound, upper=bound))
    return float(-answer.z[0] / STEP), float(answer.w[0])


def main(picture: Path | None = None) -> float:
    """Return the impulse on a body of 2 kg that lands at 0.3 m/s [N s]."""
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.2, 3.4), layout="constrained")
        left, right = figure.subplots(1, 2)
        speeds = np.linspace(-0.4, 0.3, 141)
        corner(left, np.array([landing(v) for v in speeds]))
        step(right, np.array([pushed(f) for f in np.linspace(-20.0, 20.0, 401)]))
        figure.savefig(picture, dpi=150)
    return landing(-0.3)[0]


def corner(axes: Any, found: np.ndarray) -> None:
    """Draw landings: each lies on one of two edges, rest with an impulse or flight without one."""
    axes.plot(found[:, 0], found[:, 1], ".", color="#c8551b", markersize=5)
    axes.annotate("leaves,\nnot pushed", (0.0, 0.2), (0.12, 0.22), arrowprops={"arrowstyle": "->"})
    axes.annotate("rests,\npushed", (0.5, 0.0), (0.5, 0.1), arrowprops={"arrowstyle": "->"})
    axes.set(title="contact: one of the two is zero", xlabel="push z of the ground [N s]")
    axes.set(ylabel="speed w after it [m/s]", xlim=(-0.05, 0.85), ylim=(-0.03, 0.32))


def step(axes: Any, found: np.ndarray) -> None:
    """Draw friction over the push: static up to its bound, then sliding."""
    axes.plot(1e3 * found[:, 1], found[:, 0], ".", color="#4a63b0", markersize=5)
    axes.annotate("holds", (0.0, 3.0), (14.0, 2.0), arrowprops={"arrowstyle": "->"})
    axes.annotate("slides", (30.0, 9.81), (26.0, 6.0), arrowprops={"arrowstyle": "->"})
    axes.set(title="friction: held, or at its bound", xlabel="speed after the step [mm/s]")
    axes.set(ylabel="friction against the push [N]")


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    number = main(Path("out/what_is_a_complementarity_problem.png"))
    print(f"push at the landing: {number:.1f} N s; picture: out/what_is_a_complementarity_problem.png")
