"""Natural residual of a mixed linear complementarity problem, relative to the size of each row.

In rows scaled to a unit diagonal (s_i = sqrt |a_ii|) a row's size is the largest bias on it,

    size_i = max( |b_i| / s_i,  s_i |clip(0, lower_i, upper_i)|,  max_j min( |a_ij| m_j / s_i, size_j ) )

with m_j = |z_j|: the last term is that of row j's z, limited to the size of row j. So an inactive row
(z = 0) adds no term however large its b, and a z that diverges along redundant rows does not enlarge the
sizes. For a row j at rest (w_j presses z_j to a bound, and z_j is at most |w_j / a_jj| from it) m_j is
the size of this bound. For the other rows m_j is at least LEAST_RELATIVE_Z size_j / s_j: no z_j is more
accurate than the round-off of row j. A row whose terms are all zero has size 0: if its gap is not zero
its residual is 1.

A row with a zero diagonal cannot be scaled in this way: see ``zero_diagonals``. W is a ``SizeWork``.
"""

import math

from mlcp.jit import kernel
from mlcp.kernels import one_row
from mlcp.kernels.dense_problem import product
from mlcp.kernels.zero_diagonals import size_with_zero_diagonals

FEW = 4  # if less than one row in FEW has a term in other rows' sizes, only those rows are visited


@kernel
def bias_scale(problem):
    """Scale of b in the solvers, max |b_i| / s_i, or 1 if b is zero; residuals do not use it."""
    beta = 0.0
    for i in range(problem.n):
        beta = max(beta, abs(problem.b[i]) / one_row.row_scale(problem.A[i, i]))
    if not 0.0 < beta < math.inf:
        return 1.0
    return beta


@kernel
def largest_listed_term(A, i, W, rows, many, scale):
    """Largest term of the rows rows[:many] in the size of row i (``one_row.largest_term``)."""
    best = 0.0
    for k in range(many):
        j = int(rows[k])
        best = max(best, min(abs(A[i, j]) * W.effective[j], W.most[j] * scale))
    return best / scale


@kernel
def begin_sizes(problem, z, W):
    """Set the entries of the ``SizeWork`` W that depend on one row only: w, scale, gap, rests, |z|, and
    the size without other rows.

    Returns: (number of rows with a term in other rows' sizes, True if there is a zero diagonal).
    """
    A, b, lower, upper = problem.A, problem.b, problem.lower, problem.upper
    contributors, zero_diagonal = 0, False
    for i in range(problem.n):
        total = product(A, i, z, problem.n) + b[i]
        zero_diagonal |= A[i, i] == 0.0
        scale = one_row.row_scale(A[i, i])
        own, far = one_row.own_size(b[i], lower[i], upper[i], scale), total / (scale * scale)
        rests = one_row.at_rest(z[i], far, lower[i], upper[i])
        W.w[i], W.size[i], W.most[i] = total, own, own
        W.scale[i], W.rests[i] = scale, 1.0 if rests else 0.0
        W.gap[i] = one_row.row_gap(z[i], far, lower[i], upper[i])
        counted = one_row.bound_pushed_to(far, lower[i], upper[i]) if rests else z[i]
        W.effective[i] = one_row.effective_z(counted, rests, own, scale)
        if W.effective[i] != 0.0:
            W.contributor[contributors] = i
            contributors += 1
    return contributors, zero_diagonal


@kernel
def size_rows(problem, z, W, least):
    """Compute w = A z + b and the rows' sizes in W, a ``SizeWork``; each |b_i| counts as ``least`` or
    more."""
    A, n = problem.A, problem.n
    size, effective, most = W.size, W.effective, W.most
    contributors, zero_diagonal = begin_sizes(problem, z, W)
    if zero_diagonal:
        size_with_zero_diagonals(problem, z, W, least)
        return
    last, now = 0, 0  # numbers of rows whose sizes grew in the last sweep, in this one
    for sweep in range(n):
        if sweep > 0 and now == 0:
            break
        for k in range(now):
            W.grown[k] = W.grown[last + k]
        last, now = now, 0
        for k in range(n):
            i = k if sweep % 2 == 0 else n - 1 - k
            scale, best = W.scale[i], 0.0
            # few sizes have grown: only the terms of their rows have changed
            if sweep > 0 and FEW * (last + now) < n:
                best = largest_listed_term(A, i, W, W.grown, last + now, scale)
            elif FEW * contributors < n:
                best = largest_listed_term(A, i, W, W.contributor, contributors, scale)
            elif (
                one_row.counts_above(
                    A, i, effective, most, one_row.LEAST_GROWTH * size[i] * scale, scale, n
                )
                > 0
            ):
                best = one_row.largest_term(A, i, effective, most, scale, n)
            if best > one_row.LEAST_GROWTH * size[i]:
                size[i], most[i] = best, best
                W.grown[last + now] = i
                now += 1
                if W.rests[i] == 0.0:
                    was = effective[i]
                    effective[i] = one_row.effective_z(z[i], False, best, scale)
                    if was == 0.0 and effective[i] != 0.0:
                        W.contributor[contributors] = i
                        contributors += 1
    for i in range(n):
        size[i] = max(size[i], least / W.scale[i])
        if size[i] == 0.0:
            size[i] = one_row.size_without_bias(W.gap[i], W.scale[i])


@kernel
def residual_above(problem, z, W, least):
    """Natural residual max_i |z_i - clip(z_i - (A z + b)_i / a_ii, lower_i, upper_i)| s_i / size_i [-];
    inf if a number in it is NaN.

    least: lower limit of |b| in the sizes, in the units of b, for callers that know a physical scale of
    b: in a problem at rest all b may be round-off. Else 0.
    """
    size_rows(problem, z, W, least)
    return worst_of(W, problem.n)


@kernel
def snapped(z, own, b, low, high, most):
    """Return z of one row, or zero or a bound if z differs from this number by round-off only.

    own: a_ii; most: the row's size, or, for a zero diagonal, the reach (magnitude) of z.
    """
    if most == 0.0 and b == 0.0:  # a size of 0: then 0 is within the bounds
        return 0.0
    if z == low or z == high:
        return z
    off = 1e-13 * most if own == 0.0 else 0.0  # a z within this distance of zero or a bound is set to it
    if abs(z) <= off and low <= 0.0 <= high and off > 0.0:
        return 0.0
    if z - low <= off:
        return low
    return high if high - z <= off else z


@kernel
def snap_all(problem, z, W):
    """Set every z within round-off of zero or a bound to that number; return True if a z has changed.

    Call ``size_rows`` before. The z of rows with b = 0 and size 0 change, and, in rows of zero diagonal,
    a z nearer to zero or a bound than 1e-13 of the reach (magnitude) of z.
    """
    moved = False
    for i in range(problem.n):
        last, low, high = z[i], problem.lower[i], problem.upper[i]
        z[i] = snapped(last, problem.A[i, i], problem.b[i], low, high, W.most[i])
        moved |= z[i] != last
    return moved


@kernel
def worst_of(W, n):
    """Largest residual of the rows [-], after ``size_rows``; inf for a NaN."""
    worst = 0.0
    for i in range(n):
        r = abs(W.gap[i]) * W.scale[i] / W.size[i]
        if not r <= worst:  # also true for NaN
            worst = r
            if math.isnan(r):
                return math.inf
    return worst
