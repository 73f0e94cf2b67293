"""Tableau of Lemke's path for boxes, and its pivots.

Of each pair z_i, w_i one variable is basic. The tableau gives the basic variables x_B by the nonbasic
ones x_N, the covering vector d and the path's parameter t,

    x_B = D x_N + t d.

A nonbasic z_i is at a bound, a nonbasic w_i is zero. W is a ``LemkeWork`` of n rows.
"""

import numpy as np

from mlcp.compiled.workspace import WorkArray, part
from mlcp.jit import kernel
from mlcp.kernels.matrix_rows import row_product, subtract_row

# Largest pivot taken as zero, in rows of unit diagonal or over its column's largest entry; also the
# widening of bounds in the ratio test, over the largest violation of a bound at the start
NEGLIGIBLE_PIVOT = 1e-11


class LemkeWork(WorkArray, sizes="n"):
    """Tableau of the path, in rows of unit diagonal and with max |b| = 1."""

    table = part("n n + n", "D, the covering vector its last column")
    own = part("n + 1", "the row of a pivot")
    rate = part("n", "the column of a pivot")
    value = part("n", "values of the basic variables")
    low = part("n", "lower bounds of the basic variables")
    high = part("n", "upper bounds of the basic variables")
    lower = part("n", "lower bounds of z")
    upper = part("n", "upper bounds of z")
    start = part("n", "z of the start, kept by free rows that depend on the others")
    scale = part("n", "scale of z: z = x beta / scale")
    basic = part("n", "variable of each row: i is z_i, n + i is w_i, 2 n is t")
    outside = part("n + 1", "variable of each column")
    place = part("2 n + 1", "row or column of each variable")


@kernel
def pivot_at(W, r, c, n):
    """Exchange the basic variable of row r and the nonbasic one of column c; W.rate holds column c.

    The new row r is computed in W.own, which overlaps none of the rows that multiples are added to.
    """
    table, own, rate, width = W.table, W.own, W.rate, n + 1
    inverse = 1.0 / rate[r]
    for k in range(width):
        own[np.uint64(k)] = table[np.uint64(r * width + k)] * -inverse
    own[c] = inverse
    for i in range(n):
        if i != r and rate[i] != 0.0:
            subtract_row(table, i * width, own, 0, -rate[i], width)
            # column c is set last, since a load of eight numbers right after a store of one is slow
            table[i * width + c] = rate[i] * inverse
    for k in range(width):
        table[np.uint64(r * width + k)] = own[np.uint64(k)]
    leaves, enters = W.basic[r], W.outside[c]
    W.basic[r], W.outside[c] = enters, leaves
    W.place[int(enters)], W.place[int(leaves)] = r, c


@kernel
def take_column(W, c, n):
    """Copy column c of the tableau to W.rate; return the largest absolute entry."""
    largest = 0.0
    for i in range(n):
        W.rate[i] = W.table[i * (n + 1) + c]
        largest = max(largest, abs(W.rate[i]))
    return largest


@kernel
def move(W, step, n):
    """Move the basic variables by a step of the nonbasic variable whose column is W.rate."""
    for i in range(n):
        W.value[i] += step * W.rate[i]


@kernel
def side_of(W, i, active):
    """Bound of z_i chosen by active[i]; for a free row the z_i within its bounds nearest to 0."""
    if active[i] < 0:
        return W.lower[i]
    return W.upper[i] if active[i] == 1 else min(max(0.0, W.lower[i]), W.upper[i])


@kernel
def fill_table(problem, centre, active, W, delta, beta):
    """Fill the tableau for A + delta D, b - delta D centre: all w basic, each z_i at its ``side_of``."""
    A, n, scale, width, moved = problem.A, problem.n, W.scale, problem.n + 1, False
    for i in range(n):
        s = scale[i]
        W.lower[i], W.upper[i] = problem.lower[i] * s / beta, problem.upper[i] * s / beta
        W.start[i] = centre[i] * s / beta
        W.own[i], W.rate[i] = side_of(W, i, active), 1.0 / s
        moved |= W.own[i] != 0.0
    for i in range(n):
        s, at = W.rate[i], i * width
        for j in range(n):
            W.table[np.uint64(at + j)] = A[np.uint64(i), np.uint64(j)] * s * W.rate[np.uint64(j)]
        total = problem.b[i] * s / beta
        if moved:
            total += row_product(W.table, at, W.own, 0, n)
        if delta > 0.0:
            W.table[at + i] += delta
            total += delta * (W.own[i] - W.start[i])
        W.table[at + n], W.value[i] = 0.0, total
        W.basic[i], W.outside[i], W.place[i], W.place[n + i] = n + i, i, i, i
    W.outside[n], W.place[2 * n] = 2 * n, n


@kernel
def enter_at(W, r, c, active, n):
    """Make the variable of column c basic in row r, whose variable leaves at the value 0."""
    take_column(W, c, n)
    step, v = -W.value[r] / W.rate[r], int(W.outside[c])
    move(W, step, n)
    pivot_at(W, r, c, n)
    W.value[r] = step + (side_of(W, v, active) if v < n else 0.0)
