"""Sizes of rows in problems with zero diagonals: the w of such a row is independent of its own z, so
a_ii gives z no unit.

Its w and its z are judged apart, each in its own unit, by terms that are *supported*: a z_j counts in
full among the terms of the rows coupled to it,

    size_i s_i = max( |b_i|,  max_j |a_ij z_j| ),

if it lies within SUPPORT of its value by the other supported terms of a row coupled to it,

    |z_j| <= SUPPORT reach_j,    reach_j = max_i size_i s_i / |a_ij|

(or if it rests at a bound, or a bound forces it from zero), else not at all: a z run away along a
redundant direction has no support. A z_j not at rest counts as at least FAINT of its reach: by rows not
at rest; if they have no other term, by the row at rest with the least reach; if no row has a size, by 1.
So every figure but this last is the same in any units of rows and unknowns. Between rows of nonzero
diagonal the rules are those of ``residual``.
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.one_row import (
    LEAST_GROWTH,
    LEAST_RELATIVE_Z,
    bound_pushed_to,
    handed_on,
    handed_to,
    size_unreached,
)

NEGLIGIBLE_REACH = 1e-20  # fraction of a z's reach by a row at rest; smaller terms are round-off
LARGEST_TERM_RATIO = 1e5  # largest supported ratio of two terms of a row


@kernel
def blind_residual(z, w, lower, upper, size, reach):
    """The row's gap in w relative to its size and in z relative to its reach, the smaller one."""
    in_w = w / size if size > 0.0 else w / size_unreached(w, 1.0)
    to_z = 1.0 / (reach if reach > 0.0 else size_unreached(z, 1.0))
    return abs(max(min(in_w, (z - lower) * to_z), (z - upper) * to_z) + 0.0 * z)


@kernel
def rests_exactly(z, w, lower, upper):
    """True if z is at the bound in w's direction."""
    return (w >= 0.0 and z == lower) or (w <= 0.0 and z == upper)


@kernel
def begin_support(problem, z, W, n):
    """Begin the sizes of rows: giver: 1 for those that count in full, which rows at rest do.

    What row j passes on: hand, at most most, to rows with a diagonal; grown to those without.
    """
    lower, upper = problem.lower, problem.upper
    for i in range(n):
        own, sees = abs(z[i]), problem.A[i, i] != 0.0
        if not sees:
            W.size[i] = abs(problem.b[i])
            W.rests[i] = 1.0 if rests_exactly(z[i], W.w[i], lower[i], upper[i]) else 0.0
        elif W.rests[i] == 1.0:
            own = abs(bound_pushed_to(W.w[i], lower[i], upper[i]))
        W.giver[i] = W.rests[i]
        W.grown[i] = own if W.rests[i] == 1.0 else 0.0
        W.hand[i], W.most[i] = W.grown[i], math.inf
        if sees:
            W.hand[i] = handed_on(own, W.rests[i] == 1.0, W.size[i], W.scale[i])
            W.most[i] = W.size[i]


@kernel
def grow_size(i, size, z, W, sees):
    """Let row i have a larger size."""
    W.size[i] = size
    if sees:
        W.most[i] = size
        if W.rests[i] == 0.0:
            W.hand[i] = handed_on(z[i], False, size, W.scale[i])


@kernel
def largest_given(A, i, given, n):
    """max_j |a_ij| given_j."""
    best = 0.0
    for j in range(n):
        term = abs(A[np.uint64(i), np.uint64(j)]) * given[np.uint64(j)]
        best = term if term > best else best
    return best


@kernel
def is_supported(problem, j, z, W, n):
    """Whether z_j lies within SUPPORT of its reach."""
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
    """Let every z_j that is now supported count in full; whether there is one."""
    more = False
    for j in range(n):
        if W.giver[j] == 0.0 and is_supported(problem, j, z, W, n):
            W.giver[j], W.grown[j], more = 1.0, abs(z[j]), True
            if problem.A[j, j] == 0.0:
                W.hand[j] = abs(z[j])
    return more


@kernel
def forced(lower, upper):
    """The |z| that bounds force."""
    return abs(min(max(0.0, lower), upper))


@kernel
def note_reach(W, i, j, b, a):
    """Note the reach of z_j by row i: most: all rows; grown: rows not at rest, then b of one at rest."""
    reach = W.size[i] * W.scale[i] / a
    W.most[j] = max(W.most[j], reach)
    if W.rests[i] == 0.0:
        W.grown[j] = max(W.grown[j], reach)
    elif b != 0.0:
        n = W.most.shape[0]
        W.grown[n + j] = min(W.grown[n + j], abs(b) / a)


@kernel
def begin_reach(problem, W, n):
    """The reach of every z by its bounds."""
    for j in range(n):
        W.most[j] = W.grown[j] = forced(problem.lower[j], problem.upper[j])
        W.grown[n + j] = math.inf


@kernel
def end_reach(z, W, n):
    """W.grown <- the reach for the least size of a z, larger for a z alone in its rows."""
    for j in range(n):
        least = W.grown[n + j]
        if least < math.inf and W.grown[j] <= max(abs(z[j]) * LEAST_GROWTH, NEGLIGIBLE_REACH * least):
            W.grown[j] = max(W.grown[j], least)
        if W.grown[j] == 0.0:
            W.grown[j] = W.most[j] if W.most[j] > 0.0 else 1.0


@kernel
def reach_of(problem, W, n):
    """W.most <- the reach of every z, W.grown <- the same by the rows that are not at rest."""
    A, b = problem.A, problem.b
    begin_reach(problem, W, n)
    for i in range(n):
        if W.size[i] > 0.0:
            for j in range(n):
                a = abs(A[np.uint64(i), np.uint64(j)])
                if a != 0.0:
                    note_reach(W, i, np.uint64(j), b[i], a)


@kernel
def size_blind_rows(problem, z, W, least):
    """As ``residual.size_rows``, after ``begin_sizes``; W.gap of a zero diagonal <- its residual's."""
    A, n = problem.A, problem.n
    begin_support(problem, z, W, n)
    grown = True
    for sweep in range(2 * n):
        if not grown:
            break
        grown = False
        for k in range(n):
            i = k if sweep % 2 == 0 else n - 1 - k
            sees = A[i, i] != 0.0
            best = handed_to(A, i, W, W.scale[i], n) if sees else largest_given(A, i, W.grown, n)
            if best > LEAST_GROWTH * W.size[i]:
                grow_size(i, best, z, W, sees)
                grown = True
        grown |= support_more(problem, z, W, n)
    reach_of(problem, W, n)
    end_reach(z, W, n)
    faint_sizes(problem, W, n)
    for i in range(n):
        W.size[i] = max(W.size[i], least / W.scale[i])
        if A[i, i] == 0.0:
            low, high = problem.lower[i], problem.upper[i]
            r = blind_residual(z[i], W.w[i], low, high, W.size[i], W.grown[i])
            W.size[i] = W.size[i] if W.size[i] > 0.0 else 1.0
            W.gap[i] = r * W.size[i]
        elif W.size[i] == 0.0:
            W.size[i] = size_unreached(W.gap[i], W.scale[i])


@kernel
def faint_sizes(problem, W, n):
    """Least sizes passed by a z not at rest, to and from rows with a zero diagonal."""
    A, blind = problem.A, 0
    for j in range(n):
        W.giver[j] = W.grown[j] if W.rests[j] == 0.0 else 0.0
        if A[j, j] == 0.0:
            W.hand[blind] = j
            blind += 1
    for i in range(n):
        best, sees = W.size[i] * W.scale[i], A[i, i] != 0.0
        for k in range(blind if sees else n):
            j = int(W.hand[k]) if sees else k
            best = max(best, LEAST_RELATIVE_Z * abs(A[i, j]) * W.giver[j])
        W.size[i] = best / W.scale[i]
