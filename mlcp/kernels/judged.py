"""Dense problems solved and judged in one call: the way of many small problems."""

from __future__ import annotations

import math

from mlcp.jit import entry_point, kernel
from mlcp.kernels.blocks_first import DONE, UNFIT, pivot_blocks
from mlcp.kernels.dense_problem import Limits, Problem
from mlcp.kernels.direct import ACCEPTED, direct, sides_of
from mlcp.kernels.direct import PivotWork as PivotWork  # for the callers
from mlcp.kernels.residual import natural_residual

LEFT = -1.0  # instead of a residual: not a problem for this call


@kernel
def well_stated(problem):
    """Whether every number is one that a problem may hold; the sentences are Python's."""
    A, b, lower, upper, n = problem.A, problem.b, problem.lower, problem.upper, problem.n
    total = 0.0
    for i in range(n):
        for j in range(n):
            total += 0.0 * A[i, j]  # NaN for what is not finite
        total += 0.0 * b[i]
        if not lower[i] <= upper[i] or lower[i] == math.inf or upper[i] == -math.inf:
            return False
    return total == 0.0


@kernel
def at_rest_first(problem, z, active):
    """The cold start: rows with one bound there, others free; whether bilateral rows should go first."""
    lower, upper, n = problem.lower, problem.upper, problem.n
    bilateral, blind = 0, False
    for i in range(n):
        z[i] = 0.0
        active[i] = 0
        if lower[i] > -math.inf and upper[i] == math.inf:
            active[i] = -1
        elif upper[i] < math.inf and lower[i] == -math.inf:
            active[i] = 1
        elif lower[i] == -math.inf:
            bilateral += 1
            blind = blind or problem.A[i, i] <= 0.0
    return bilateral > 0 and (blind or (n > 30 and 2 * bilateral >= n))


@kernel
def solve_judged(problem, z, w, active, work, limits):
    """Solve by pivoting from rest: (residual, pivots); w = A z + b, active the sides of z.

    The residual is that of the z returned, from the problem's numbers; LEFT where many rows are
    bilateral or one does not see itself, which should be eliminated first.
    """
    n, W = problem.n, PivotWork(work, problem.n)
    if at_rest_first(problem, z, active):
        return LEFT, 0
    found, pivots = pivot_blocks(problem, z, active, W, limits)
    residual = math.inf
    if found == DONE:
        residual = natural_residual(problem, z, W.sizes)
    if not residual <= ACCEPTED:
        if found == UNFIT:
            at_rest_first(problem, z, active)
        _code, more = direct(problem, z, active, work, limits)
        pivots += more
        residual = natural_residual(problem, z, W.sizes)
    for i in range(n):
        w[i] = W.sizes.w[i]
    sides_of(problem, z, active)
    return residual, pivots


@entry_point("mlcp")
def run_judged(source_hash):
    def run_judged(A, b, lower, upper, z, w, active, work, most):
        """One problem: (residual, pivots), LEFT where its numbers need a sentence or another way."""
        source_hash
        problem = Problem(A, b, lower, upper, b.shape[0])
        if not well_stated(problem):
            return LEFT, 0
        return solve_judged(problem, z, w, active, work, Limits(0.0, most, math.inf, 0.0))

    return run_judged


@entry_point("mlcp", nogil=True)
def run_stack(source_hash):
    def run_stack(A, b, lower, upper, z, w, active, residuals, pivots, work, most, first, last):
        """Problems first .. last - 1 of a stack; one A serves all where the stack of A is 1 long."""
        source_hash
        limits = Limits(0.0, most, math.inf, 0.0)
        for k in range(first, last):
            own = k if A.shape[0] > 1 else 0
            problem = Problem(A[own], b[k], lower[k], upper[k], b.shape[1])
            residuals[k], pivots[k] = LEFT, 0
            if well_stated(problem):
                residuals[k], pivots[k] = solve_judged(problem, z[k], w[k], active[k], work, limits)

    return run_stack
