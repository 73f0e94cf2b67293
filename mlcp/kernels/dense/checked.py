"""Solution of a dense problem, with w and residual: Newton steps in the faces, then Lemke's path.

A face of the box of bounds is a set of free rows, with all others at a bound.
"""

import math

from mlcp.jit import entry_point, kernel
from mlcp.kernels.codes import FAILED, INFEASIBLE, SOLVED, SPARSE
from mlcp.kernels.dense.face_newton import DIAGONAL_RIDGE, FaceWork, NewtonStart, face_newton
from mlcp.kernels.dense.lemke_solve import lemke_solve
from mlcp.kernels.dense_problem import Limits, Problem, problem_of, product, well_stated

MANY = 100  # matrices of fewer rows count as filled


@kernel
def is_filled(A, n):
    """True if more than a quarter of A's entries are nonzero, or if A has fewer than ``MANY`` rows."""
    if n < MANY:
        return True
    count = 0
    for i in range(n):
        for j in range(n):
            count += A[i, j] != 0.0
    return count > 0.25 * n * n


@kernel
def start_sides(problem, z, active, cold):
    """Clip z to the box, if ``cold`` from 0, and set ``active`` to its active set; if ``cold``, to the
    bounds nearest to 0, 0 if there are none."""
    for i in range(problem.n):
        low, high = problem.lower[i], problem.upper[i]
        z[i] = min(max(0.0 if cold or not abs(z[i]) < math.inf else z[i], low), high)
        active[i] = -1 if z[i] <= low else (1 if z[i] >= high else 0)
        if cold and active[i] == 0 and (low > -math.inf or high < math.inf):
            active[i] = -1 if -low <= high else 1


@kernel
def solve_checked(problem, z, w, active, work, cold, filled, limits):
    """Solve a problem: set z, w = A z + b and active (-1, 0, 1); return (code, natural residual, steps).

    filled: True to follow Lemke's path for any A; else the code is SPARSE if the Newton steps fail and A
    is sparse. The residual is that of the returned z, computed from the problem's numbers; inf without a
    result.
    """
    if not well_stated(problem):
        return FAILED, math.inf, 0
    n, W = problem.n, FaceWork(work, problem.n)
    steps, residual = face_newton(problem, z, active, W, NewtonStart(cold, DIAGONAL_RIDGE), limits)
    if residual <= limits.tolerance:
        for i in range(n):
            w[i] = W.sizes.w[i]
            # round-off may put z beyond a bound
            z[i] = min(max(z[i], problem.lower[i]), problem.upper[i])
            active[i] = -1 if z[i] <= problem.lower[i] else (1 if z[i] >= problem.upper[i] else 0)
        return SOLVED, residual, steps
    code = SPARSE
    if filled or is_filled(problem.A, n):
        for i in range(n):
            w[i] = z[i]
        start_sides(problem, z, active, cold)
        code, more, reached = lemke_solve(problem, z, active, work, limits)
        steps += more
        if not reached < residual and code != INFEASIBLE:
            for i in range(n):
                z[i] = w[i]
        residual = min(residual, reached)
    for i in range(n):
        w[i] = product(problem.A, i, z, n) + problem.b[i]
    return code, residual, steps


@entry_point("mlcp")
def run_checked(problem, found, work, cold, filled, tol, most, deadline):
    """Solve ``problem = A, b, lower, upper`` into ``found = z, w, active`` by ``solve_checked``."""
    z, w, active = found
    ends = Limits(tol, most, deadline, 0.0)
    return solve_checked(problem_of(problem), z, w, active, work, cold, filled, ends)


@entry_point("mlcp", nogil=True)
def run_stack(problems, found, work, limits, first, last):
    """Solve problems first .. last - 1 of a stack; a single A in the stack is shared by all problems.

    ``problems = A, b, lower, upper; found = z, w, active, residuals, steps``: one row per problem.
    """
    (A, b, lower, upper), (z, w, active, residuals, steps) = problems, found
    tol, most = limits
    ends = Limits(tol, most, math.inf, 0.0)
    for k in range(first, last):
        own = k if A.shape[0] > 1 else 0
        problem = Problem(A[own], b[k], lower[k], upper[k], b.shape[1])
        _code, residuals[k], steps[k] = solve_checked(
            problem, z[k], w[k], active[k], work, True, False, ends
        )
