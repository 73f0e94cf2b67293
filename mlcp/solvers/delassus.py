"""How ``direct`` solves a structured problem: reduced when few rows are bounded, else Newton."""

from __future__ import annotations

import functools

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


FEW = 16  # most bodies for which the plan is made in the call that solves


@functools.cache
def _kernels():
    """The compiled functions, loaded on first use; an import statement takes a microsecond."""
    from mlcp.kernels import structured_entry

    return structured_entry


def solve_structured(problem: StructuredMLCP, tol: float, start: Start) -> Answer:
    """Solve to a tenth of ``tol``; never forms A."""
    kernels = _kernels()
    p = problem
    n, nb, bounded = p.n, p.bodies, p.bounded
    m = len(bounded)
    if "plan" in p.__dict__ or nb > FEW:
        plan, blocks = p.plan
        room = blocks
    else:  # a call of its own would take a tenth of such a solve
        plan, blocks, room = p._empty_plan(), 0, nb * (nb + 1) // 2
    cold = start.z is None or start.active is None
    z = np.empty(n) if cold else start_point(problem, start)
    state = np.empty(n, np.int64) if cold else np.array(start.active, dtype=np.int64)
    code, steps, factored, residual, made = kernels.run_structured(
        p._ints, p._reals, plan, blocks, n, nb, bounded, z, state, cold, 0.1 * tol,
        np.empty(kernels.structured_work_size(n, nb, len(p._row_block), m, room)),
        np.empty(m + nb, np.int64),
    )  # fmt: skip
    if blocks == 0:
        p.__dict__["plan"] = plan, made
    extras = {"factorisations": factored}
    if residual <= tol:
        return Answer(z, Status.SOLVED, steps, state, extras)
    if not cold and code != 2:  # a bad start must not cost the solution
        return solve_structured(problem, tol, Start())
    return Answer(z, _STATUS[code], steps, state, extras)
