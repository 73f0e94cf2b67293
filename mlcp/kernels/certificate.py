"""Proof that a problem has no solution.

If a direction v never leaves the box lower <= z <= upper (v_i >= 0 if only a lower bound exists, <= 0
if only an upper one, 0 if both), a solution has v'w >= 0, w = A z + b. So v'w < 0 for every z in the
box, that is

    sum_i sup { (A'v)_i z_i : lower_i <= z_i <= upper_i }  +  v'b  <  0,

proves that no solution exists. A may be any matrix.

Where a row has no bound on the side of (A'v)_i, the supremum is infinite unless (A'v)_i is exactly
zero, which rounding prevents. Such a z_i is therefore bounded by ``LARGEST_SCALED_Z``: a solution
beyond this bound could not be computed within the tolerance in double precision.
"""

import math

from mlcp.jit import kernel
from mlcp.kernels.one_row import row_scale

NEGLIGIBLE_ENTRY = 1e-7  # entries of a unit direction up to this are set to 0 where a bound forbids them
LARGEST_SCALED_Z = 1e8  # largest |z| in rows scaled to a unit diagonal, relative to max |b|
LEAST_RELATIVE_SUM = 1e-6  # a proof needs a sum below minus this fraction of the sum of |terms|


@kernel
def allowed(step, lower, upper):
    """Return ``step``, an entry of the direction; if a bound forbids its sign, 0 or, if |step| is more
    than NEGLIGIBLE_ENTRY, NaN."""
    if (step > 0.0 and upper < math.inf) or (step < 0.0 and lower > -math.inf):
        return 0.0 if abs(step) <= NEGLIGIBLE_ENTRY else math.nan
    return step


@kernel
def steps_to_bound(z, step, lower, upper):
    """Number of times that ``step`` can be added to z up to the bound; inf without a bound."""
    if step > 0.0 and upper < math.inf:
        return (upper - z) / step
    if step < 0.0 and lower > -math.inf:
        return (lower - z) / step
    return math.inf


@kernel
def row_reach(g, lower, upper, farthest):
    """sup g z for lower <= z <= upper, with +-``farthest`` in place of an infinite bound."""
    if g > 0.0:
        return g * (upper if upper < math.inf else max(farthest, lower))
    if g < 0.0:
        return g * (lower if lower > -math.inf else min(-farthest, upper))
    return 0.0


@kernel
def proves_none(problem, v, reach, beta):
    """Whether the direction v proves that w = A z + b has no complementary z in the box.

    Arguments:
        v (n,): the direction, in the units of z; scaled here so that its largest entry is 1 in rows of
            unit diagonal.
        reach (n,): scratch for A'v.
        beta: max |b| in rows of unit diagonal.
    """
    A, lower, upper, n = problem.A, problem.lower, problem.upper, problem.n
    length = 0.0
    for i in range(n):
        length = max(length, abs(v[i]) * row_scale(A[i, i]))
    if not 0.0 < length < math.inf:
        return False
    for i in range(n):
        scale = row_scale(A[i, i])
        step = allowed(v[i] * scale / length, lower[i], upper[i])
        if math.isnan(step):
            return False
        v[i], reach[i] = step / scale, 0.0
    for i in range(n):
        if v[i] != 0.0:
            for j in range(n):
                reach[j] += A[i, j] * v[i]
    supremum, size = 0.0, 0.0
    for i in range(n):
        far = row_reach(reach[i], lower[i], upper[i], LARGEST_SCALED_Z * beta / row_scale(A[i, i]))
        term = v[i] * problem.b[i]
        supremum += far + term
        size += abs(far) + abs(term)
    return supremum < -LEAST_RELATIVE_SUM * size
