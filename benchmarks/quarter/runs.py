"""Running the case: every scheme with every solver, and what a table says of each run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bodies.quarter import UNITS, QuarterModel, simulate
from bodies.quarter.trajectory import Trajectory
from mlcp import solve

from .case import Case


@dataclass(frozen=True)
class Run:
    """One run of the case and its wall time."""

    scheme: str
    solver: str
    trajectory: Trajectory
    wall_s: float

    @property
    def steady(self) -> dict[str, float]:
        """Slip, thrust, resistance and speed at the end of the run."""
        end = self.trajectory.at_end
        return {
            "slip": end("slip"),
            "thrust_N": end("traction"),
            "resistance_N": end("resistance"),
            "speed_m_s": end("v_x"),
        }

    @property
    def chatter(self) -> float:
        """Total variation of the traction force over its largest value; 1 for a monotone rise."""
        return total_variation(self.trajectory["traction"])


def total_variation(force: NDArray[np.float64]) -> float:
    """Total variation of ``force`` over its largest magnitude [-]; 0 where there is no force."""
    largest = float(np.abs(force).max())
    return float(np.abs(np.diff(force)).sum() / largest) if largest > 0.0 else 0.0


def run_case(
    case: Case, scheme: str, solver: str, progress: Callable[[float], None] | None = None
) -> Run:
    """Run the case once under a scheme with a solver."""
    begin = time.perf_counter()
    trajectory, _ = simulate(
        case.vehicle(scheme), case.duration, case.step, solver,
        speed=case.initial_speed, progress=progress,
    )  # fmt: skip
    return Run(scheme, solver, trajectory, time.perf_counter() - begin)


def warm_up(case: Case, solvers: tuple[str, ...]) -> None:
    """Compile (or load) the kernels that these solvers need, on a few steps."""
    for solver in solvers:
        simulate(case.vehicle("implicit"), 3.0 * case.step, case.step, solver)


def referee(case: Case, schemes: tuple[str, ...], samples: int) -> tuple[int, float, float]:
    """Solve sampled steps' problems again with cvxpy.

    The problems are convex programmes, z'Az/2 + b'z over the box. Two solutions of one may share out
    redundant impulses differently, but differ neither in the objective nor in ``A z``, the velocities.
    Returns the number of steps, by how much our objective is worse than cvxpy's (relative; negative
    where ours is better) at most, and the largest difference of A z relative to that of b.
    """
    worst, gap, count = 0.0, -np.inf, 0
    each = max(1, samples // len(schemes))
    steps = round(case.duration / case.step)
    stride = max(1, steps // each)
    for scheme in schemes:
        model = QuarterModel(case.vehicle(scheme), "direct")
        model.restore(model.at_rest(case.step, case.initial_speed))
        out = np.zeros((1, len(UNITS)))
        for _ in range(min(each, steps)):
            model.run(case.step, stride, stride, out)
            problem = model.contact.problem(model.motion.B, model.motion.u_free)
            A, b, ours = problem.A, problem.b, model.contact.row_arrays.z.copy()
            theirs = solve(problem, "cvxpy", tol=1e-5, raise_on_failure=False).z
            objectives = [float(0.5 * z @ A @ z + b @ z) for z in (ours, theirs)]
            size = max(abs(objectives[1]), 1e-12)
            gap = max(gap, (objectives[0] - objectives[1]) / size)
            scale = max(float(np.abs(b).max()), 1e-12)
            worst = max(worst, float(np.abs(A @ (theirs - ours)).max()) / scale)
            count += 1
    return count, gap, worst
