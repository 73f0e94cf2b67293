"""Block principal pivoting for symmetric positive definite problems that are solved on their own.

The plain case of ``direct`` with all sums along rows of A, which a processor does several at a time, and
nothing else: no dependent rows, no fallback, refinement and judgement once at the end. Where it does not
end after a few exchanges or a pivot is small, ``direct`` has the word.
Source: Judice & Pires, Basic-set algorithm for a generalized linear complementarity problem, J. Optim.
    Theory Appl. 74 (1992).
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel, summing
from mlcp.kernels.deadline import is_late
from mlcp.kernels.free_rows import subtract_row, symmetric_matrix

DONE, STUCK, UNFIT = 0, 1, 2
SMALLEST = 1e-11  # pivot, of its row's own diagonal
PATIENCE = 3  # exchanges without fewer offending rows


@kernel
def add_matrix_row(to, A, row, factor, n):
    """to += factor A[row]."""
    for c in range(n):
        to[np.uint64(c)] += factor * A[np.uint64(row), np.uint64(c)]


@kernel
def subtract_four_rows(to, start, of, step, factors, n):
    """to[start : start + n] -= four rows of ``of``, the first at factors[0], ``step`` apart."""
    first, one, two, three, four = factors
    for c in range(n):
        at = np.uint64(first + c)
        to[np.uint64(start + c)] -= (one * of[at] + two * of[at + np.uint64(step)]) + (
            three * of[at + np.uint64(2 * step)] + four * of[at + np.uint64(3 * step)]
        )


@summing
def row_product(matrix, start, x, first, n):
    """matrix[start : start + n] . x[first : first + n]."""
    total = 0.0
    for c in range(n):
        total += matrix[np.uint64(start + c)] * x[np.uint64(first + c)]
    return total


@kernel
def factor_free(A, f, W):
    """A[F, F] = U' diag(W.slope) U by rows into W.free.matrix; False where a pivot is small."""
    matrix, order, inverse = W.free.matrix, W.free.order, W.slope
    for r in range(f):
        i, at = int(order[r]), r * f
        for c in range(r, f):
            matrix[at + c] = A[i, int(order[c])]
        k = 0
        while k + 4 <= r:
            here = k * f + r
            factors = (
                here,
                matrix[here] * inverse[k],
                matrix[here + f] * inverse[k + 1],
                matrix[here + 2 * f] * inverse[k + 2],
                matrix[here + 3 * f] * inverse[k + 3],
            )
            subtract_four_rows(matrix, at + r, matrix, f, factors, f - r)
            k += 4
        while k < r:
            here = k * f + r
            subtract_row(matrix, at + r, matrix, here, matrix[here] * inverse[k], f - r)
            k += 1
        if not matrix[at + r] > SMALLEST * A[i, i]:
            return False
        inverse[r] = 1.0 / matrix[at + r]
    return True


@kernel
def add_solution(A, f, W, z, w, n):
    """z_F <- z_F - A_FF^-1 w_F, and w follows in every row."""
    matrix, order, inverse, x = W.free.matrix, W.free.order, W.slope, W.free.x
    for r in range(f):
        x[r] = -w[int(order[r])]
    for k in range(f):
        x[k] *= inverse[k]
        subtract_row(x, k + 1, matrix, k * f + k + 1, x[k], f - k - 1)
    for k in range(f - 1, -1, -1):
        x[k] -= inverse[k] * row_product(matrix, k * f + k + 1, x, k + 1, f - k - 1)
    for r in range(f):
        i = int(order[r])
        z[i] += x[r]
        add_matrix_row(w, A, i, x[r], n)


@kernel
def exchange_offending(problem, z, w, active, W):
    """Rows beyond their bound go there, rows pulled off theirs are freed; how many there are.

    W.change <- the states as they would be.
    """
    lower, upper, n = problem.lower, problem.upper, problem.n
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(z[i]) * W.free.diagonal[i])
    noise = 4e-16 * n * largest
    offending = 0
    for i in range(n):
        scale, state = W.free.diagonal[i], active[i]
        W.change[i] = state
        if lower[i] == upper[i]:
            continue
        if state == 0:
            if z[i] < lower[i] - noise / scale:
                W.change[i] = -1
            elif z[i] > upper[i] + noise / scale:
                W.change[i] = 1
        elif state * w[i] > noise * scale + 1e-14 * abs(problem.b[i]):
            W.change[i] = 0
        if W.change[i] != state:
            offending += 1
    return offending


@kernel
def pivot_blocks(problem, z, active, W, limits):
    """Exchange all offending rows at once from ``active`` on: (DONE, STUCK or UNFIT, factorisations).

    Arguments: as of ``direct``, but W is its ``PivotWork``. When DONE, z is a solution up to a residual
        that the caller takes.
    """
    A, lower, upper, n = problem.A, problem.lower, problem.upper, problem.n
    w = W.sizes.w
    for i in range(n):
        if not A[i, i] > 0.0:
            return UNFIT, 0
        W.free.diagonal[i] = math.sqrt(A[i, i])
        if lower[i] == upper[i]:
            active[i] = -1
    if not symmetric_matrix(A, n):
        return UNFIT, 0
    fewest, patience = n + 1, PATIENCE
    for it in range(min(limits.most, 4 + n)):
        if is_late(limits.deadline):
            return STUCK, it
        f = 0
        for i in range(n):
            z[i], w[i] = 0.0, problem.b[i]
            if active[i] == 0:
                W.free.order[f] = i
                f += 1
        for i in range(n):
            if active[i] != 0:
                z[i] = lower[i] if active[i] < 0 else upper[i]
                if z[i] != 0.0:
                    add_matrix_row(w, A, i, z[i], n)
        if not factor_free(A, f, W):
            return UNFIT, it
        add_solution(A, f, W, z, w, n)
        offending = exchange_offending(problem, z, w, active, W)
        if offending == 0:
            add_solution(A, f, W, z, w, n)  # refined
            for i in range(n):
                z[i] = min(max(z[i], lower[i]), upper[i])
            return DONE, it + 1
        patience -= 1
        if offending < fewest:
            fewest, patience = offending, PATIENCE
        if patience < 0:
            return STUCK, it + 1
        for i in range(n):
            active[i] = int(W.change[i])
    return STUCK, min(limits.most, 4 + n)
