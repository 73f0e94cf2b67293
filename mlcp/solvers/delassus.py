"""How ``direct`` solves a structured problem: reduced when few rows are bounded, else Newton."""

from __future__ import annotations

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.solvers.base import Answer, Start, start_point
from mlcp.status import Status

_STATUS = {
    0: Status.SOLVED,
    1: Status.ITERATION_LIMIT,
    2: Status.INFEASIBLE,
    3: Status.BACKEND_FAILED,
}


def solve_structured(problem: StructuredMLCP, tol: float, start: Start) -> Answer:
    """Solve to a tenth of ``tol``; never forms A."""
    from mlcp.kernels.structured_entry import run_structured, structured_work_size

    p = problem
    plan, blocks = p.plan
    n, nb, bounded = p.n, p.bodies, p.bounded
    m = len(bounded)
    cold = start.z is None or start.active is None
    z = np.empty(n) if cold else start_point(problem, start)
    state = np.empty(n, np.int64) if cold else np.array(start.active, dtype=np.int64)
    code, steps, factored, residual = run_structured(
        p._ints, p._reals, plan, blocks, n, nb, bounded, z, state, cold, 0.1 * tol,
        np.empty(structured_work_size(n, nb, len(p._row_block), m, blocks)),
        np.empty(m + nb, np.int64),
    )  # fmt: skip
    extras = {"factorisations": factored}
    if residual <= tol:
        return Answer(z, Status.SOLVED, steps, state, extras)
    if not cold and code != 2:  # a bad start must not cost the solution
        return solve_structured(problem, tol, Start())
    return Answer(z, _STATUS[code], steps, state, extras)
