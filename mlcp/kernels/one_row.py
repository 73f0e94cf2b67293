"""Numbers of one row for its natural residual: scale, gap, size, and its term in other rows' sizes.

With s_i = sqrt |a_ii|: the gap of a row is z - clip(z - w / a_ii, lower, upper). The size of a row is
the largest bias that acts on it, directly or by a term |a_ij z_j| of another row (``residual``). The
residual of a row is its gap times s_i over its size.
"""

import math

import numpy as np

from mlcp.compiled.workspace import WorkArray, part
from mlcp.jit import kernel

LEAST_RELATIVE_Z = 1e-5  # lower limit of |z_j| s_j / size_j in other rows' sizes, for round-off of z_j
LEAST_GROWTH = 1.0 + 1e-12  # least factor by which a size grows; smaller growth is ignored


class SizeWork(WorkArray, sizes="n"):
    """Numbers from which the natural residual of each row is computed."""

    w = part("n", "A z + b")
    scale = part("n", "sqrt |a_ii|")
    gap = part("n", "z - clip(z - w / a_ii, lower, upper)")
    rests = part("n", "1 for a row at rest, see ``at_rest``")
    size = part("n", "the rows' sizes, scaled")
    effective = part("n", "|z_j| as it enters the sizes of other rows")
    most = part("n", "upper limit of these terms: the row's own size, except for a zero diagonal")
    contributor = part("n", "list of the rows with a term in other rows' sizes")
    grown = part("2 n", "rows whose sizes grew in the last sweep, then those of this sweep")
    uncapped = part("n", "infinite upper limits, for the terms of rows with a zero diagonal")
    diagonal = part("n", "diag(A) of a sparse problem")


@kernel
def row_scale(a_ii):
    """sqrt(|a_ii|), the factor that scales row i to a unit diagonal; 1 for a zero diagonal."""
    if a_ii == 0.0:
        return 1.0
    return math.sqrt(abs(a_ii))


@kernel
def row_gap(z, w, lower, upper):
    """Gap z - clip(z - w, lower, upper) without the difference z - w, which would lose a small w.
    Here w is w_i / a_ii."""
    return max(min(w, z - lower), z - upper) + 0.0 * z  # NaN for a z that is no number


@kernel
def own_size(b, lower, upper, scale):
    """Own bias of a row, its size without other rows: max(|b_i| / s_i, s_i times the least |z_i| within
    the bounds)."""
    return max(abs(b) / scale, scale * abs(min(max(0.0, lower), upper)))


@kernel
def largest_own_size(problem, scale, n):
    """Largest ``own_size`` of n rows, the unit of b in scaled problems; 1 if it is 0 or infinite."""
    beta = 0.0
    for i in range(n):
        beta = max(beta, own_size(problem.b[i], problem.lower[i], problem.upper[i], scale[i]))
    return beta if 0.0 < beta < math.inf else 1.0


@kernel
def at_rest(z, w, lower, upper):
    """True if z is at most |w| away from the bound towards which w pushes it; w here is w_i / a_ii."""
    return (w > 0.0 and z - lower <= w) or (w < 0.0 and upper - z <= -w)


@kernel
def bound_pushed_to(w, lower, upper):
    """Bound towards which a velocity w pushes z: lower for w > 0, else upper."""
    return lower if w > 0.0 else upper


@kernel
def effective_z(z, rests, size, scale):
    """The |z_j| with which row j enters the sizes of other rows, at least its round-off.
    For a row at rest (``rests``) z is its bound."""
    return abs(z) if rests else max(abs(z), LEAST_RELATIVE_Z * size / scale)


@kernel
def counts_above(A, i, effective, most, limit, scale, n):
    """Number of rows j whose term min(|a_ij| effective_j, most_j scale) exceeds ``limit``."""
    count = 0
    for j in range(n):
        at = np.uint64(j)
        given, cap = abs(A[np.uint64(i), at]) * effective[at], most[at] * scale
        count += (given > limit) & (cap > limit)
    return count


@kernel
def largest_term(A, i, effective, most, scale, n):
    """Largest term of other rows in the size of row i, max_j min(|a_ij| effective_j / s_i, most_j).
    effective_j: ``effective_z`` of row j; most_j: upper limit of row j's term. The loop takes four
    columns at a time.
    """
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    j = 0
    while j + 4 <= n:
        row, at = np.uint64(i), np.uint64(j)
        second, third, fourth = at + np.uint64(1), at + np.uint64(2), at + np.uint64(3)
        p, x = abs(A[row, at]) * effective[at], most[at] * scale
        q, y = abs(A[row, second]) * effective[second], most[second] * scale
        r, u = abs(A[row, third]) * effective[third], most[third] * scale
        t, v = abs(A[row, fourth]) * effective[fourth], most[fourth] * scale
        p, q, r, t = p if p < x else x, q if q < y else y, r if r < u else u, t if t < v else v
        a, b, c, d = p if p > a else a, q if q > b else b, r if r > c else c, t if t > d else d
        j += 4
    while j < n:
        a = max(a, min(abs(A[i, j]) * effective[j], most[j] * scale))
        j += 1
    return max(max(a, b), max(c, d)) / scale


@kernel
def size_without_bias(gap, scale):
    """Size of a row on which no bias acts: |gap| s, so that its residual is 1; 1 if the gap is zero."""
    return abs(gap) * scale if abs(gap) * scale > 0.0 else 1.0


@kernel
def corrected_z(z, w, own, lower, upper, off):
    """Corrected z of a row whose w has an error from rounding.
    It is the z within the bounds at which w = 0, computed from this row alone (own: a_ii; z is kept if
    own <= 0); or 0 if |z| <= off, the round-off of the largest z of all rows.
    """
    if abs(z) <= off and lower <= 0.0 <= upper:
        return 0.0
    return min(max(z - w / own, lower), upper) if own > 0.0 else z


@kernel
def row_residual(z, w, lower, upper, scale, size):
    """Natural residual |z - clip(z - w / a_ii, lower, upper)| scale / size of one row [-]."""
    return abs(row_gap(z, w / (scale * scale), lower, upper)) * scale / size
