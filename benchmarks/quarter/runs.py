"""Running the case: every scheme with every solver, and what a table says of each run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bodies.quarter import QuarterModel, simulate
from bodies.trajectory import Trajectory
from mlcp import MLCP, solve

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


def referee(case: Case, schemes: tuple[str, ...], samples: int) -> tuple[int, float]:
    """Solve sampled steps' problems again with cvxpy.

    Two solutions of one problem may share out redundant impulses differently, but not differ in
    ``A z``, the velocities. Returns the number of steps and the largest difference of A z relative
    to the largest entry of b.
    """
    worst, count = 0.0, 0
    each = max(1, samples // len(schemes))
    steps = round(case.duration / case.step)
    stride = max(1, steps // each)
    for scheme in schemes:
        model = QuarterModel(case.vehicle(scheme), "direct")
        model.restore(model.at_rest(case.step, case.initial_speed))
        out = np.zeros((1, 18))
        for _ in range(min(each, steps)):
            model.run(case.step, stride, stride, out)
            rows = model.contact.row_arrays
            problem = MLCP(rows.A.copy(), rows.b.copy(), rows.lower.copy(), rows.upper.copy())
            solution = solve(problem, "cvxpy", tol=1e-5, raise_on_failure=False)
            scale = max(float(np.abs(rows.b).max()), 1e-12)
            worst = max(worst, float(np.abs(rows.A @ (solution.z - rows.z)).max()) / scale)
            count += 1
    return count, worst
