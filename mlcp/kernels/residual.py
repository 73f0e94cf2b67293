"""The natural residual of a mixed linear complementarity problem, scaled so that it has no unit."""

from __future__ import annotations

import math

from mlcp.jit import kernel


@kernel
def row_scale(a_ii):
    """sqrt(|a_ii|), the factor that turns row i into one with a unit diagonal; 1 for a zero one."""
    if a_ii == 0.0:
        return 1.0
    return math.sqrt(abs(a_ii))


@kernel
def bias_scale(A, b, n):
    """max |b_i| after the rows are scaled to a unit diagonal; 1 if b is zero."""
    beta = 0.0
    for i in range(n):
        beta = max(beta, abs(b[i]) / row_scale(A[i, i]))
    if beta == 0.0:
        return 1.0
    return beta


@kernel
def row_gap(z, w, lower, upper):
    """z - clip(z - w, lower, upper), without the difference in which a large z would swallow w."""
    return max(min(w, z - lower), z - upper) + 0.0 * z  # NaN for a z that is no number


@kernel
def row_residual(z, w, lower, upper, scale, beta):
    """|z - clip(z - w, lower, upper)| of one row, in scaled variables z s / beta, w / (s beta)."""
    return abs(row_gap(z, w / (scale * scale), lower, upper)) * scale / beta


@kernel
def natural_residual(A, b, lower, upper, z, n):
    """max |z - clip(z - (A z + b), lower, upper)| after scaling to diag(A) = 1 and max |b| = 1.

    Arguments: A (N, N), b, lower, upper, z (N,) with N >= n; only the leading n are read.
    Returns: the residual [-]; inf when anything that matters is not a number.
    """
    beta = bias_scale(A, b, n)
    worst = 0.0
    for i in range(n):
        w = b[i]
        for j in range(n):
            w += A[i, j] * z[j]
        r = row_residual(z[i], w, lower[i], upper[i], row_scale(A[i, i]), beta)
        if not r <= worst:  # also true for NaN, which must not pass for small
            worst = r
            if math.isnan(r):
                return math.inf
    return worst
