"""Arguments of the kernels of dense problems."""

from __future__ import annotations

from typing import Any, NamedTuple

from mlcp.jit import part


class Problem(NamedTuple):
    """w = A z + b, lower <= z <= upper, w complementary to z in the box; the leading n rows of it."""

    A: Any  # (N, N), N >= n
    b: Any  # (N,)
    lower: Any  # (N,)
    upper: Any  # (N,)
    n: Any


@part
def problem_of(given):
    """Problem of a plain tuple ``(A, b, lower, upper)``: a named one costs Python a microsecond."""
    A, b, lower, upper = given
    return Problem(A, b, lower, upper, b.shape[0])


class Limits(NamedTuple):
    """Limits of an iteration."""

    tolerance: Any  # [-], on the natural residual; exact methods have their own
    most: Any  # sweeps, Newton steps, or pivots of a stage
    deadline: Any  # time of ``clock`` [s] at which to give up; inf for none
    least: Any  # lower limit of |b| in the rows' sizes, see ``residual.residual_above``
