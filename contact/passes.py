"""Solution of the contact problem from Python, pass by pass: linearisation of the laws, dense solve.

This serves solvers without a kernel, and linearisations of a law (schemes) written by users.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp import MLCP, solve
from mlcp.solvers.base import Solver

from .kernels.solve import entry
from .schemes.own import evaluate

Floats = NDArray[np.float64]


class BackEnd:
    """A solver of ``mlcp`` that solves the dense problem of each pass.

    Arguments: solver: result of ``SOLVERS.find``.
    """

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._workspace: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """State of copies and pickles, without the solver's workspace."""
        return {**self.__dict__, "_workspace": None}

    def __deepcopy__(self, memo: object) -> BackEnd:
        """Copy with a workspace of its own and the same solver object."""
        return BackEnd(self._solver)

    def __call__(self, A: Floats, b: Floats, lower: Floats, upper: Floats, z: Floats) -> Floats:
        """Solve one problem, warm-started at z."""
        if self._solver.name == "osqp":
            # OSQP is set up once for the thousands of problems of one size in a run.
            if self._workspace is None:
                from mlcp.solvers.osqp import Osqp, OsqpWorkspace

                own = self._solver if isinstance(self._solver, Osqp) else None
                self._workspace = OsqpWorkspace(z.shape[0], own)
            self._workspace.update(A, b, lower, upper)
            return self._workspace.solve()
        problem = MLCP(A, b, lower, upper)
        return solve(problem, self._solver, z0=z, raise_on_failure=False).z


def problem_of(rows: Any, B: ArrayLike, u_free: ArrayLike) -> MLCP:
    """Dense problem ``A = J B J' + diag(e)``, ``b = J u_free + bias`` of rows on channels.

    Row i of J has 1 at the row's channel (contact coordinate) and -1 at a subtracted channel, if any.
    """
    J = np.zeros((rows.channel.size, rows.q.shape[0]))
    J[np.arange(rows.channel.size), rows.channel] = 1.0
    away = rows.minus >= 0
    J[np.flatnonzero(away), rows.minus[away]] = -1.0
    A = J @ np.asarray(B, float) @ J.T + np.diag(rows.e)
    b = J @ np.asarray(u_free, float) + rows.bias
    return MLCP(A, b, rows.lower.copy(), rows.upper.copy())


def solve_by_passes(
    data: Any,
    schemes: list[tuple[int, Any]],
    back_end: Callable[[Any], tuple[float, bool] | None],
    h: float,
    gap: Floats,
    B: Floats,
    u: Floats,
    u_free: Floats,
) -> None:
    """Run passes from Python until the rows agree with the laws, at most ``max_passes``.

    Arguments:
        data: ``kernels.wheel.data.Contact``. schemes: pairs of a wheel's number and its user's scheme.
        back_end: function that solves the rows in place; a returned (residual, converged) replaces the
            residual of the dense problem in the report.
        h, gap, B, u, u_free: as in ``GroundContact.solve``.
    """
    rows, settings = data.rows, data.settings
    where = data.F, data.N, data.base
    data.gap[:], data.start[:] = gap, u
    entry.begin(h, B, u_free, *where)
    agreed, passes, verdict = False, 0, None
    while not agreed and passes < settings.max_passes:
        passes += 1
        entry.set_problem(h, B, u_free, *where)
        for i, scheme in schemes:
            evaluate(scheme, i, h, data)
        verdict = back_end(rows)
        agreed = entry.check(h, B, u_free, *where)
    entry.conclude(agreed, passes, settings.solver_tolerance, *where)
    if verdict is not None:
        rows.report.residual = verdict[0]
        rows.report.missed = 0.0 if agreed and verdict[1] else 1.0
    entry.remember(h, *where)
