"""Sizes of rows (largest biases, the units of their residuals) in problems with zeros on A's diagonal.

W is a ``one_row.SizeWork``, the memory of the rows' numbers.

In a row with a_ii = 0, w_i is independent of z_i, so there is no w_i / a_ii to compare z_i with.

The residual of such a row compares w_i with the size of the row, and z_i with reach_i, the magnitude
that column i of A admits. With s_i = sqrt |a_ii|, or 1 if a_ii = 0, the size is the largest of the bias
and of the terms of *supported* z_j,

    size_i s_i = max( |b_i|,  max_j |a_ij z_j| ).

A z_j is supported if it is at a bound to which w_j presses it (at rest), or not too large for the rows
coupled to it and for the smallest |z_j| within its bounds,

    |z_j| <= LARGEST_TERM_RATIO reach_j,
    reach_j = max( |clip(0, lower_j, upper_j)|,  max_i size_i s_i / |a_ij| ).

So a z that diverges along redundant rows is not supported. Finally each size is raised to
LEAST_RELATIVE_Z |a_ij| reach_j of every z_j not at rest. The maximum in this reach_j is over the rows
not at rest. If these rows add nothing, reach_j is the smallest reach over a row at rest; if no row has a
size, reach_j is 1, the only number that depends on the units. Between rows of nonzero diagonal the rules
of ``residual`` hold.
"""

import math

import numpy as np

from mlcp.compiled.lazy import FLOAT, FLOATS, INT, lazy, work
from mlcp.jit import kernel
from mlcp.kernels.dense_problem import IN_A_STEP
from mlcp.kernels.one_row import (
    LEAST_GROWTH,
    LEAST_RELATIVE_Z,
    SizeWork,
    bound_pushed_to,
    counts_above,
    effective_z,
    largest_term,
    size_without_bias,
)

LARGEST_TERM_RATIO = 1e5  # largest ratio of |z_j| to reach_j for which z_j is supported


@kernel
def zero_diagonal_residual(z, w, lower, upper, size, reach):
    """Residual |max(min(w / size, (z - lower) / reach), (z - upper) / reach)| [-] if a_ii = 0."""
    in_w = w / size if size > 0.0 else w / size_without_bias(w, 1.0)
    to_z = 1.0 / (reach if reach > 0.0 else size_without_bias(z, 1.0))
    return abs(max(min(in_w, (z - lower) * to_z), (z - upper) * to_z) + 0.0 * z)


@kernel
def rests_exactly(z, w, lower, upper):
    """True if z equals the bound towards which w pushes it: lower for w >= 0, upper for w <= 0."""
    return (w >= 0.0 and z == lower) or (w <= 0.0 and z == upper)


@kernel
def begin_support(problem, z, W, n):
    """Set the first sizes of all rows, with the terms of supported z.

    W.contributor: 1 for a supported z_j, at first for a z at rest. W.grown: the |z_j| that enters the
    sizes of rows with a zero diagonal. W.effective: the |z_j| that enters the sizes of other rows, with
    W.most as upper limit of the term.
    """
    lower, upper = problem.lower, problem.upper
    for i in range(n):
        own, has_diagonal = abs(z[i]), problem.A[i, i] != 0.0
        if not has_diagonal:
            W.size[i] = abs(problem.b[i])
            W.rests[i] = 1.0 if rests_exactly(z[i], W.w[i], lower[i], upper[i]) else 0.0
        elif W.rests[i] == 1.0:
            own = abs(bound_pushed_to(W.w[i], lower[i], upper[i]))
        W.contributor[i] = W.rests[i]
        W.grown[i] = own if W.rests[i] == 1.0 else 0.0
        W.effective[i], W.most[i], W.uncapped[i] = W.grown[i], math.inf, math.inf
        if has_diagonal:
            W.effective[i] = effective_z(own, W.rests[i] == 1.0, W.size[i], W.scale[i])
            W.most[i] = W.size[i]


@kernel
def grow_size(i, size, z, W, has_diagonal):
    """Set a larger size of row i and update its term in other rows' sizes; has_diagonal: a_ii != 0."""
    W.size[i] = size
    if has_diagonal:
        W.most[i] = size
        if W.rests[i] == 0.0:
            W.effective[i] = effective_z(z[i], False, size, W.scale[i])


@kernel
def is_supported(problem, j, z, W, n):
    """True if |z_j| <= LARGEST_TERM_RATIO times the least |z_j| within its bounds, or times
    size_i s_i / |a_ij| of some row i.
    """
    least = abs(z[j])
    if least <= LARGEST_TERM_RATIO * forced(problem.lower[j], problem.upper[j]):
        return True
    for i in range(n):
        a = abs(problem.A[i, j])
        if a != 0.0 and least <= LARGEST_TERM_RATIO * (W.size[i] * W.scale[i] / a) and W.size[i] > 0.0:
            return True
    return False


@kernel
def support_more(problem, z, W, n):
    """Add the terms of newly supported z_j to the rows' sizes; return True if there is such a z_j."""
    more = False
    for j in range(n):
        if W.contributor[j] == 0.0 and is_supported(problem, j, z, W, n):
            W.contributor[j], W.grown[j], more = 1.0, abs(z[j]), True
            if problem.A[j, j] == 0.0:
                W.effective[j] = abs(z[j])
    return more


@kernel
def forced(lower, upper):
    """Smallest |z| within the bounds."""
    return abs(min(max(0.0, lower), upper))


@kernel
def begin_reach(W, n):
    """Initialise the minima and maxima over rows from which ``end_reach`` computes the reaches."""
    for j in range(n):
        W.most[j], W.grown[j], W.grown[n + j] = math.inf, math.inf, 0.0


@kernel
def least_ratio(least, a, inverse):
    """The smaller of ``least`` and the product of |a| and ``inverse``; ``least`` if a is zero."""
    ratio = abs(a) * inverse
    return ratio if a != 0.0 and ratio < least else least


@kernel
def end_reach(problem, z, W, n):
    """Set W.most to reach_j of all z_j (see the module), W.grown to the reach of the least sizes.

    On entry W.most and W.grown have for each j the smallest |a_ij| / (size_i s_i) over the rows i at
    rest, and over the other rows; W.grown[n:] has the largest |a_ij / b_i| over the rows at rest.

    The reach for ``raise_to_least_size`` is the reach over the rows not at rest, if it exceeds |z_j| and
    is not negligible relative to the smallest reach over a row at rest; otherwise the larger of both.
    A reach of 0 is replaced by the reach over all rows, or by 1 if this is 0 as well.
    """
    for j in range(n):
        own, least = forced(problem.lower[j], problem.upper[j]), math.inf
        reach = max(own, 1.0 / W.grown[j])
        W.most[j] = max(reach, 1.0 / W.most[j])
        if W.grown[n + j] > 0.0:
            least = 1.0 / W.grown[n + j]
        # a reach below 1e-20 of the least reach over a row at rest is round-off
        if least < math.inf and reach <= max(abs(z[j]) * LEAST_GROWTH, 1e-20 * least):
            reach = max(reach, least)
        if reach == 0.0:
            reach = W.most[j] if W.most[j] > 0.0 else 1.0
        W.grown[j] = reach


@kernel
def find_reach(problem, z, W, n):
    """Compute the reach_j of every z_j (see the module) from all rows: W.most, and W.grown for
    ``raise_to_least_size``.
    """
    A, b, most, grown = problem.A, problem.b, W.most, W.grown
    begin_reach(W, n)
    for i in range(n):
        if not W.size[i] > 0.0:
            continue
        row, inverse = np.uint64(i), 1.0 / (W.size[i] * W.scale[i])
        if W.rests[i] == 0.0:
            for j in range(n):
                grown[np.uint64(j)] = least_ratio(grown[np.uint64(j)], A[row, np.uint64(j)], inverse)
            continue
        for j in range(n):
            most[np.uint64(j)] = least_ratio(most[np.uint64(j)], A[row, np.uint64(j)], inverse)
        inverse = 1.0 / abs(b[i]) if b[i] != 0.0 else 0.0
        for j in range(n):
            ratio, at = abs(A[row, np.uint64(j)]) * inverse, np.uint64(n + j)
            grown[at] = ratio if ratio > grown[at] else grown[at]
    end_reach(problem, z, W, n)


@lazy(INT(IN_A_STEP, FLOATS, work(SizeWork), FLOAT), "mlcp")
def size_with_zero_diagonals(problem, z, W, least):
    """Compute the rows' sizes, after ``residual.begin_sizes``, for an A with zeros on the diagonal.
    In rows with a zero diagonal W.gap is the residual times the size. Returns 0.

    In a compiled step it is compiled at the first call, since few contact problems have such rows.
    """
    A, n = problem.A, problem.n
    begin_support(problem, z, W, n)
    grown = True
    for sweep in range(2 * n):
        if not grown:
            break
        grown = False
        for k in range(n):
            i = k if sweep % 2 == 0 else n - 1 - k
            has_diagonal, scale = A[i, i] != 0.0, W.scale[i]
            given, most = (W.effective, W.most) if has_diagonal else (W.grown, W.uncapped)
            if counts_above(A, i, given, most, LEAST_GROWTH * W.size[i] * scale, scale, n) > 0:
                grow_size(i, largest_term(A, i, given, most, scale, n), z, W, has_diagonal)
                grown = True
        grown |= support_more(problem, z, W, n)
    find_reach(problem, z, W, n)
    raise_to_least_size(problem, W, n)
    for i in range(n):
        W.size[i] = max(W.size[i], least / W.scale[i])
        if A[i, i] == 0.0:
            low, high = problem.lower[i], problem.upper[i]
            r = zero_diagonal_residual(z[i], W.w[i], low, high, W.size[i], W.grown[i])
            W.size[i] = W.size[i] if W.size[i] > 0.0 else 1.0
            W.gap[i] = r * W.size[i]
            continue
        W.most[i] = W.size[i]
        if W.size[i] == 0.0:
            W.size[i] = size_without_bias(W.gap[i], W.scale[i])
    return 0


@kernel
def raise_to_least_size(problem, W, n):
    """Raise sizes to LEAST_RELATIVE_Z |a_ij| reach_j of z not at rest, if a_ii or a_jj is zero."""
    A, zeros = problem.A, 0
    for j in range(n):
        W.contributor[j] = W.grown[j] if W.rests[j] == 0.0 else 0.0
        if A[j, j] == 0.0:
            W.effective[zeros] = j
            zeros += 1
    for i in range(n):
        best, has_diagonal = W.size[i] * W.scale[i], A[i, i] != 0.0
        for k in range(zeros if has_diagonal else n):
            j = int(W.effective[k]) if has_diagonal else k
            best = max(best, LEAST_RELATIVE_Z * abs(A[i, j]) * W.contributor[j])
        W.size[i] = best / W.scale[i]
