"""Entry of free rows into the tableau of Lemke's path.

Before the path, z of the free rows become basic, one row after the other by falling diagonal pivot; a
row i without a sound pivot enters together with the row k of the largest |a_ik a_ki|. Both kinds of
pivots keep a matrix positive semidefinite. W is the tableau, a ``lemke_table.LemkeWork`` of n rows.
"""

import math

from mlcp.jit import kernel
from mlcp.kernels.dense.lemke_table import NEGLIGIBLE_PIVOT, enter_at, move, side_of, take_column

LARGER = 1.0 + 1e-9  # least ratio of two pivots that differ by more than round-off
DEPENDS = 3  # in ``active``: a free row that depends on the others and keeps its z


@kernel
def best_own(active, W, n):
    """Return (free row with the largest |diagonal pivot| of those not yet entered, or -1; the pivot)."""
    row, best = -1, -1.0
    for i in range(n):
        if active[i] == 0 and W.basic[i] == n + i and abs(W.table[i * (n + 1) + i]) > LARGER * best:
            row, best = i, abs(W.table[i * (n + 1) + i])
    return row, best


@kernel
def partner_of(i, W, n):
    """Return (row k, not yet entered, with the largest |a_ik a_ki|, or -1; square root of this product).

    Rows k with a_ii a_kk > a_ik a_ki / 2 > 0 are left out: rows i and k may depend on each other.
    """
    row, best, own = -1, 0.0, W.table[i * (n + 1) + i]
    for k in range(n):
        if k != i and W.basic[k] == n + k and W.lower[k] < W.upper[k]:
            both = W.table[i * (n + 1) + k] * W.table[k * (n + 1) + i]
            if abs(both) > best and not own * W.table[k * (n + 1) + k] > 0.5 * both > 0.0:
                row, best = k, abs(both)
    return row, math.sqrt(best)


@kernel
def shift(W, i, step, n):
    """Move the nonbasic z_i by ``step``, and the basic variables with it."""
    take_column(W, i, n)
    move(W, step, n)


@kernel
def keep_dependent(W, i, active, n):
    """Set z_i of a free row that depends on others: to the finite bound in the direction of -w_i, else
    to W.start[i]."""
    last, largest = side_of(W, i, active), 1.0
    for r in range(n):
        largest = max(largest, abs(W.value[r]))
    bound = W.lower[i] if W.value[i] > 0.0 else W.upper[i]
    if abs(W.value[i]) > 1e-13 * largest and abs(bound) < math.inf:  # a smaller w is round-off
        active[i] = -1 if W.value[i] > 0.0 else 1
        shift(W, i, bound - last, n)
    else:
        active[i] = DEPENDS
        shift(W, i, W.start[i] - last, n)


@kernel
def enter_free(active, W, n):
    """Make z of the free rows basic; for rows that depend on the others w stays basic.

    Returns: (pivots, the row with the largest |w| of those that depend on the others, or -1).
    """
    pivots, worst, most = 0, -1, 0.0
    for i in range(n):
        active[i] = 0 if active[i] == DEPENDS else active[i]
    while True:
        row, best = best_own(active, W, n)
        if row < 0:
            return pivots, worst
        other = -1
        if best <= 1e-2:  # a larger diagonal pivot needs no second row
            other, both = partner_of(row, W, n)
            if best > NEGLIGIBLE_PIVOT and best >= both:
                other = -1
            elif both <= NEGLIGIBLE_PIVOT:
                keep_dependent(W, row, active, n)
                if active[row] == DEPENDS and abs(W.value[row]) > most:
                    worst, most = row, abs(W.value[row])
                continue
        if other < 0:
            enter_at(W, row, row, active, n)
        else:
            enter_at(W, row, other, active, n)
            active[other] = 0
            enter_at(W, other, row, active, n)
            pivots += 1
        pivots += 1
