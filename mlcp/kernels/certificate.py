"""Proof that a problem has no solution."""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.residual import row_scale

NOISE = 1e-7  # scaled entries below this count as zero in a direction of unit length


@kernel
def row_proof(v, g, b, lower, upper, scale):
    """(contribution to the supremum, its size) of one row; (inf, inf) when the row forbids v.

    v, g: the row's entries of the direction and of A'v; scale: sqrt(a_ii). The directions seen
    here have length 1 where every row is scaled to a unit diagonal.
    """
    supremum = 0.0
    size = 0.0
    vs = v * scale
    if (vs > NOISE and upper < math.inf) or (vs < -NOISE and lower > -math.inf):
        return math.inf, math.inf
    if abs(vs) > NOISE:
        supremum += v * b
        size += abs(v * b)
    if abs(g) > NOISE * scale:
        reach = g * upper if g > 0.0 else g * lower
        supremum += reach
        size += abs(reach)
    return supremum, size


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
        g = 0.0
        for j in range(n):
            g += A[j, i] * (z[j] - work[o_centre + j]) / length
        v = (z[i] - work[o_centre + i]) / length
        more, much = row_proof(v, g, b[i], lower[i], upper[i], row_scale(A[i, i]))
        if not more < math.inf:
            return False
        supremum += more
        size += much
    return supremum < -1e-6 * size
