"""Structured problems in ``direct``: reduced to the bounded rows if these are few, else Newton's method.

If Newton's method has not found the active set after some steps, it starts again from the result of
interior points (``mlcp.solvers.sparse``) on M v = J'z, w = J v + e z + b.
"""

from __future__ import annotations

import functools
import time
from dataclasses import replace
from typing import Any

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.kernels.codes import INFEASIBLE, ITERATION_LIMIT, SOLVED
from mlcp.solvers.base import STATUS, Answer, Start, active_set, has_passed, start_point
from mlcp.solvers.sparse import sparse
from mlcp.status import Status

FEW = 16  # largest number of bodies for which the solving call also makes the elimination plan
MAX_FORMED_ROWS = 1000  # largest number of rows for which A is formed, after other methods have failed
REDUCED = 64  # largest number of bounded rows for which the bilateral rows are eliminated


@functools.cache
def _kernels():
    """Module of the compiled functions; kept, since an import statement takes a microsecond."""
    from mlcp.kernels.structured import structured_entry

    return structured_entry


def solve_structured(
    problem: StructuredMLCP, tol: float, start: Start, end: float, dense: Any
) -> Answer:
    """Solve to a tenth of ``tol`` until the time ``end``, without forming A; after a failure try other
    methods, one of which forms A for ``dense``, a solver."""
    kernels = _kernels()
    p = problem
    n, nb, bounded = p.n, p.bodies, p.bounded
    m = len(bounded)
    if "plan" in p.__dict__ or nb > FEW:
        plan, blocks = p.plan
        room = blocks
    else:  # the solving call makes the plan; a separate call would add a tenth to a small solve
        plan, blocks, room = p._empty_plan(), 0, nb * (nb + 1) // 2
    cold = start.z is None or start.active is None
    z = np.empty(n) if cold else start_point(problem, start)
    state = np.empty(n, np.int64) if cold else np.array(start.active, dtype=np.int64)
    given = (p._ints, p._reals, n, nb, bounded), (plan, blocks), (z, state), cold
    work = np.empty(kernels.structured_work_size(n, nb, len(p._row_block), m, room))
    reduced = m <= REDUCED and 2 * m <= n
    if reduced:
        dense_part = np.empty(kernels.small_size(m)), np.empty(m + nb, np.int64)
        found = kernels.run_reduced(*given, 0.1 * tol, end, work, dense_part)
    else:
        found = kernels.run_structured(*given, False, 0.1 * tol, end, work)
    code, steps, factored, residual, made = found
    if blocks == 0:
        p.__dict__["plan"] = plan, made
    extras = {"factorisations": factored}
    if residual <= 0.1 * tol:
        return Answer(z, Status.SOLVED, steps, state, extras)
    found = Answer(z, STATUS[code], steps, state, extras)
    if code == INFEASIBLE:
        return found
    return _try_other_methods(problem, tol, end, reduced or not cold, work, found, residual, dense)


def _try_other_methods(problem, tol, end, afresh, work, best, least, dense) -> Answer:
    """Try the other methods after a failure; return the first solution or proof of infeasibility, else
    the best answer.

    best, least: answer of the failed method and its residual. afresh: True to try Newton's method from
    rest before the interior points.
    """
    kernels, p = _kernels(), problem
    z, state = np.array(best.z), np.array(best.active)
    given = p.for_kernels, p.plan, (z, state)
    steps, factored = best.iterations, best.extras["factorisations"]

    def newton(cold: bool, patient: bool) -> tuple[int, int, int, float]:
        return kernels.run_structured(*given, cold, patient, 0.1 * tol, end, work)[:4]

    def interior() -> tuple[int, int, int, float]:
        found, unknowns = sparse(p.with_velocities(), 0.1 * tol, end), 6 * p.bodies
        z[:] = np.clip(found.z[unknowns:], p.lower, p.upper)
        state[:], residual = active_set(p, z), p.recomputed(z)[2]
        code = SOLVED if residual <= 0.1 * tol else ITERATION_LIMIT
        return code, found.iterations, found.iterations, residual

    def formed() -> tuple[int, int, int, float]:
        left = max(end - time.monotonic(), 1e-3)  # time left [s]
        found = replace(dense, time_limit=left).answer(p.formed(), 0.1 * tol, Start())
        z[:], residual = found.z, p.recomputed(found.z)[2]
        state[:] = active_set(p, z)
        if found.status is Status.INFEASIBLE:
            return INFEASIBLE, found.iterations, 0, residual
        return SOLVED if residual <= 0.1 * tol else ITERATION_LIMIT, found.iterations, 0, residual

    attempts = [
        interior,
        lambda: newton(False, True),  # starts from the result of ``interior``
        *([formed] if p.n <= MAX_FORMED_ROWS else []),
        lambda: newton(True, True),  # starts from z = 0; can also prove infeasibility
    ]
    if afresh:  # the given start may be bad
        attempts.insert(0, lambda: newton(True, False))
    for attempt in attempts:
        if has_passed(end):
            best = best._replace(status=Status.TIME_LIMIT)
            break
        code, used, some, residual = attempt()
        steps, factored = steps + used, factored + some
        if residual < least or code == INFEASIBLE:
            least = residual
            extras = {"factorisations": factored}
            best = Answer(z.copy(), STATUS[code], steps, state.copy(), extras)
            if residual <= 0.1 * tol or code == INFEASIBLE:
                return best
    return best._replace(status=Status.SOLVED) if least <= tol else best
