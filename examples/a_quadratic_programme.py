"""A quadratic programme by its dual: points are projected onto a polygon, checked by ``qpsolvers``.

``solve_qp(P, q, G, h)`` has the arguments of ``qpsolvers.solve_qp``. The dual of min x'P x / 2 + q'x,
G x <= h, is the complementarity problem w = A z + b, with multipliers z >= 0, slacks w = h - G x >= 0,
A = G P^-1 G', b = h + G P^-1 q; then x = -P^-1 (q + G'z).
The comparison needs ``pip install qpsolvers daqp``.
"""

from pathlib import Path

import numpy as np

from mlcp import prepare


class Programmes:
    """Programmes min x'P x / 2 + q'x, G x <= h, for many q: the dual's matrix is prepared once."""

    def __init__(self, P: np.ndarray, G: np.ndarray, h: np.ndarray) -> None:
        self.P, self.G, self.h = P, G, h
        self.dual = prepare(G @ np.linalg.solve(P, G.T))

    def solve(self, q: np.ndarray) -> np.ndarray:
        """Return the minimiser x."""
        z = self.dual.solve(self.h + self.G @ np.linalg.solve(self.P, q)).z
        return -np.linalg.solve(self.P, q + self.G.T @ z)


def solve_qp(P: np.ndarray, q: np.ndarray, G: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Return the minimiser, as ``qpsolvers.solve_qp(P, q, G, h)`` does; P is positive definite."""
    return Programmes(P, G, h).solve(q)


ANGLES = 2.0 * np.pi * np.arange(4) / 4 + np.pi / 4
SIDES = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])  # |x| + |y| <= 1
OUT = np.full(4, np.sqrt(0.5))  # distances of the sides from the origin


def checked_against(points: np.ndarray) -> str:
    """Sentence with the largest difference between the minimisers by ``qpsolvers`` and ours."""
    try:
        from qpsolvers import available_solvers
        from qpsolvers import solve_qp as theirs
    except ModuleNotFoundError:
        return "not compared: pip install qpsolvers daqp"
    if not available_solvers:
        return "not compared: qpsolvers has no solver; pip install daqp"
    one = "daqp" if "daqp" in available_solvers else available_solvers[0]
    ours = Programmes(np.eye(2), SIDES, OUT)
    far = [np.abs(ours.solve(-p) - theirs(np.eye(2), -p, SIDES, OUT, solver=one)) for p in points]
    return f"largest difference from qpsolvers' {one}: {np.max(far):.1e}"


def main(picture: Path | None = None) -> float:
    """Distance of (2, 1.5) from the square |x| + |y| <= 1 [-]."""
    if picture is not None:
        from matplotlib.figure import Figure

        turn = np.linspace(0.0, 2.0 * np.pi, 61)
        points = np.column_stack([2.2 * np.cos(turn), 1.6 * np.sin(turn)])
        programmes = Programmes(np.eye(2), SIDES, OUT)
        nearest = np.array([programmes.solve(-p) for p in points])
        figure = Figure(figsize=(5.4, 4.2), layout="constrained")
        axes = figure.subplots()
        axes.fill([1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0], color="#d8d2c4")
        for p, x in zip(points, nearest, strict=True):
            axes.plot(*zip(p, x, strict=True), color="#4a63b0", linewidth=0.7)
        axes.plot(*points.T, ".", color="#4a63b0", markersize=4, label="points")
        axes.plot(*nearest.T, ".", color="#c8551b", markersize=6, label="nearest in the square")
        axes.set(aspect="equal", xlabel="x [-]", ylabel="y [-]")
        axes.legend(loc="center", fontsize=7, frameon=False)
        figure.savefig(picture, dpi=150)
    point = np.array([2.0, 1.5])
    return float(np.linalg.norm(solve_qp(np.eye(2), -point, SIDES, OUT) - point))


if __name__ == "__main__":
    out = Path("out/a_quadratic_programme.png")
    out.parent.mkdir(parents=True, exist_ok=True)
    print(f"(2, 1.5) is {main(out):.6f} from the square")
    print(checked_against(np.random.default_rng(0).normal(size=(200, 2)) * 2.0))
    print(f"drawn in {out}")
