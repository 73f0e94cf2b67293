"""Exact pivoting: the default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mlcp.problem import MLCP
from mlcp.solvers.base import Answer, Start, setting
from mlcp.status import Status

_STATUS = {
    0: Status.SOLVED,
    1: Status.ITERATION_LIMIT,
    2: Status.INFEASIBLE,
    3: Status.BACKEND_FAILED,
}


@dataclass(frozen=True)
class Direct:
    """Block principal pivoting with a least-index fallback and a proximal stage for singular A.

    Settings:
        max_pivots: limit on the factorisations of each stage.
    """

    max_pivots: int = 2000

    name: ClassVar[str] = "direct"
    exact: ClassVar[bool] = True
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = True
    needs: ClassVar[str] = "a P-matrix or a positive semidefinite A, symmetric or not"
    tolerance: ClassVar[float] = 1e-10

    def __post_init__(self) -> None:
        setting("Direct", "max_pivots", self.max_pivots, 0, float("inf"))

    def answer(self, problem: MLCP, tol: float, start: Start) -> Answer:
        """Pivot until the active set is the solution's."""
        from mlcp.kernels.entry import run_direct

        n = problem.n
        z = np.zeros(n) if start.z is None else np.array(start.z, dtype=np.float64)
        active = cold_active_set(problem) if start.active is None else np.array(start.active)
        work = np.empty(n * n + 9 * n)
        code, pivots = run_direct(
            problem.dense_A, problem.b, problem.lower, problem.upper, z,
            active.astype(np.int64), work, int(self.max_pivots),
        )  # fmt: skip
        return Answer(z, _STATUS[code], pivots, active_set(problem, z))


def cold_active_set(problem: MLCP) -> np.ndarray:
    """Rows with one bound start there; rows with two start free."""
    lower, upper = np.isfinite(problem.lower), np.isfinite(problem.upper)
    return np.where(lower & ~upper, -1, np.where(upper & ~lower, 1, 0)).astype(np.int64)


def active_set(problem: MLCP, z: np.ndarray) -> np.ndarray:
    """-1 where z is at its lower bound, +1 at its upper one, 0 elsewhere."""
    at_lower = (z <= problem.lower).astype(np.int64)
    return np.where(at_lower == 1, -1, (z >= problem.upper).astype(np.int64))
