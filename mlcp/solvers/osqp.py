"""Solver OSQP: the problem as a quadratic programme in a box, by operator splitting and polishing.

For symmetric positive semidefinite A the solutions of the MLCP are the minimisers of
z'Az/2 + b'z over the box. SciPy and osqp are imported at the first use.
Source: Stellato et al., OSQP: an operator splitting solver for quadratic programs, Math. Program.
    Comput. 12 (2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.kinds import Range, above, checked
from mlcp.problem import MLCP
from mlcp.solvers import base
from mlcp.solvers.scaled import UnitRows
from mlcp.status import Status


@dataclass(frozen=True)
@checked
class Osqp:
    """Solver by operator splitting on the quadratic programme, scaled to unit diagonal, and polishing.

    Settings:
        eps: absolute and relative tolerance of the splitting, on the scaled problem [-].
        max_iterations: limit on the splitting steps.
        rho: penalty of the splitting; 1 suits a unit diagonal.
        time_limit: largest time of a solve [s].

    Raises:
        ValueError: an argument of another kind or out of its range.
    """

    eps: Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)] = 1e-11
    max_iterations: base.Count = 50_000
    rho: Annotated[float, above(0.0)] = 1.0
    time_limit: base.TimeLimit = base.TIME_LIMIT

    name: ClassVar[str] = "osqp"
    exact: ClassVar[bool] = False
    handles_bilateral: ClassVar[bool] = True
    warm_starts: ClassVar[bool] = True
    needs: ClassVar[str] = "a symmetric positive semidefinite A"
    tolerance: ClassVar[float] = 1e-9

    @checked.bare
    def answer(self, problem: MLCP, tol: float, start: base.Start) -> base.Answer:
        """Solve the quadratic programme; refuse an asymmetric A."""
        if not problem.symmetric:
            raise base.UnsuitableProblem(
                "osqp needs a symmetric A (a box programme has a symmetric Hessian), and this A is"
                " not equal to its transpose; use 'direct', 'newton' or 'pgs'."
            )
        if problem.sparse and not isinstance(problem, StructuredMLCP):
            rows = UnitRows(problem)
            if not (np.all(np.isfinite(rows.b)) and np.isfinite(abs(rows.A).sum())):
                return base.Answer(np.full(problem.n, np.nan), Status.NOT_A_NUMBER, 0)
            from osqp import OSQPException

            try:
                workspace = OsqpWorkspace(problem.n, self, rows)
            except OSQPException:  # OSQP has found during its set-up that A is not positive semidefinite
                return base.Answer(np.full(problem.n, np.nan), Status.BACKEND_FAILED, 0)
        else:
            workspace = OsqpWorkspace(problem.n, self)
            if not workspace.update(problem.dense_A, problem.b, problem.lower, problem.upper):
                return base.Answer(np.full(problem.n, np.nan), Status.NOT_A_NUMBER, 0)
        if start.z is not None:
            workspace.warm_start(base.start_point(problem, start))
        z = workspace.solve()
        return base.Answer(z.copy(), workspace.status, workspace.iterations)


class OsqpWorkspace:
    """One OSQP workspace for many problems of one size, each started from the last solution.

    ``update(A, b, lower, upper)``, then ``solve() -> z`` (a view that the next solve overwrites).
    A must be symmetric; only its upper triangle is read. A workspace made with ``rows`` (a scaled
    problem, A dense or sparse) solves only that problem; ``update`` must not be called.
    """

    def __init__(self, n: int, settings: Osqp | None = None, rows: UnitRows | None = None) -> None:
        osqp = base.package("osqp")
        import scipy.sparse as sp

        settings = Osqp() if settings is None else settings
        self.n: int = n
        self.status: Status = Status.ITERATION_LIMIT
        self.iterations: int = 0
        # An additional variable fixed at zero, so that a row is always at a bound: without such a row
        # OSQP prints at every solve that it has nothing to polish.
        m = n + 1
        self._q, self._lower, self._upper = np.zeros(m), np.zeros(m), np.zeros(m)
        self._scale = np.ones(n)
        if rows is None:
            pattern = sp.csc_matrix(np.triu(np.ones((m, m))))
            self._P = pattern.data.copy()
            self._P[-m:] = 0.0
            self._P[-1] = 1.0
            pattern.data = np.where(pattern.tocoo().row == pattern.tocoo().col, 1.0, 1e-3)
        else:
            pattern = sp.block_diag([sp.triu(rows.A), sp.eye(1)], format="csc")
            self._q[:n] = rows.b
            self._lower[:n] = np.clip(rows.lower, -1e30, 1e30)
            self._upper[:n] = np.clip(rows.upper, -1e30, 1e30)
            self._scale = rows.back(self._scale)
        self._z = np.zeros(n)
        self._model = osqp.OSQP()
        self._model.setup(
            pattern, self._q, sp.eye(m, format="csc"), self._lower, self._upper,
            verbose=False, eps_abs=settings.eps, eps_rel=settings.eps, polishing=True,
            max_iter=int(settings.max_iterations), rho=float(settings.rho), scaling=0,
            check_termination=10, adaptive_rho=1, adaptive_rho_interval=100, delta=1e-9,
            polish_refine_iter=5, time_limit=min(float(settings.time_limit), 1e10),
        )  # fmt: skip
        statuses: Any = osqp.SolverStatus
        self._solver: Any = self._model._solver  # C extension: its Python wrapper takes 30 us a call
        self._solved = int(statuses.OSQP_SOLVED)

    def update(self, A: np.ndarray, b: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> bool:
        """Copy the next problem's numbers to the workspace.

        Returns: False, without copying, if the numbers overflow in rows of unit diagonal.
        """
        from mlcp.kernels.dense_calls import scale_box_programme

        programme = self._P, self._q, self._lower, self._upper
        scale_box_programme((A, b, lower, upper), self._scale, programme)
        if not (np.isfinite(self._P).all() and np.isfinite(self._q).all()):
            return False
        self._solver.update_data_mat(P_x=self._P, P_i=None, A_x=None, A_i=None)
        self._solver.update_data_vec(q=self._q, l=self._lower, u=self._upper)
        return True

    def warm_start(self, z: np.ndarray) -> None:
        """Start the next solve at z, in the units of the problem last given to ``update``."""
        self._solver.warm_start(np.append(z / self._scale, 0.0), None)

    def solve(self) -> np.ndarray:
        """Solve the problem of the last ``update``; z is clipped to the bounds."""
        self._solver.solve()
        info = self._solver.info
        self.iterations = int(info.iter)
        self.status = Status.SOLVED if info.status_val == self._solved else _status(str(info.status))
        z = self._solver.solution.x[: self.n]
        np.minimum(np.maximum(z, self._lower[: self.n]), self._upper[: self.n], out=self._z)
        with np.errstate(over="ignore", invalid="ignore"):
            self._z *= self._scale
        return self._z


def _status(text: str) -> Status:
    # "infeasible" comes from OSQP without a proof to check: it is reported as a failure.
    if "time limit" in text:
        return Status.TIME_LIMIT
    if "maximum iterations" in text or "inaccurate" in text:
        return Status.ITERATION_LIMIT
    return Status.BACKEND_FAILED
