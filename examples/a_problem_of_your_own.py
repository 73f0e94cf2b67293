"""``mlcp`` alone: a block pushed over a table with friction, as a problem of one row.

Velocity at the end of a step v+ = v + (h f + z) / m; Coulomb's law is the row

    w = v+ = z / m + (v + h f / m),     -mu m g h <= z <= mu m g h

with the velocity v before the step h, mass m, push f, friction coefficient mu, gravity g and the
friction impulse z. The solution decides between sticking (w = 0) and sliding (z at a bound).
"""

from pathlib import Path

import numpy as np

from mlcp import MLCP, solve

MASS, FRICTION, STEP, G = 2.0, 0.5, 0.01, 9.81  # kg, -, s, m/s^2


def speed_after_a_step(force: float, solver: str = "direct") -> float:
    """Velocity [m/s] after one step from rest under a push [N]."""
    bound = FRICTION * MASS * G * STEP
    problem = MLCP([[1.0 / MASS]], [STEP * force / MASS], lower=-bound, upper=bound)
    return float(solve(problem, solver).w[0])


def main(picture: Path | None = None) -> float:
    """Return the velocity after a step under 15 N [m/s]; by hand h (f - mu m g) / m."""
    forces = np.linspace(-20.0, 20.0, 81)
    speeds = [speed_after_a_step(force) for force in forces]
    if picture is not None:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(5.4, 3.4), layout="constrained")
        axes = figure.subplots()
        axes.plot(forces, speeds)
        axes.set(xlabel="push [N]", ylabel="velocity after a step [m/s]")
        axes.grid(alpha=0.3)
        figure.savefig(picture, dpi=150)
    answers = [speed_after_a_step(15.0, solver) for solver in ("direct", "pgs", "newton")]
    if np.ptp(answers) > 1e-9:
        raise AssertionError(f"the solvers differ: {answers}")
    return answers[0]


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    speed = main(Path("out/a_problem_of_your_own.png"))
    print(f"velocity after a step under 15 N: {speed:.6f} m/s")
    print("picture: out/a_problem_of_your_own.png")
