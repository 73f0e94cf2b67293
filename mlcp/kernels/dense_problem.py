"""What the kernels of dense problems hand to each other."""

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
    """The problem of plain arrays ``(A, b, lower, upper)``: named ones cost Python a microsecond."""
    A, b, lower, upper = given
    return Problem(A, b, lower, upper, b.shape[0])


class Limits(NamedTuple):
    """When an iteration ends."""

    tolerance: Any  # [-], on the natural residual; exact methods have their own
    most: Any  # sweeps, Newton steps, or pivots of a stage
    deadline: Any  # time of ``clock`` [s] at which to give up; inf for none
    least: Any  # what a b counts as at least where rows are judged, see ``residual.residual_above``
