"""Check of the numbers of a dense problem."""

from __future__ import annotations

import math

from mlcp.jit import entry_point, kernel, summing
from mlcp.kernels.dense_problem import problem_of


@summing
def zero_times_row(A, i, n):
    """0, or NaN if an entry is not finite."""
    total = 0.0
    for j in range(n):
        total += 0.0 * A[i, j]
    return total


@kernel
def well_stated(problem):
    """True if every number is allowed in a problem; Python finds the message for a wrong one."""
    b, lower, upper = problem.b, problem.lower, problem.upper
    total = 0.0
    for i in range(problem.n):
        total += zero_times_row(problem.A, i, problem.n) + 0.0 * b[i]
        if not lower[i] <= upper[i] or lower[i] == math.inf or upper[i] == -math.inf:
            return False
    return total == 0.0


@entry_point("mlcp")
def run_well_stated(source_hash):
    def run_well_stated(A, b, lower, upper):
        """``well_stated`` of arrays."""
        source_hash
        return well_stated(problem_of((A, b, lower, upper)))

    return run_well_stated
