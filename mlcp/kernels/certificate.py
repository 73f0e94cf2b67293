"""Proof that a problem has no solution."""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.residual import row_scale

NOISE = 1e-7  # scaled entries below this count as zero in a direction of unit length


@kernel
def infeasible_direction(A, b, lower, upper, z, n, work, o_centre):
    """Whether v = z - centre proves that w = A z + b has no complementary z in the box.

    If v never leaves the box (v_i >= 0 where there is no upper bound, <= 0 where no lower one, 0
    where both exist), a solution has v'w >= 0. So v'(A z + b) < 0 for every z in the box, that is

        sum_i sup { (A'v)_i z_i : lower_i <= z_i <= upper_i }  +  v'b  <  0

    proves that none exists. A and its bounds may be of any class.
    """
    length = 0.0
    for i in range(n):
        length = max(length, abs(z[i] - work[o_centre + i]) * row_scale(A[i, i]))
    if not 0.0 < length < math.inf:
        return False
    supremum = 0.0
    size = 0.0
    for i in range(n):
        v = (z[i] - work[o_centre + i]) / length
        vs = v * row_scale(A[i, i])
        if (vs > NOISE and upper[i] < math.inf) or (vs < -NOISE and lower[i] > -math.inf):
            return False
        if abs(vs) > NOISE:
            supremum += v * b[i]
            size += abs(v * b[i])
        g = 0.0
        for j in range(n):
            g += A[j, i] * (z[j] - work[o_centre + j]) / length
        if abs(g) <= NOISE * row_scale(A[i, i]):
            continue
        if g > 0.0:
            supremum += g * upper[i]
            if upper[i] < math.inf:
                size += abs(g * upper[i])
        else:
            supremum += g * lower[i]
            if lower[i] > -math.inf:
                size += abs(g * lower[i])
    return supremum < -1e-6 * size
