"""How ``direct`` solves a structured problem: reduced when few rows are bounded, else Newton."""

from __future__ import annotations

import numpy as np

from mlcp.delassus import BLOCK, StructuredMLCP
from mlcp.solvers.base import Answer, Start, start_point
from mlcp.status import Status

REDUCED = 64  # most bounded rows for which the bilateral ones are eliminated
COLD, WARM = 1e-5, 1e-8  # first proximal weight, relative to diag(A)
SMALLEST, SHRINK = 1e-10, 1e-3


def solve_structured(problem: StructuredMLCP, tol: float, start: Start) -> Answer:
    """Solve to a tenth of ``tol``; never forms A."""
    from mlcp.kernels.entry import run_reduced, run_structured

    p, plan = problem, problem.plan
    n, nb, blocks = p.n, p.bodies, plan["blocks"]
    cold = start.z is None
    z = np.zeros(n) if cold else start_point(problem, start)
    parts = (p._row_start, p._row_block, p._J, p.mass, p.e, p.b, p.lower, p.upper,
             plan["order"], plan["position"], plan["start"], plan["rows"], plan["where"], blocks,
             z, np.empty(n), np.empty(BLOCK * nb), np.empty(n), np.empty(36 * nb))  # fmt: skip
    L, real, body = np.empty(36 * blocks), np.empty(4 * n), np.empty(18 * nb)
    bounded = p.bounded
    m = len(bounded)
    if m <= REDUCED and 2 * m <= n:
        code, steps, residual = run_reduced(
            *parts, 0.1 * tol, L, np.empty(n, np.int64), real, body, bounded,
            np.empty(6 * nb * m), np.empty(2 * m * m + 13 * m),
            np.empty(m, np.int64), np.empty(nb, np.int64),
        )  # fmt: skip
        if residual <= tol:
            return Answer(z, Status.SOLVED, steps, extras={"factorisations": 1})
        z[:] = 0.0 if start.z is None else start.z
    state = np.where(p.lower == p.upper, -1, 0) if start.active is None else start.active
    code, steps, factored, residual = run_structured(
        *parts, COLD if cold else WARM, SMALLEST, SHRINK, 0.1 * tol,
        np.empty(36 * blocks), L, state.astype(np.int64), real, body,
    )  # fmt: skip
    extras = {"factorisations": factored}
    if residual <= tol:
        return Answer(z, Status.SOLVED, steps, extras=extras)
    if not cold:  # a bad start must not cost the solution
        return solve_structured(problem, tol, Start())
    status = Status.BACKEND_FAILED if code == 3 else Status.ITERATION_LIMIT
    return Answer(z, status, steps, extras=extras)
