"""Sizes of rows (largest biases), residuals and Gauss-Seidel sweeps for a sparse A.

A is stored by rows: start, column, value. W is a ``one_row.SizeWork``.
The rules are those of ``residual`` and ``pgs``, whose kernels read a dense A with n numbers a row.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel
from mlcp.kernels import one_row, zero_diagonals
from mlcp.kernels.deadline import deadline_passed
from mlcp.kernels.pgs import STRETCH, relaxed
from mlcp.kernels.residual import snapped, worst_of


class SparseProblem(NamedTuple):
    """Problem with a sparse A: row i has value[x] in column[x], start[i] <= x < start[i + 1]."""

    start: Any  # (n + 1,) int64: first entry of each row
    column: Any  # int64: column of each entry
    value: Any  # value of each entry
    diagonal: Any  # (n,) diag(A), part of a workspace; filled by ``fill_diagonal``
    b: Any  # (n,) bias
    lower: Any  # (n,) lower bounds of z
    upper: Any  # (n,) upper bounds of z


@kernel
def fill_diagonal(problem):
    """Write the diagonal of A to problem.diagonal."""
    start, column, value, diagonal = problem.start, problem.column, problem.value, problem.diagonal
    for i in range(diagonal.shape[0]):
        diagonal[i] = 0.0
        for x in range(start[i], start[i + 1]):
            if column[x] == i:
                diagonal[i] += value[x]


@kernel
def sparse_row(problem, z, i):
    """w_i = (A z + b)_i of row i."""
    w = problem.b[i]
    for x in range(problem.start[i], problem.start[i + 1]):
        w += problem.value[x] * z[problem.column[x]]
    return w


@kernel
def begin_sparse_sizes(problem, z, W):
    """Set the sizes of all rows without the terms of other rows; return True if a diagonal is zero."""
    lower, upper, diagonal, n = problem.lower, problem.upper, problem.diagonal, problem.b.shape[0]
    zero_diagonal = False
    for i in range(n):
        w = sparse_row(problem, z, i)
        scale = one_row.row_scale(diagonal[i])
        far = w / (scale * scale)
        rests = one_row.at_rest(z[i], far, lower[i], upper[i])
        W.w[i], W.scale[i], W.effective[i] = w, scale, abs(z[i])
        W.size[i] = one_row.own_size(problem.b[i], lower[i], upper[i], scale)
        if diagonal[i] == 0.0:
            zero_diagonal, rests = True, zero_diagonals.rests_exactly(z[i], w, lower[i], upper[i])
            W.size[i] = abs(problem.b[i])
        elif rests:
            W.effective[i] = abs(one_row.bound_pushed_to(far, lower[i], upper[i]))
        W.rests[i] = W.contributor[i] = 1.0 if rests else 0.0
    return zero_diagonal


@kernel
def largest_sparse_term(problem, i, z, W):
    """Larger of the size of row i and the largest term of another row j in row i, times sqrt |a_ii|.

    The terms are |a_ij z_j|, limited by the rules of ``one_row.largest_term``.
    """
    diagonal, scale = problem.diagonal, W.scale[i]
    best = W.size[i] * scale
    for x in range(problem.start[i], problem.start[i + 1]):
        j, a = problem.column[x], abs(problem.value[x])
        if a == 0.0:
            continue
        if diagonal[i] != 0.0 and diagonal[j] != 0.0:
            most = W.size[j] * scale
            if j != i and most > best:
                effective = W.effective[j]
                if W.rests[j] == 0.0:
                    effective = one_row.effective_z(z[j], False, W.size[j], W.scale[j])
                best = max(best, min(a * effective, most))
        elif W.contributor[j] == 1.0:
            best = max(best, a * W.effective[j])
    return best


@kernel
def find_sparse_reach(problem, z, W, n):
    """Compute the reach (admitted magnitude) of each z for a sparse A
    (``zero_diagonals.find_reach``)."""
    zero_diagonals.begin_reach(W, n)
    for i in range(n):
        if not W.size[i] > 0.0:
            continue
        inverse, to = 1.0 / (W.size[i] * W.scale[i]), W.most if W.rests[i] == 1.0 else W.grown
        share = 1.0 / abs(problem.b[i]) if W.rests[i] == 1.0 and problem.b[i] != 0.0 else 0.0
        for x in range(problem.start[i], problem.start[i + 1]):
            j, a = problem.column[x], abs(problem.value[x])
            to[j] = zero_diagonals.least_ratio(to[j], a, inverse)
            W.grown[n + j] = max(W.grown[n + j], a * share)
    zero_diagonals.end_reach(problem, z, W, n)


@kernel
def raise_sparse_to_least_size(problem, W, n):
    """Raise the sizes to their lower limit (``zero_diagonals.raise_to_least_size``) for a sparse A."""
    for i in range(n):
        best = W.size[i] * W.scale[i]
        for x in range(problem.start[i], problem.start[i + 1]):
            j = problem.column[x]
            if W.rests[j] == 0.0 and (problem.diagonal[i] == 0.0 or problem.diagonal[j] == 0.0):
                best = max(best, one_row.LEAST_RELATIVE_Z * abs(problem.value[x]) * W.grown[j])
        W.size[i] = best / W.scale[i]


@kernel
def size_sparse_rows(problem, z, W):
    """Compute all rows' sizes for a sparse A, by the rules of ``residual`` and ``zero_diagonals``."""
    n = problem.b.shape[0]
    zero_diagonal = begin_sparse_sizes(problem, z, W)
    grown = True
    for sweep in range(2 * n):
        if not grown:
            break
        grown = False
        for k in range(n):
            i = k if sweep % 2 == 0 else n - 1 - k
            best = largest_sparse_term(problem, i, z, W) / W.scale[i]
            if best > one_row.LEAST_GROWTH * W.size[i]:
                W.size[i], grown = best, True
        if zero_diagonal:
            find_sparse_reach(problem, z, W, n)
            for j in range(n):
                if (
                    W.contributor[j] == 0.0
                    and abs(z[j]) <= zero_diagonals.LARGEST_TERM_RATIO * W.most[j]
                ):
                    W.contributor[j], grown = 1.0, True
    if zero_diagonal:
        raise_sparse_to_least_size(problem, W, n)
    for i in range(n):
        low, high, scale = problem.lower[i], problem.upper[i], W.scale[i]
        if problem.diagonal[i] == 0.0:
            r = zero_diagonals.zero_diagonal_residual(z[i], W.w[i], low, high, W.size[i], W.grown[i])
            W.size[i] = W.size[i] if W.size[i] > 0.0 else 1.0
            W.gap[i] = r * W.size[i]
        else:
            W.gap[i], W.most[i] = one_row.row_gap(z[i], W.w[i] / (scale * scale), low, high), W.size[i]
            W.size[i] = W.size[i] if W.size[i] > 0.0 else one_row.size_without_bias(W.gap[i], scale)


@kernel
def sparse_residual(problem, z, W):
    """Natural residual [-] of a sparse problem, defined in ``residual``; W keeps the rows' sizes."""
    size_sparse_rows(problem, z, W)
    return worst_of(W, z.shape[0])


@kernel
def snapped_sparse_residual(problem, z, W):
    """Set each z within round-off of zero or a bound to that number, unless the residual rises by it;
    return the natural residual."""
    residual, moved, kept = sparse_residual(problem, z, W), False, W.uncapped
    for i in range(z.shape[0]):
        last = kept[i] = z[i]
        z[i] = snapped(
            last, problem.diagonal[i], problem.b[i], problem.lower[i], problem.upper[i], W.most[i]
        )
        moved |= z[i] != last
    reached = sparse_residual(problem, z, W) if moved else residual
    if reached <= residual:
        return reached
    for i in range(z.shape[0]):
        z[i] = kept[i]
    return sparse_residual(problem, z, W)


@kernel
def relax_sparse_row(problem, z, i, relaxation, size):
    """Set z_i to clip(z_i - relaxation w_i / a_ii); return the row's residual before the update."""
    own, lower, upper = problem.diagonal[i], problem.lower[i], problem.upper[i]
    w = sparse_row(problem, z, i)
    r = one_row.row_residual(z[i], w, lower, upper, one_row.row_scale(own), size)
    z[i] = relaxed(z[i], w, own, lower, upper, relaxation)
    return r


@kernel
def sparse_pgs(problem, z, work, limits, relaxation, symmetric):
    """Do Gauss-Seidel sweeps (``pgs``), for a sparse A and fixed relaxation; return (sweeps,
    residual)."""
    n, W = z.shape[0], one_row.SizeWork(work, z.shape[0])
    fill_diagonal(problem)
    for i in range(n):
        z[i] = min(max(z[i], problem.lower[i]), problem.upper[i])
    residual = sparse_residual(problem, z, W)
    sweep = 0
    while sweep < limits.most and residual > limits.tolerance and not deadline_passed(limits.deadline):
        sweep += 1
        worst = 0.0
        for k in range(2 * n if symmetric else n):
            i = k if k < n else 2 * n - 1 - k
            r = relax_sparse_row(problem, z, i, relaxation, W.size[i])
            if not r <= worst:
                worst = r
        if math.isnan(worst):
            return sweep, math.inf
        if worst <= 2.0 * limits.tolerance or sweep % STRETCH == 0:
            residual = sparse_residual(problem, z, W)
    return sweep, sparse_residual(problem, z, W)
