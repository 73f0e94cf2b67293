"""The natural residual of a mixed linear complementarity problem: every row judged by its own size.

In rows scaled to a unit diagonal (s_i = sqrt |a_ii|) a row's size is the largest bias that reaches it,

    size_i = max( |b_i| / s_i,  s_i |clip(0, lower_i, upper_i)|,  max_j min( |a_ij| m_j / s_i, size_j ) )

with m_j = |z_j|: what another row hands on by its z, but no more than its own size. So a row that is
open hands nothing on however large its b, and a z that has run away along redundant rows cannot make
itself the measure. A row that is not at a bound hands on as if |z_j| were at least FAINT size_j / s_j:
no z_j is known better than the round-off of its own row. A row that nothing reaches is judged by the
largest size of the rows that are not at rest at a bound (by 1 if there is none).
"""

from __future__ import annotations

import math

from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import kernel

FAINT = 1e-3  # share of its row's size that a z is taken to have at least
GROWS = 1.0 + 1e-12  # a size that grows by less has not grown


class SizeWork(Workspace, sizes="n"):
    """What rows are judged by."""

    w = part("n", "A z + b")
    size = part("n", "the rows' sizes, scaled")
    hand = part("n", "the |z| that count in the sizes of others")
    terms = part("n", "sum |a_ij z_j| + |b_i|")


@kernel
def row_scale(a_ii):
    """sqrt(|a_ii|), the factor that turns row i into one with a unit diagonal; 1 for a zero one."""
    if a_ii == 0.0:
        return 1.0
    return math.sqrt(abs(a_ii))


@kernel
def bias_scale(problem):
    """max |b_i| / s_i, 1 if b is zero: what solvers divide by; no row is judged by it."""
    beta = 0.0
    for i in range(problem.n):
        beta = max(beta, abs(problem.b[i]) / row_scale(problem.A[i, i]))
    if not 0.0 < beta < math.inf:
        return 1.0
    return beta


@kernel
def row_gap(z, w, lower, upper):
    """z - clip(z - w, lower, upper), without the difference in which a large z would swallow w."""
    return max(min(w, z - lower), z - upper) + 0.0 * z  # NaN for a z that is no number


@kernel
def own_size(b, lower, upper, scale):
    """Size of a row by its own numbers: its b, and the z that its bounds force on it."""
    return max(abs(b) / scale, scale * abs(min(max(0.0, lower), upper)))


@kernel
def at_rest(z, w, lower, upper):
    """Whether a row is nearer to a bound that w pushes it to than w is to zero (w over a_ii)."""
    return (w > 0.0 and z - lower <= w) or (w < 0.0 and upper - z <= -w)


@kernel
def handed_on(z, rests, size, scale):
    """The |z_j| by which row j counts in the sizes of others."""
    return abs(z) if rests else max(abs(z), FAINT * size / scale)


@kernel
def size_rows(problem, z, W, least):
    """W, a ``SizeWork`` <- w = A z + b and the rows' sizes, each at least that of a b of ``least``."""
    A, b, lower, upper, n = problem.A, problem.b, problem.lower, problem.upper, problem.n
    w, size, hand, terms = W.w, W.size, W.hand, W.terms
    largest = 0.0
    for i in range(n):
        total, parts = b[i], abs(b[i])
        for j in range(n):
            term = A[i, j] * z[j]
            total += term
            parts += abs(term)
        scale = row_scale(A[i, i])
        own = own_size(b[i], lower[i], upper[i], scale)
        rests = at_rest(z[i], total / (scale * scale), lower[i], upper[i])
        if not rests:
            largest = max(largest, own)
        w[i], size[i], terms[i] = total, own, parts
        hand[i] = handed_on(z[i], rests or A[i, i] == 0.0, own, scale)
    grown = True
    for sweep in range(n):
        if not grown:
            break
        grown = False
        for k in range(n):
            i = k if sweep % 2 == 0 else n - 1 - k
            scale = row_scale(A[i, i])
            best = size[i]
            for j in range(n):
                most = size[j]
                if A[j, j] == 0.0:  # its size is in other units than the others'
                    most = max(most, largest)
                if most > best and A[i, j] != 0.0:
                    best = max(best, min(abs(A[i, j]) * hand[j] / scale, most))
            if best > GROWS * size[i]:
                grown = True
                size[i] = best
                rests = at_rest(z[i], w[i] / (scale * scale), lower[i], upper[i])
                hand[i] = handed_on(z[i], rests or A[i, i] == 0.0, best, scale)
    largest = 0.0
    for i in range(n):
        scale = row_scale(A[i, i])
        if not at_rest(z[i], w[i] / (scale * scale), lower[i], upper[i]):
            largest = max(largest, size[i])
    for i in range(n):
        if size[i] == 0.0:
            size[i] = largest if largest > 0.0 else 1.0
        size[i] = max(size[i], least / row_scale(A[i, i]))


@kernel
def row_residual(z, w, lower, upper, scale, size):
    """|z - clip(z - w / a_ii, lower, upper)| of one row, relative to its size."""
    return abs(row_gap(z, w / (scale * scale), lower, upper)) * scale / size


@kernel
def residual_above(problem, z, W, least):
    """As ``natural_residual``, where a row's b counts as at least ``least``, in the units of b.

    For callers who know what b is: of a problem at rest all b may be round-off, and no size.
    """
    size_rows(problem, z, W, least)
    w, size, lower, upper = W.w, W.size, problem.lower, problem.upper
    worst = 0.0
    for i in range(problem.n):
        scale = row_scale(problem.A[i, i])
        r = row_residual(z[i], w[i], lower[i], upper[i], scale, size[i])
        if not r <= worst:  # also true for NaN, which must not pass for small
            worst = r
            if math.isnan(r):
                return math.inf
    return worst


@kernel
def natural_residual(problem, z, W):
    """max_i |z_i - clip(z_i - (A z + b)_i / a_ii, lower_i, upper_i)| s_i / size_i (see the module).

    Arguments:
        problem: a ``dense_problem.Problem``; z (n,).
        W: scratch, a ``SizeWork``.
    Returns: the residual [-]; inf when anything that matters is not a number.
    """
    return residual_above(problem, z, W, 0.0)
