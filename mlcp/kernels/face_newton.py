"""Newton steps in the faces of the box: the first method for dense problems.

From rest, a few sweeps of Gauss and Seidel find out roughly which rows are free. Then, over and over,
the free rows F head for the z at which their w vanishes, z_F - A_FF^-1 w_F.

- A symmetric: that is the minimiser of z'A z / 2 + b'z in their face of the box. Where the way meets
  a bound it goes on along it, to the first minimum, so that every step descends; then the rows at a
  bound that are not pushed against it are free.
- A not symmetric: the whole way; then all offending rows change sides at once. Where their number
  does not fall for a while, ``direct`` has the word.

A dependent row's pivot vanishes. From then on A_FF + RIDGE diag is factored, with which the steps are
those of a proximal iteration, whose fixed points are the same.
Source: Bertsekas, Projected Newton methods for optimization problems with simple constraints, SIAM J.
    Control Optim. 20 (1982); the search is that of More & Toraldo, SIAM J. Optim. 1 (1991), along
    Newton's way; Judice & Pires, Basic-set algorithm for a generalized linear complementarity
    problem, J. Optim. Theory Appl. 74 (1992).
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.compiled.workspace import Workspace, part, within
from mlcp.jit import kernel, summing
from mlcp.kernels.deadline import is_late
from mlcp.kernels.free_factor import (
    FactorWork,
    Floor,
    factor_of,
    factor_rows,
    join,
    leave,
    solve_factored,
)
from mlcp.kernels.residual import SizeWork, natural_residual

SWEEPS = 3  # of a symmetric problem; twice as many of others
SMALLEST = 1e-11  # pivot, of its row's own diagonal
RIDGE = 1e-9  # share of the diagonal that is added where a row is dependent
GOLDEN = 0.6180339887498949
ENOUGH = 1e-12  # residual, one hundredth of what a solved problem must show
CHANGES = 4  # an update costs as much as a new factor where one row in so many comes or goes
PATIENCE = 3  # times the rows that may change sides without fewer offending ones


class FaceWork(Workspace, sizes="n"):
    """What the steps keep."""

    sizes = within(SizeWork, "w and what rows are judged by")
    slot = part("n", "of every row in the factor, -1 if it has none")
    step = part("n", "the way of every row")
    rate = part("n", "A times it")
    far = part("n", "how much of the way leads to a row's bound")
    noise = part("n", "what is no sign of w")
    scale = part("n", "sqrt a_ii")
    factor = within(FactorWork, "of the free rows")


@summing
def product_both_ways(A, i, x, turned, n):
    """A[i] . x; turned += x[i] A[i]."""
    total, own = 0.0, x[i]
    for j in range(n):
        at = np.uint64(j)
        entry = A[np.uint64(i), at]
        total += entry * x[at]
        turned[at] += own * entry
    return total


@kernel
def seems_symmetric(A, W, n):
    """Whether A x = A' x, to 1e-12 of the rows' scales, for an x that has no pattern.

    One pass over A. What is taken for symmetric and is not costs time: z is judged by A itself.
    """
    x, way, back = W.far, W.step, W.rate
    size = 0.0
    for i in range(n):
        x[i] = 1.0 + (i * GOLDEN) % 1.0
        size += x[i] * W.scale[i]
        back[i] = 0.0
    for i in range(n):
        way[i] = product_both_ways(A, i, x, back, n)
    for i in range(n):
        if not abs(way[i] - back[i]) <= 1e-12 * size * W.scale[i]:
            return False
    return True


@kernel
def add_column(to, F, i, factor):
    """to += factor A[:, i]."""
    if F.symmetric:
        for c in range(F.n):
            to[np.uint64(c)] += factor * F.A[np.uint64(i), np.uint64(c)]
    else:
        for c in range(F.n):
            to[np.uint64(c)] += factor * F.turned[np.uint64(i * F.n + c)]


@kernel
def sweep(problem, z, w, F, backwards):
    """One sweep of projected Gauss-Seidel; w = A z + b follows."""
    n = problem.n
    for k in range(n):
        i = n - 1 - k if backwards else k
        new = min(max(z[i] - w[i] / problem.A[i, i], problem.lower[i]), problem.upper[i])
        if new != z[i]:
            add_column(w, F, i, new - z[i])
            z[i] = new


@kernel
def start(problem, z, F, W, cold):
    """z into the box; cold: near the solution, by sweeps from 0. W.sizes.w follows."""
    n, w = problem.n, W.sizes.w
    for i in range(n):
        w[i] = problem.b[i]
        W.slot[i] = -1.0
    for i in range(n):
        z[i] = min(max(0.0 if cold else z[i], problem.lower[i]), problem.upper[i])
        if z[i] != 0.0:
            add_column(w, F, i, z[i])
    if cold:
        for k in range(SWEEPS if F.symmetric else 2 * SWEEPS):
            sweep(problem, z, w, F, k % 2 == 1)


@kernel
def find_noise(problem, z, W):
    """W.noise <- the |w| that rounding makes of the largest z."""
    largest, scale = 0.0, W.scale
    for i in range(problem.n):
        own = abs(z[i]) * scale[i]
        largest = own if own > largest else largest
    largest *= 4e-16 * problem.n
    for i in range(problem.n):
        W.noise[i] = largest * scale[i] + 1e-14 * abs(problem.b[i])


@kernel
def take_sides(problem, z, active, W):
    """active <- the bound that a row is at and not pulled off, else 0; how many rows changed."""
    lower, upper, w, noise = problem.lower, problem.upper, W.sizes.w, W.noise
    changes = 0
    for i in range(problem.n):
        new = 0
        if z[i] <= lower[i] and (w[i] >= -noise[i] or lower[i] == upper[i]):
            new = -1
        elif z[i] >= upper[i] and w[i] <= noise[i]:
            new = 1
        if new != active[i]:
            changes += 1
        active[i] = new
    return changes


@kernel
def exchange_offending(problem, z, active, F, W):
    """Free rows beyond a bound go there, rows pulled off theirs are freed; how many there are."""
    lower, upper, w, noise = problem.lower, problem.upper, W.sizes.w, W.noise
    offending = 0
    for i in range(problem.n):
        margin = noise[i] / problem.A[i, i]
        if active[i] != 0:
            if active[i] * w[i] > noise[i] and lower[i] < upper[i]:
                active[i] = 0
                offending += 1
        elif z[i] < lower[i] - margin:
            active[i] = -1
            offending += 1
        elif z[i] > upper[i] + margin:
            active[i] = 1
            offending += 1
    for i in range(problem.n):
        bound = min(max(z[i], lower[i]), upper[i])
        if bound != z[i]:
            add_column(w, F, i, bound - z[i])
            z[i] = bound
    return offending


@kernel
def follow(problem, z, F, W):
    """z <- the first minimum on the way along W.step, bounds that are met being kept; w follows.

    Returns: (whether the end was reached, how many bounds were met).
    """
    lower, upper, n, w = problem.lower, problem.upper, problem.n, W.sizes.w
    step, rate, far = W.step, W.rate, W.far
    for i in range(n):
        far[i] = math.inf
        if step[i] > 0.0 and upper[i] < math.inf:
            far[i] = max(upper[i] - z[i], 0.0) / step[i]
        elif step[i] < 0.0 and lower[i] > -math.inf:
            far[i] = min(lower[i] - z[i], 0.0) / step[i]
    t, met, slope, bend = 0.0, 0, 0.0, 0.0
    for i in range(n):
        slope += w[i] * step[i]
        bend += rate[i] * step[i]
    while True:
        row = 0
        for i in range(n):
            if far[i] < far[row]:
                row = i
        if not slope < 0.0:
            return t > 0.999999 or met == 0, met
        end = min(far[row], 1.0)
        lowest = t - slope / bend if bend > 0.0 else math.inf
        length = min(lowest, end) - t
        for i in range(n):
            z[i] += length * step[i]
            w[i] += length * rate[i]
        if lowest <= end or end == 1.0:
            return min(lowest, end) > 0.999999, met
        t = end
        own = step[row]
        z[row] = upper[row] if own > 0.0 else lower[row]
        slope += length * bend - w[row] * own
        bend += own * (own * problem.A[row, row] - 2.0 * rate[row])
        far[row] = math.inf
        add_column(rate, F, row, -own)
        step[row] = 0.0
        met += 1


@summing
def product(A, i, x, n):
    """A[i] . x."""
    total = 0.0
    for j in range(n):
        total += A[np.uint64(i), np.uint64(j)] * x[np.uint64(j)]
    return total


@kernel
def head_for_zero(f, F, W, ridge):
    """W.step <- -(A_FF + ridge diag)^-1 w_F, W.rate <- A times it."""
    step, rate, row, x, w = W.step, W.rate, F.row, F.x, W.sizes.w
    for k in range(f):
        x[k] = -w[int(row[k])] if row[k] >= 0.0 else 0.0
    solve_factored(F, f)
    for i in range(F.n):
        step[i] = 0.0
    for k in range(f):
        if row[k] >= 0.0:
            step[int(row[k])] = x[k]
    if 4 * f < F.n:
        for i in range(F.n):
            rate[i] = 0.0
        for k in range(f):
            if row[k] >= 0.0:
                add_column(rate, F, int(row[k]), x[k])
        return
    for i in range(F.n):
        if W.slot[i] >= 0.0:
            rate[i] = -w[i] - ridge * F.A[i, i] * step[i]
        else:
            rate[i] = product(F.A, i, step, F.n)


@kernel
def collect(problem, z, active, W, symmetric):
    """The free rows into the slots; how many there are. Symmetric: those far from their bounds first."""
    n, row, slot, far = problem.n, W.factor.row, W.slot, W.far
    total, free = 0.0, 0
    for i in range(n):
        far[i] = min(z[i] - problem.lower[i], problem.upper[i] - z[i]) * W.scale[i]
        slot[i] = -1.0
        if active[i] == 0:
            total += min(far[i], abs(z[i]) * W.scale[i])
            free += 1
    f = 0
    mean = total / max(free, 1)
    for level in range(4):
        for i in range(n):
            near = 0
            if symmetric and not far[i] > 4.0 * mean:
                near = 1 if far[i] > mean else 2 if far[i] > 0.25 * mean else 3
            if active[i] == 0 and near == level:
                row[f], slot[i] = i, f
                f += 1
    return f


@kernel
def update(active, f, F, W, floor):
    """Rows leave and join the factor; the slots then, or -1 where that costs more than a new factor."""
    n, slot = F.n, W.slot
    changes, free = 0, 0
    for i in range(n):
        free += 1 if active[i] == 0 else 0
        changes += 1 if (active[i] == 0) != (slot[i] >= 0.0) else 0
    if f == 0 or changes * CHANGES > free or f + changes > n:
        return -1
    for i in range(n):
        if active[i] != 0 and slot[i] >= 0.0:
            leave(F, int(slot[i]), f)
            slot[i] = -1.0
    for i in range(n):
        if active[i] == 0 and slot[i] < 0.0:
            if not join(F, i, f, floor):
                return -1
            slot[i] = f
            f += 1
    return f


@kernel
def face_newton(problem, z, active, W, cold, limits):
    """Solve a dense problem: (steps, natural residual of z, inf where it is not done).

    Arguments:
        problem: a ``dense_problem.Problem``.
        z, active (n,): result; z also the start if not ``cold``.
        W: a ``FaceWork``; w = A z + b in W.sizes.w.
        limits: ``most`` steps; deadline.
    """
    n = problem.n
    for i in range(n):
        if not problem.A[i, i] > 0.0:
            return 0, math.inf
        W.scale[i] = math.sqrt(problem.A[i, i])
    F = factor_of(problem.A, n, W.factor, seems_symmetric(problem.A, W, n))
    start(problem, z, F, W, cold)
    find_noise(problem, z, W)
    take_sides(problem, z, active, W)
    f, floor, best, fewest, patience = 0, Floor(SMALLEST, 0.0), math.inf, n + 1, PATIENCE * n
    most = min(limits.most, 50 + 2 * n)
    for it in range(most):
        if is_late(limits.deadline):
            return it, math.inf
        f = update(active, f, F, W, floor)
        if f < 0:
            f = collect(problem, z, active, W, F.symmetric)
            if not factor_rows(F, f, floor):
                floor = Floor(0.01 * RIDGE, RIDGE)
                if not factor_rows(F, f, floor):
                    return it, math.inf
        head_for_zero(f, F, W, floor.ridge)
        if F.symmetric:
            arrived, met = follow(problem, z, F, W)
            find_noise(problem, z, W)
            offending = take_sides(problem, z, active, W)
            if not arrived or met > 0:
                continue
        else:
            for i in range(n):
                z[i] += W.step[i]
                W.sizes.w[i] += W.rate[i]
            find_noise(problem, z, W)
            offending = exchange_offending(problem, z, active, F, W)
            patience = PATIENCE * n if offending < fewest else patience - offending
            fewest = min(fewest, offending)
            if patience < 0:
                return it + 1, math.inf
        if offending == 0:
            residual = natural_residual(problem, z, W.sizes)
            if residual <= ENOUGH or not residual < 0.5 * best:
                return it + 1, residual
            best = residual
    return most, math.inf
