"""Lemke's path for boxes: one dense tableau, complementary pivots, a covering vector in every row.

Of each pair z_i, w_i one variable is basic; the tableau gives it by the nonbasic ones,

    x_B = D x_N + t d.

A nonbasic z_i is at a bound, a nonbasic w_i is zero. At t = 1 the covering vector d puts all basic
variables inside their bounds. Then t falls until a basic variable reaches its bound and leaves; the
other variable of its pair enters, and so on, until t itself leaves at zero, at a solution. If the path
ends in a ray instead and A is positive semidefinite or copositive, the ray's direction proves that no
solution exists (``certificate``). The path ends for P-matrices, positive semidefinite matrices,
symmetric or not, and saddle points.

Free rows enter first, those with the largest own pivot before the others; a row i without a sound pivot
enters together with the row k of the largest |a_ik a_ki|. Both kinds of pivots keep a matrix positive
semidefinite.
Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 4.4; bounds on both
    sides as in Sargent, An efficient implementation of the Lemke algorithm, Math. Program. 7 (1978).
Differs from the source: it starts from any active set; ties go to the largest pivot (Harris, Math.
    Program. 5, 1973).
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import kernel, summing
from mlcp.kernels.codes import INFEASIBLE, ITERATION_LIMIT, LATE, SOLVED
from mlcp.kernels.deadline import is_late
from mlcp.kernels.dense.face_sides import GOLDEN

# Largest pivot taken as zero, in rows of unit diagonal or over its column's largest entry; also widening
# of the bounds in the ratio test, over the violation
NEGLIGIBLE_PIVOT = 1e-11
LEAST_OWN_PIVOT = 1e-2  # least own pivot of a free row that enters without a partner
LARGER = 1.0 + 1e-9  # least ratio of two pivots that differ by more than round-off
DEPENDS = 3  # in ``active``: a free row that depends on the others and keeps its z
NEGLIGIBLE_W = 1e-13  # |w| of such a row over the largest value that is taken as zero


class LemkeWork(Workspace, sizes="n"):
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
def add_multiple(to, start, of, factor, n):
    """to[start : start + n] += factor of[:n]."""
    for k in range(n):
        to[np.uint64(start + k)] += factor * of[np.uint64(k)]


@summing
def table_product(table, start, x, n):
    """table[start : start + n] . x."""
    total = 0.0
    for k in range(n):
        total += table[np.uint64(start + k)] * x[np.uint64(k)]
    return total


@kernel
def exchange(W, r, c, n):
    """Exchange the basic variable of row r and the nonbasic one of column c; W.rate is the column.

    The pivot's row is computed in memory of its own, which no row that it is added to overlaps.
    """
    table, own, rate, width = W.table, W.own, W.rate, n + 1
    inverse = 1.0 / rate[r]
    for k in range(width):
        own[np.uint64(k)] = table[np.uint64(r * width + k)] * -inverse
    own[c] = inverse
    for i in range(n):
        if i != r and rate[i] != 0.0:
            add_multiple(table, i * width, own, rate[i], width)
            table[i * width + c] = rate[i] * inverse  # set last: a load after a lone store would wait
    for k in range(width):
        table[np.uint64(r * width + k)] = own[np.uint64(k)]
    leaves, enters = W.basic[r], W.outside[c]
    W.basic[r], W.outside[c] = enters, leaves
    W.place[int(enters)], W.place[int(leaves)] = r, c


@kernel
def take_column(W, c, n):
    """W.rate <- column c; returns its largest absolute entry."""
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
    """The bound of z_i by active[i]; for a free row the z in its bounds that is nearest to 0."""
    if active[i] < 0:
        return W.lower[i]
    return W.upper[i] if active[i] == 1 else min(max(0.0, W.lower[i]), W.upper[i])


@kernel
def fill_table(problem, centre, active, W, delta, beta):
    """Fill the tableau of A + delta D, b - delta D centre: all w basic, each z at its ``side_of``."""
    A, n, scale, width = problem.A, problem.n, W.scale, problem.n + 1
    for i in range(n):
        s = scale[i]
        W.lower[i], W.upper[i] = problem.lower[i] * s / beta, problem.upper[i] * s / beta
        W.start[i] = centre[i] * s / beta
        W.own[i], W.rate[i] = side_of(W, i, active), 1.0 / s
    for i in range(n):
        s, at = W.rate[i], i * width
        for j in range(n):
            W.table[np.uint64(at + j)] = A[np.uint64(i), np.uint64(j)] * s * W.rate[np.uint64(j)]
        total = problem.b[i] * s / beta + table_product(W.table, at, W.own, n)
        if delta > 0.0:
            W.table[at + i] += delta
            total += delta * (W.own[i] - W.start[i])
        W.table[at + n], W.value[i] = 0.0, total
        W.basic[i], W.outside[i], W.place[i], W.place[n + i] = n + i, i, i, i
    W.outside[n], W.place[2 * n] = 2 * n, n


@kernel
def enter_at(W, r, c, active, n):
    """Enter the variable of column c for that of row r, which leaves at 0."""
    take_column(W, c, n)
    step, v = -W.value[r] / W.rate[r], int(W.outside[c])
    move(W, step, n)
    exchange(W, r, c, n)
    W.value[r] = step + (side_of(W, v, active) if v < n else 0.0)


@kernel
def best_own(active, W, n):
    """(free row not yet entered with the largest own pivot, the first of equal ones, or -1; pivot)."""
    row, best = -1, -1.0
    for i in range(n):
        if active[i] == 0 and W.basic[i] == n + i and abs(W.table[i * (n + 1) + i]) > LARGER * best:
            row, best = i, abs(W.table[i * (n + 1) + i])
    return row, best


@kernel
def partner_of(i, W, n):
    """(row k, not yet entered, with the largest |a_ik a_ki|; square root of that product).

    Without rows k for which a_ii a_kk nearly cancels it: rows i and k then depend on each other.
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
    """Set z_i of a free row that cannot enter: the bound towards which w pushes it, else W.start."""
    last, largest = side_of(W, i, active), 1.0
    for r in range(n):
        largest = max(largest, abs(W.value[r]))
    bound = W.lower[i] if W.value[i] > 0.0 else W.upper[i]
    if abs(W.value[i]) > NEGLIGIBLE_W * largest and abs(bound) < math.inf:
        active[i] = -1 if W.value[i] > 0.0 else 1
        shift(W, i, bound - last, n)
    else:
        active[i] = DEPENDS
        shift(W, i, W.start[i] - last, n)


@kernel
def is_alone(W, i, n):
    """Whether row and column i of the tableau are zero: z_i moves nothing and nothing moves w_i."""
    largest = take_column(W, i, n)
    for k in range(n):
        largest = max(largest, abs(W.table[i * (n + 1) + k]))
    return largest <= NEGLIGIBLE_PIVOT


@kernel
def dependent_to_bounds(W, active, n):
    """Move dependent rows with bounds to the nearest bound, except rows that ``is_alone``.

    Returns: True if a row has moved.
    """
    moved = False
    for i in range(n):
        low, high, last = W.lower[i], W.upper[i], W.start[i]
        bounded = low > -math.inf or high < math.inf
        if active[i] == DEPENDS and bounded and not is_alone(W, i, n):
            active[i] = -1 if last - low <= high - last else 1
            shift(W, i, side_of(W, i, active) - last, n)
            moved = True
    return moved


@kernel
def enter_free(active, W, n):
    """Make z of the free rows basic; for rows that depend on the others w stays basic.

    Returns: (pivots, the row with the largest |w| of those that depend on the others, or -1).
    """
    pivots, worst, most = 0, -1, 0.0
    while True:
        row, best = best_own(active, W, n)
        if row < 0:
            return pivots, worst
        other = -1
        if best <= LEAST_OWN_PIVOT:
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


@kernel
def set_limits(W, r, active, n):
    """W.low, W.high <- the bounds of the variable that is basic in row r."""
    v, low, high = int(W.basic[r]), -math.inf, math.inf
    if v < n:
        low, high = W.lower[v], W.upper[v]
    elif v == 2 * n:
        low = 0.0
    elif W.lower[v - n] < W.upper[v - n]:
        low = 0.0 if active[v - n] == -1 else -math.inf
        high = 0.0 if active[v - n] == 1 else math.inf
    W.low[r], W.high[r] = low, high


@kernel
def violation(active, W, n):
    """Set the bounds of all basic variables; return their largest violation, 0 if it is round-off."""
    worst, largest = 0.0, 0.0
    for r in range(n):
        set_limits(W, r, active, n)
        worst = max(worst, max(W.low[r] - W.value[r], W.value[r] - W.high[r]))
        largest = max(largest, abs(W.value[r]))
    return worst if worst > 1e-15 * largest else 0.0


@kernel
def cover(W, worst, n):
    """Last column <- covering vector that puts all basic variables in their bounds at t = 1.

    W.value <- the values at t = 1.
    """
    for r in range(n):
        low, high, last = W.low[r], W.high[r], W.value[r]
        share, to = worst * (1.0 + (r * GOLDEN) % 1.0), last
        if low > -math.inf and high < math.inf:
            inset = min(share, (high - low) * (0.25 + 0.5 * ((r * GOLDEN) % 1.0)))
            to = min(max(last, low + inset), max(high - inset, low + inset))
        elif low > -math.inf:
            to = last + share
        elif high < math.inf:
            to = last - share
        W.table[r * (n + 1) + n], W.value[r] = to - last, to


@kernel
def room_of(W, r, rate):
    """Distance of the variable of row r from its bound in the direction of ``rate``."""
    return W.value[r] - W.low[r] if rate < 0.0 else W.high[r] - W.value[r]


@kernel
def first_row(W, direction, least, wider, room, n):
    """(row, step) of the basic variable that reaches its bound first.

    Row -1: the entering variable reaches its other bound first, after ``room``. Of the variables that
    reach bounds widened by ``wider`` the one of the largest rate is taken, but t before all.
    """
    nearest = room
    for r in range(n):
        rate = direction * W.rate[r]
        if abs(rate) > least:
            far = (room_of(W, r, rate) + wider) / abs(rate)
            nearest = far if far < nearest else nearest
    row, best, step = -1, 0.0, room
    for r in range(n):
        rate = direction * W.rate[r]
        if abs(rate) > least and (abs(rate) > best or W.basic[r] == 2 * n):
            far = max(room_of(W, r, rate), 0.0) / abs(rate)
            if far <= nearest and far < math.inf:
                row, best, step = r, abs(rate), far
                if W.basic[r] == 2 * n:
                    break
    return row, step


@kernel
def follow_path(active, W, wider, limits, n):
    """Let t fall from 1 until it leaves at 0: (code, pivots, column of the ray, its direction).

    INFEASIBLE: the path ends in a ray, whose direction is still to be checked.
    """
    column, direction, room = n, -1.0, 1.0
    for pivot in range(limits.most):
        if is_late(limits.deadline):
            return LATE, pivot, -1, 0.0
        least = NEGLIGIBLE_PIVOT * take_column(W, column, n)
        row, step = first_row(W, direction, least, wider, room, n)
        if not step < math.inf:
            return INFEASIBLE, pivot, column, direction
        move(W, direction * step, n)
        v = int(W.outside[column])
        if row < 0:
            if v == 2 * n:
                return SOLVED, pivot, -1, 0.0
            i, active[v] = v, -active[v]  # z has crossed its box
        else:
            last = 1.0 if v == 2 * n else 0.0
            if v < n:
                last = side_of(W, v, active)
                active[v] = 0
            gone, fell = int(W.basic[row]), direction * W.rate[row] < 0.0
            exchange(W, row, column, n)
            W.value[row] = last + direction * step
            set_limits(W, row, active, n)
            if gone == 2 * n:
                return SOLVED, pivot + 1, -1, 0.0
            i = gone - n if gone >= n else gone
            if gone < n:
                active[gone] = -1 if fell else 1
            v = gone
        column, direction, room = int(W.place[n + i if v < n else i]), -float(active[i]), math.inf
        if v >= n:
            room = W.upper[i] - W.lower[i]
    return ITERATION_LIMIT, limits.most, -1, 0.0


@kernel
def ray_of(W, column, direction, ray, n):
    """ray <- direction of z as the variable of a column moves, in rows of unit diagonal."""
    v = int(W.outside[column])
    take_column(W, column, n)
    for i in range(n):
        ray[i] = 0.0
    if v < n:
        ray[v] = direction
    for r in range(n):
        if W.basic[r] < n:
            ray[int(W.basic[r])] = direction * W.rate[r]


@kernel
def read_point(problem, active, W, z, beta):
    """z <- values of the tableau; a z at a bound equals it exactly."""
    n = problem.n
    for i in range(n):
        if active[i] == DEPENDS:
            active[i] = 0
            z[i] = W.start[i] * beta / W.scale[i]
        if active[i] != 0:
            z[i] = problem.lower[i] if active[i] < 0 else problem.upper[i]
    for r in range(n):
        i = int(W.basic[r])
        if i < n:
            z[i] = W.value[r] * beta / W.scale[i]
