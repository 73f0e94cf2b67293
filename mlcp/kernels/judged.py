"""Dense problems solved and judged in one call by Newton steps in the faces."""

from __future__ import annotations

import math

from mlcp.jit import entry_point, kernel
from mlcp.kernels.dense_problem import Limits, Problem, problem_of
from mlcp.kernels.face_newton import FaceWork as FaceWork  # for the callers
from mlcp.kernels.face_newton import face_newton
from mlcp.kernels.stated import well_stated


@kernel
def solve_judged(problem, z, w, active, work, cold, limits):
    """Solve for z, w = A z + b and the sides; return (natural residual, inf after a failure; steps).

    The residual is that of the z returned, from the problem's numbers.
    """
    if not well_stated(problem):
        return math.inf, 0
    n, W = problem.n, FaceWork(work, problem.n)
    steps, residual = face_newton(problem, z, active, W, cold, limits)
    for i in range(n):
        w[i] = W.sizes.w[i]
        active[i] = 0
        if z[i] <= problem.lower[i]:
            active[i] = -1
        elif z[i] >= problem.upper[i]:
            active[i] = 1
    return residual, steps


@entry_point("mlcp")
def run_judged(source_hash):
    def run_judged(problem, found, work, most, cold, deadline):
        """One problem: (residual, steps) of ``solve_judged``; found = z, w, active."""
        source_hash
        z, w, active = found
        limits = Limits(0.0, most, deadline, 0.0)
        return solve_judged(problem_of(problem), z, w, active, work, cold, limits)

    return run_judged


@entry_point("mlcp", nogil=True)
def run_stack(source_hash):
    def run_stack(problems, found, work, most, first, last):
        """Problems first .. last - 1 of a stack; one A serves all where the stack of A is 1 long.

        ``problems = A, b, lower, upper; found = z, w, active, residuals, steps``, a row for each.
        """
        source_hash
        (A, b, lower, upper), (z, w, active, residuals, steps) = problems, found
        limits = Limits(0.0, most, math.inf, 0.0)
        for k in range(first, last):
            own = k if A.shape[0] > 1 else 0
            problem = Problem(A[own], b[k], lower[k], upper[k], b.shape[1])
            residuals[k], steps[k] = solve_judged(problem, z[k], w[k], active[k], work, True, limits)

    return run_stack
