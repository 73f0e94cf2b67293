"""Lemke's path for boxes: one dense tableau, complementary pivots, a covering vector in every row.

Tableau and variables are those of ``lemke_table``. At t = 1 the covering vector d puts all basic
variables inside their bounds. Then t falls until a basic variable reaches its bound and leaves; the
other variable of its pair enters, and so on, until t itself leaves at zero, at a solution. If the path
ends in a ray instead and A is positive semidefinite or copositive, the ray's direction proves that no
solution exists (``certificate``). The path ends for P-matrices, positive semidefinite matrices,
symmetric or not, and saddle points.

Before the path, z of the free rows become basic (``lemke_free``). W is a ``LemkeWork``, the tableau.
Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 4.4; bounds on both
    sides as in Sargent, An efficient implementation of the Lemke algorithm, Math. Program. 7 (1978).
Differs from the source: the path starts from any active set; of several variables that reach their
    bounds together, the one with the largest pivot leaves (Harris, Math. Program. 5, 1973).
"""

import math

from mlcp.jit import kernel
from mlcp.kernels.codes import INFEASIBLE, ITERATION_LIMIT, OUT_OF_TIME, SOLVED
from mlcp.kernels.deadline import deadline_passed
from mlcp.kernels.dense.face_sides import GOLDEN
from mlcp.kernels.dense.lemke_free import DEPENDS
from mlcp.kernels.dense.lemke_table import NEGLIGIBLE_PIVOT, move, pivot_at, side_of, take_column


@kernel
def set_limits(W, r, active, n):
    """Write the bounds of the variable that is basic in row r to W.low[r] and W.high[r]."""
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
    """Set the bounds of all basic variables; return the largest violation of a bound, 0 for
    round-off."""
    worst, largest = 0.0, 0.0
    for r in range(n):
        set_limits(W, r, active, n)
        worst = max(worst, max(W.low[r] - W.value[r], W.value[r] - W.high[r]))
        largest = max(largest, abs(W.value[r]))
    return worst if worst > 1e-15 * largest else 0.0


@kernel
def cover(W, worst, n):
    """Set the last column to a vector that puts all basic variables in their bounds at t = 1.

    W.value gets the values of the basic variables at t = 1. worst: largest violation of a bound.
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
    """Distance of the basic variable of row r from its bound in the direction of ``rate``."""
    return W.value[r] - W.low[r] if rate < 0.0 else W.high[r] - W.value[r]


@kernel
def first_row(W, direction, least, wider, room, n):
    """Return (row, step) of the basic variable that reaches its bound first; |rate| <= ``least`` is 0.

    Row -1: the entering variable reaches its other bound first, after ``room``. Bounds are widened by
    ``wider``: of the variables that reach their bounds before the first widened bound, t leaves; if t is
    not one of them, the variable of the largest rate leaves.
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
    """Follow the path from t = 1 to t = 0; return (code, pivots, column and direction of a ray).

    INFEASIBLE: the path ends in a ray, whose direction is still to be checked. wider: see ``first_row``.
    """
    column, direction, room = n, -1.0, 1.0
    for pivot in range(limits.most):
        if deadline_passed(limits.deadline):
            return OUT_OF_TIME, pivot, -1, 0.0
        least = NEGLIGIBLE_PIVOT * take_column(W, column, n)
        row, step = first_row(W, direction, least, wider, room, n)
        if not step < math.inf:
            return INFEASIBLE, pivot, column, direction
        move(W, direction * step, n)
        v = int(W.outside[column])
        if row < 0:
            if v == 2 * n:
                return SOLVED, pivot, -1, 0.0
            i, active[v] = v, -active[v]  # z moves from one of its bounds to the other
        else:
            last = 1.0 if v == 2 * n else 0.0
            if v < n:
                last = side_of(W, v, active)
                active[v] = 0
            gone, fell = int(W.basic[row]), direction * W.rate[row] < 0.0
            pivot_at(W, row, column, n)
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
    """Write to ``ray`` (n,) the direction of z in scaled rows, as the variable of ``column`` moves."""
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
    """Read z from the tableau in the problem's units; a z at a bound gets exactly the bound."""
    n = problem.n
    for i in range(n):
        if active[i] == DEPENDS:
            z[i] = W.start[i] * beta / W.scale[i]
        elif active[i] != 0:
            z[i] = problem.lower[i] if active[i] < 0 else problem.upper[i]
    for r in range(n):
        i = int(W.basic[r])
        if i < n:
            z[i] = W.value[r] * beta / W.scale[i]
