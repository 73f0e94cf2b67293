"""Block principal pivoting of a dense problem: all offending rows change state at once.

The first two stages of ``direct``, which defines the states.
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.compiled.workspace import Workspace, part, within
from mlcp.jit import kernel
from mlcp.kernels.codes import DOUBTFUL, FAILED, ITERATION_LIMIT, LATE, SOLVED
from mlcp.kernels.deadline import is_late
from mlcp.kernels.dense_problem import Limits
from mlcp.kernels.free_rows import FreeWork, eliminate, solve_eliminated
from mlcp.kernels.one_row import SizeWork
from mlcp.kernels.parametric import parametric
from mlcp.kernels.residual import settle, size_rows

TOLERANCE = 1e-12  # on the residual; one hundredth of the default tolerance
PATIENCE = 4  # block exchanges without progress before the parametric path takes over
PATHS = 3  # parametric paths tried in one stage
LARGE = 1e-10  # round-off of the largest z, relative to beta, above which a result is DOUBTFUL

NOWHERE = 2  # instead of a side: no state is right for the row


class PivotWork(Workspace, sizes="n"):
    """Scratch of pivoting; ``FreeWork`` and ``SizeWork`` within."""

    free = within(FreeWork, "the free rows' equations, or the tableau of the parametric path")
    sizes = within(SizeWork, "w and sizes of the rows")
    change = part("n", "next state of an offending row, 2 if there is none")
    centre = part("n", "of the proximal problem")
    state = part("n", "active set of the last proximal problem")
    near = part("n", "its z")
    doubt = part("n", "best z so far of the problem as it is")
    value = part("n", "of the tableau's rows on the parametric path; A z + b meanwhile")
    slope = part("n", "how they change with its parameter")


@kernel
def add_products(problem, z, total, symmetric):
    """total <- b + A z, each row's terms one after the other; of a symmetric A many rows at once."""
    A, b, n = problem.A, problem.b, problem.n
    for i in range(n):
        total[i] = b[i]
    if symmetric:
        for j in range(n):
            own = z[j]
            for i in range(n):
                total[np.uint64(i)] += A[np.uint64(j), np.uint64(i)] * own
        return
    for i in range(n):
        w = b[i]
        for j in range(n):
            w += A[i, j] * z[j]
        total[i] = w


@kernel
def free_pass(problem, z, active, W, delta, symmetric):
    """Put bounded rows on their bounds, solve the free ones for w = 0; returns (free, rank)."""
    n = problem.n
    diagonal, order, x, centre, total = W.free.diagonal, W.free.order, W.free.x, W.centre, W.value
    f = 0
    for i in range(n):
        if active[i] < 0:
            z[i] = problem.lower[i]
        elif active[i] > 0:
            z[i] = problem.upper[i]
        else:
            order[f] = i
            f += 1
    rank = eliminate(problem.A, f, W.free, delta, symmetric)
    worst, least = math.inf, 0.0
    for sweep in range(3):  # a solve and at most two refinements
        residual = 0.0
        add_products(problem, z, total, symmetric)
        for r in range(f):
            i = int(order[r])
            w = total[i]
            w += delta * diagonal[i] * (z[i] - centre[i])
            x[r] = -w
            if r < rank:
                residual = max(residual, abs(w) / math.sqrt(diagonal[i]))
        if sweep > 0 and (residual <= least or residual > 0.5 * worst):
            break
        worst = residual
        solve_eliminated(f, rank, W.free)
        zmax = 0.0
        for r in range(f):
            i = int(order[r])
            z[i] += x[r]
            zmax = max(zmax, abs(z[i]) * math.sqrt(diagonal[i]))
        least = 1e-15 * zmax  # as good as rounding allows: no refinement below
    return f, rank


@kernel
def mark_offending(problem, z, active, W, delta, dependent):
    """W.change <- the state that each row should take, 0 for those that are right; how many are not.

    Dependent free rows keep their z; one that is left with w != 0 contradicts the others and must go
    to the bound that w pushes it to.
    """
    lower, upper, n = problem.lower, problem.upper, problem.n
    diagonal, sizes, centre = W.free.diagonal, W.sizes, W.centre
    offending = 0
    for i in range(n):
        w = sizes.w[i]
        scale = math.sqrt(diagonal[i])
        terms = sizes.terms[i] / scale + delta * scale * abs(z[i])
        tau = TOLERANCE * sizes.size[i] + 4e-16 * n * terms
        state = active[i]
        change = 0
        if state == 0:
            if z[i] < lower[i] - tau / scale:
                change = -1
            elif z[i] > upper[i] + tau / scale:
                change = 1
            elif dependent:
                w += delta * diagonal[i] * (z[i] - centre[i])
                if w > 100.0 * tau * scale and lower[i] > -math.inf:
                    change = -1
                elif w < -100.0 * tau * scale and upper[i] < math.inf:
                    change = 1
                elif abs(w) > 100.0 * tau * scale:
                    change = NOWHERE
        elif lower[i] < upper[i]:
            w += delta * diagonal[i] * (z[i] - centre[i])
            if state * w > tau * scale:
                change = -state
        W.change[i] = change
        if change != 0:
            offending += 1
    return offending


@kernel
def exchange_marked(active, W, n):
    """Change the states of the marked rows; False if none can."""
    moved = False
    for i in range(n):
        change = int(W.change[i])
        if change != 0 and change != NOWHERE:
            active[i] = change if active[i] == 0 else 0
            moved = True
    return moved


@kernel
def pivot(problem, z, active, W, beta, delta, symmetric, limits):
    """Block principal pivoting, with the parametric path if it cycles; returns (code, pivots).

    After SOLVED and DOUBTFUL, W.sizes is of the z found.

    Source: Judice & Pires, Basic-set algorithm for a generalized linear complementarity problem,
        J. Optim. Theory Appl. 74 (1992).
    Differs from the source: the fallback is the parametric path, not the least-index rule.
    """
    n, most = problem.n, limits.most
    fewest = n + 1
    patience = PATIENCE
    paths, more = PATHS, 0
    for it in range(most):
        free, rank = free_pass(problem, z, active, W, delta, symmetric)
        zmax = 0.0
        for i in range(n):
            zmax = max(zmax, abs(z[i]) * math.sqrt(W.free.diagonal[i]))
        if not zmax < math.inf:
            return FAILED, it + more + 1
        size_rows(problem, z, W.sizes, 0.0)
        offending = mark_offending(problem, z, active, W, delta, rank < free)
        if offending == 0:
            moved = clip_to_box(problem, z, z)
            moved |= settle(problem, z, W.sizes)
            if moved:
                size_rows(problem, z, W.sizes, 0.0)
            return (SOLVED if 4e-16 * n * zmax <= LARGE * beta else DOUBTFUL), it + more + 1
        if is_late(limits.deadline):
            return LATE, it + more + 1
        if offending < fewest:
            fewest = offending
            patience = PATIENCE
        else:
            patience -= 1
        if patience < 0:
            # Dependent rows: no P-matrix, and the path would meet a zero pivot.
            if rank < free or paths == 0 or it + more >= most:
                return ITERATION_LIMIT, it + more + 1
            left = Limits(limits.tolerance, most - it - more, limits.deadline, limits.least)
            _end, steps = parametric(problem, z, active, W, delta, left)
            more += steps
            paths -= 1
            fewest, patience = n + 1, PATIENCE
        elif not exchange_marked(active, W, n):
            return FAILED, it + more + 1
    return ITERATION_LIMIT, most + more


@kernel
def clip_to_box(problem, of, z):
    """z <- of, clipped into the bounds; True if z has changed."""
    changed = False
    for i in range(problem.n):
        last, z[i] = z[i], min(max(of[i], problem.lower[i]), problem.upper[i])
        changed |= z[i] != last
    return changed
