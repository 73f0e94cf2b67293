"""Factor of the free rows' matrix, A_FF = L D U, updated as rows join or leave the free set F.

Every factored row has a slot, its position in the factor. A joining row takes the next slot, at the cost
of a forward solve. The slot of a leaving row stays empty, and the row's terms are added back to later
rows. After many changes the matrix is factored anew. Pivots are not exchanged: those of a P-matrix or a
positive definite matrix are positive in any order.

D U is stored by rows of n numbers; row k is used from slot k on. D L' is stored in the same way; for a
symmetric A the arrays of D U and D L' are the same.
Source: Gill, Golub, Murray & Saunders, Methods for modifying matrix factorizations, Math. Comp. 28
    (1974); not symmetric: Bennett, Triangular factors of modified matrices, Numer. Math. 7 (1965).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mlcp.compiled.workspace import WorkArray, part
from mlcp.jit import kernel
from mlcp.kernels.matrix_rows import row_product, subtract_row


class FactorWork(WorkArray, sizes="n"):
    """Memory of a factor, and scratch of solves with it."""

    upper = part("n n", "D U")
    lower = part("n n", "D L', unused where A is symmetric")
    transposed = part("n n", "A', unused where A is symmetric")
    inverse = part("n", "1 / D; 0 for an empty slot")
    row = part("n", "row of every slot; -1 for an empty one")
    x = part("n", "right-hand side and solution, by slots")
    y = part("n", "scratch, by slots")


class Factor(NamedTuple):
    """Matrix A and the parts of a ``FactorWork``, described there."""

    A: Any  # (n, n) matrix of all rows
    transposed: Any  # A' by rows, flat
    upper: Any
    lower: Any  # where A is symmetric, the same memory as upper
    inverse: Any
    row: Any
    x: Any
    y: Any
    n: Any
    symmetric: Any


class Floor(NamedTuple):
    """Smallest pivot, and the ridge that is added to the diagonal."""

    least: Any  # smallest allowed pivot over the row's diagonal entry
    ridge: Any  # fraction of every diagonal entry that is added to it


@kernel
def factor_of(A, n, W, symmetric):
    """Make a ``Factor`` for A on the memory of the ``FactorWork`` W."""
    lower = W.upper if symmetric else W.lower
    if not symmetric:
        transpose(A, n, W.transposed)
    return Factor(A, W.transposed, W.upper, lower, W.inverse, W.row, W.x, W.y, n, symmetric)


@kernel
def transpose(A, n, transposed):
    """Write A' to ``transposed``, in blocks that fit the cache."""
    for first in range(0, n, 8):
        last = min(first + 8, n)
        for j in range(n):
            for i in range(first, last):
                transposed[i * n + j] = A[j, i]


@kernel
def subtract_four_rows(to, start, of, step, factors, n):
    """Subtract four rows: to[start + c] -= sum_k factors[k + 1] of[factors[0] + k step + c], c < n."""
    first, one, two, three, four = factors
    for c in range(n):
        at = np.uint64(first + c)
        to[np.uint64(start + c)] -= (one * of[at] + two * of[at + np.uint64(step)]) + (
            three * of[at + np.uint64(2 * step)] + four * of[at + np.uint64(3 * step)]
        )


@kernel
def eliminate_row(of, across, r, f, F):
    """Subtract the rows before r from row r of ``of``, each times its entry r in ``across`` times 1 / D.

    ``of`` and ``across`` are D U and D L', or D L' and D U.
    """
    n, inverse, at = F.n, F.inverse, r * F.n + r
    k = 0
    while k + 4 <= r:
        here = k * n + r
        factors = (
            here,
            across[here] * inverse[k],
            across[here + n] * inverse[k + 1],
            across[here + 2 * n] * inverse[k + 2],
            across[here + 3 * n] * inverse[k + 3],
        )
        subtract_four_rows(of, at, of, n, factors, f - r)
        k += 4
    while k < r:
        here = k * n + r
        subtract_row(of, at, of, here, across[here] * inverse[k], f - r)
        k += 1


@kernel
def factor_rows(F, f, floor):
    """Factor the matrix of the rows in the first f slots; False if a pivot is below ``floor.least``."""
    A, n, row, upper, lower = F.A, F.n, F.row, F.upper, F.lower
    for r in range(f):
        i, at = int(row[r]), r * n
        for c in range(r, f):
            upper[at + c] = A[i, int(row[c])]
        upper[at + r] += floor.ridge * A[i, i]
        eliminate_row(upper, lower, r, f, F)
        if not F.symmetric:
            for c in range(r, f):
                lower[at + c] = F.transposed[i * n + int(row[c])]
            eliminate_row(lower, upper, r, f, F)
        if not upper[at + r] > floor.least * A[i, i]:
            return False
        F.inverse[r] = 1.0 / upper[at + r]
    return True


@kernel
def forward(of, x, f, F):
    """Replace x by L^-1 x with the unit lower triangle L of the first f rows; ``of`` has D L'."""
    n, inverse = F.n, F.inverse
    k = 0
    while k + 4 <= f:
        here = k * n + k
        one = x[k] * inverse[k]
        x[k + 1] -= one * of[here + 1]
        two = x[k + 1] * inverse[k + 1]
        x[k + 2] -= one * of[here + 2] + two * of[here + n + 2]
        three = x[k + 2] * inverse[k + 2]
        x[k + 3] -= (one * of[here + 3] + two * of[here + n + 3]) + three * of[here + 2 * n + 3]
        four = x[k + 3] * inverse[k + 3]
        subtract_four_rows(x, k + 4, of, n, (here + 4, one, two, three, four), f - k - 4)
        k += 4
    while k < f:
        subtract_row(x, k + 1, of, k * n + k + 1, x[k] * inverse[k], f - k - 1)
        k += 1


@kernel
def solve_factored(F, f):
    """Solve A_FF x = y in place, F.x holding y, then x; empty slots get 0."""
    x, n = F.x, F.n
    forward(F.lower, x, f, F)
    for k in range(f - 1, -1, -1):
        x[k] = F.inverse[k] * (x[k] - row_product(F.upper, k * n + k + 1, x, k + 1, f - k - 1))


@kernel
def join(F, i, f, floor):
    """Add row i of A in slot f; False, without a change, if the row's pivot is below ``floor.least``."""
    A, n, row, x, y = F.A, F.n, F.row, F.x, F.y
    for k in range(f):
        filled = row[k] >= 0.0
        x[k] = A[i, int(row[k])] if filled else 0.0
        if not F.symmetric:
            y[k] = F.transposed[i * n + int(row[k])] if filled else 0.0
    forward(F.upper, x, f, F)
    if F.symmetric:
        y = x
    else:
        forward(F.lower, y, f, F)
    pivot = (1.0 + floor.ridge) * A[i, i]
    for k in range(f):
        pivot -= x[k] * y[k] * F.inverse[k]
    if not pivot > floor.least * A[i, i]:
        return False
    for k in range(f):
        F.upper[k * n + f] = y[k]
    if not F.symmetric:
        for k in range(f):
            F.lower[k * n + f] = x[k]
    F.upper[f * n + f], F.inverse[f], row[f] = pivot, 1.0 / pivot, i
    return True


@kernel
def update_pair(of, at, x, share, gone, n):
    """Update n numbers u of ``of`` from at[0] on, and n numbers v of x from at[1] on:
    u <- u + share v, v <- v - gone u with the old u and v."""
    first, x_first = at
    for c in range(n):
        here, there = np.uint64(first + c), np.uint64(x_first + c)
        was, own = of[here], x[there]
        of[here] = was + share * own
        x[there] = own - gone * was


@kernel
def leave(F, p, f):
    """Remove the row in slot p of f slots; 1 / D = 0 excludes the slot's row and column from solves."""
    n, upper, lower, inverse, x, y = F.n, F.upper, F.lower, F.inverse, F.x, F.y
    weight = inverse[p]
    for c in range(p + 1, f):
        x[c] = upper[p * n + c]
    if F.symmetric:
        y = x
    else:
        for c in range(p + 1, f):
            y[c] = lower[p * n + c]
    inverse[p], F.row[p] = 0.0, -1.0
    for j in range(p + 1, f):
        if F.row[j] < 0.0:
            continue
        u, v = x[j], y[j]
        was, at = inverse[j], (j * n + j + 1, j + 1)
        pivot = upper[j * n + j] + weight * u * v
        update_pair(upper, at, x, weight * v, u * was, f - j - 1)
        if not F.symmetric:
            update_pair(lower, at, y, weight * u, v * was, f - j - 1)
        upper[j * n + j], inverse[j] = pivot, 1.0 / pivot
        weight /= pivot * was
