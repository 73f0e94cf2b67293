"""Arguments of the kernels of dense problems, and the check of their numbers.

problem: a ``Problem`` of n rows; limits: ``Limits``. z (N,), N >= n: start and result. active (N,) of
int64: active set, start and result: -1 at lower, 0 free, 1 at upper. work: float64 scratch of the length
of the kernel's ``WorkArray``, or of ``work_size(n)``.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from mlcp.compiled.lazy import FLOATS, INT, TABLE, named
from mlcp.jit import entry_point, kernel, part, summing


class Problem(NamedTuple):
    """w = A z + b, lower <= z <= upper, w complementary to z in the box, for the leading n rows."""

    A: Any  # (N, N), N >= n
    b: Any  # (N,) bias
    lower: Any  # (N,) lower bounds of z
    upper: Any  # (N,) upper bounds of z
    n: Any  # number of rows


#: Numba type of a dense problem in the memory of a compiled step.
IN_A_STEP = named(Problem, TABLE, FLOATS, FLOATS, FLOATS, INT)


@part
def problem_of(given):
    """Make a ``Problem`` of a plain tuple ``(A, b, lower, upper)``; a named tuple would cost a caller in
    Python a microsecond."""
    A, b, lower, upper = given
    return Problem(A, b, lower, upper, b.shape[0])


class Limits(NamedTuple):
    """Limits of an iteration."""

    tolerance: Any  # tolerance on the natural residual [-]; exact methods use a smaller constant
    most: Any  # largest number of sweeps, Newton steps, or pivots of a stage
    deadline: Any  # time of ``clock`` [s] at which to give up; inf for none
    # lower limit of |b| in the sizes (largest biases) of rows, see ``residual.residual_above``
    least: Any


@summing
def product(A, i, x, n):
    """Scalar product of row i of A with x, over the first n columns."""
    total = 0.0
    for j in range(n):
        total += A[np.uint64(i), np.uint64(j)] * x[np.uint64(j)]
    return total


@summing
def zero_times_row(A, i, n):
    """Return 0, or NaN if one of the first n entries of row i of A is not finite."""
    total = 0.0
    for j in range(n):
        total += 0.0 * A[i, j]
    return total


@kernel
def well_stated(problem):
    """True if a problem's numbers are allowed: A and b finite, lower <= upper, no empty range of z."""
    b, lower, upper = problem.b, problem.lower, problem.upper
    total = 0.0
    for i in range(problem.n):
        total += zero_times_row(problem.A, i, problem.n) + 0.0 * b[i]
        if not lower[i] <= upper[i] or lower[i] == math.inf or upper[i] == -math.inf:
            return False
    return total == 0.0


@entry_point("mlcp")
def run_well_stated(A, b, lower, upper):
    """Call ``well_stated`` from Python, with arrays."""
    return well_stated(problem_of((A, b, lower, upper)))
