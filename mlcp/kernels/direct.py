"""Exact pivoting for boxed mixed complementarity problems of any shape, dense.

The state is the active set: every row is at its lower bound (-1), free (0) or at its upper bound
(+1). A state is a solution when the free rows, solved for w = 0, stay within their bounds and the
rows at a bound have w of the right sign. Three stages, each starting from the last one's state:

1. Block principal pivoting: all offending rows change state at once. A warm start is its first try.
2. When the number of offending rows has not fallen for a while, the parametric path, one principal
   pivot at a time. It ends for every P-matrix (``parametric``); stage 1 then confirms its end.
3. If A is singular and that did not end, the proximal point iteration: the same pivoting on
   A + delta D with b - delta D z_k. A positive semidefinite A makes every such matrix positive
   definite, so each inner solve ends; a problem without solution shows in z_k+1 - z_k, which then
   tends to a direction proving that there is none (``infeasible_direction``).
"""

from __future__ import annotations

import math

from mlcp.compiled.workspace import Workspace, part, within
from mlcp.jit import kernel
from mlcp.kernels.certificate import NOISE, infeasible_direction, way_left
from mlcp.kernels.codes import DOUBTFUL, FAILED, INFEASIBLE, ITERATION_LIMIT, LATE, SOLVED
from mlcp.kernels.deadline import is_late
from mlcp.kernels.dense_problem import Limits
from mlcp.kernels.free_rows import FreeWork, eliminate, solve_eliminated, symmetric_matrix
from mlcp.kernels.parametric import parametric
from mlcp.kernels.residual import SizeWork, bias_scale, natural_residual, size_rows

TOLERANCE = 1e-12  # on the residual; one hundredth of what a solved problem must show
ACCEPTED = 2e-11  # residual accepted when rounding keeps TOLERANCE out of reach
PATIENCE = 4  # block exchanges without progress before the parametric path takes over
PATHS = 3  # parametric paths tried in one stage
PROXIMAL = 1e-8  # delta of the proximal point iteration, relative to the diagonal
HEAVIEST = 1e-3  # delta after which it grows no more
OUTER = 40  # proximal iterations
STEADY = 1e-2  # change of w on a proximal step, relative to what it would be with A = delta D
LARGE = 1e-10  # round-off of the largest z, relative to beta, above which a result is DOUBTFUL

NOWHERE = 2  # instead of a side: no state is right for the row
AS_IS, NEAR, TRIAL = 0, 1, 2  # stages: the problem, a proximal one, the problem again


class PivotWork(Workspace, sizes="n"):
    """What pivoting keeps; ``FreeWork`` and ``SizeWork`` within."""

    free = within(FreeWork, "the free rows' equations, or the tableau of the parametric path")
    sizes = within(SizeWork, "w and what rows are judged by")
    change = part("n", "the state that an offending row should take, 2 if there is none")
    centre = part("n", "of the proximal problem")
    state = part("n", "active set of the last proximal problem")
    near = part("n", "its z")
    doubt = part("n", "best z so far of the problem as it is")
    value = part("n", "of the tableau's rows on the parametric path")
    slope = part("n", "how they change with its parameter")


@kernel
def free_pass(problem, z, active, W, delta, symmetric):
    """Put bounded rows on their bounds, solve the free ones for w = 0; returns (free, rank)."""
    A, n = problem.A, problem.n
    diagonal, order, x, centre = W.free.diagonal, W.free.order, W.free.x, W.centre
    f = 0
    for i in range(n):
        if active[i] < 0:
            z[i] = problem.lower[i]
        elif active[i] > 0:
            z[i] = problem.upper[i]
        else:
            order[f] = i
            f += 1
    rank = eliminate(A, f, W.free, delta, symmetric)
    worst, least = math.inf, 0.0
    for sweep in range(3):  # a solve and at most two refinements
        residual = 0.0
        for r in range(f):
            i = int(order[r])
            w = problem.b[i]
            for j in range(n):
                w += A[i, j] * z[j]
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
    """Let the marked rows change state; False if none can."""
    moved = False
    for i in range(n):
        change = int(W.change[i])
        if change != 0 and change != NOWHERE:
            active[i] = change if active[i] == 0 else 0
            moved = True
    return moved


@kernel
def pivot(problem, z, active, W, beta, delta, symmetric, limits):
    """Block principal pivoting, the parametric path where it goes round; returns (code, pivots).

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
            clip_to_box(problem, z, z)
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
    """z <- of, clipped into the bounds."""
    for i in range(problem.n):
        z[i] = min(max(of[i], problem.lower[i]), problem.upper[i])


@kernel
def sides_of(problem, z, active):
    """active <- -1 where z is at its lower bound, +1 at its upper one, 0 elsewhere."""
    for i in range(problem.n):
        active[i] = 0
        if z[i] <= problem.lower[i]:
            active[i] = -1
        elif z[i] >= problem.upper[i]:
            active[i] = 1


@kernel
def start_state(problem, z, active, W):
    """Make the start lie in the box and the states possible; fill the rows' scales (a_ii).

    Returns: max |b_i| in rows of these scales, at most ``bias_scale``.
    """
    A, lower, upper, n = problem.A, problem.lower, problem.upper, problem.n
    beta = 0.0
    for i in range(n):
        ref = abs(A[i, i])
        if ref == 0.0:
            # A row that does not see itself: the scale of its coupling through the others.
            for j in range(n):
                if A[j, j] != 0.0:
                    ref = max(ref, abs(A[i, j] * A[j, i] / A[j, j]))
                else:
                    ref = max(ref, math.sqrt(abs(A[i, j] * A[j, i])))
            if ref == 0.0:
                ref = 1.0
        W.free.diagonal[i] = ref
        beta = max(beta, abs(problem.b[i]) / math.sqrt(ref))
        if lower[i] == upper[i]:
            active[i] = -1
        elif (active[i] < 0 and lower[i] == -math.inf) or (active[i] > 0 and upper[i] == math.inf):
            active[i] = 0
        if not abs(z[i]) < math.inf:
            z[i] = 0.0
        z[i] = min(max(z[i], lower[i]), upper[i])
    return min(beta, bias_scale(problem)) if beta > 0.0 else 1.0


@kernel
def walk_on(problem, z, W, weight):
    """z <- as far as the box allows from the centre through z, if w does not change on that way.

    Where bounds are far off, proximal steps towards them would be many.
    """
    lower, upper, n, centre = problem.lower, problem.upper, problem.n, W.centre
    length = 0.0
    for i in range(n):
        length = max(length, abs(z[i] - centre[i]) * math.sqrt(W.free.diagonal[i]))
    more = math.inf
    for i in range(n):
        step = z[i] - centre[i]
        scale = math.sqrt(W.free.diagonal[i])
        change = 0.0
        for j in range(n):
            change += problem.A[i, j] * (z[j] - centre[j])
        if not abs(change) <= STEADY * weight * length * scale:
            return
        if abs(step) * scale > NOISE * length:
            more = min(more, way_left(z[i], step, lower[i], upper[i]))
    if not 1.0 < more < math.inf:
        return
    for i in range(n):
        step = z[i] - centre[i]
        if abs(step) * math.sqrt(W.free.diagonal[i]) > NOISE * length:
            z[i] = min(max(z[i] + more * step, lower[i]), upper[i])


@kernel
def direct(problem, z, active, work, limits):
    """Solve w = A z + b, lower <= z <= upper, w complementary, by exact pivoting.

    Arguments:
        problem: a ``dense_problem.Problem``.
        z (N,): result; on entry the values that dependent free rows keep.
        active (N,) int64: -1 at lower, 0 free, +1 at upper; warm start and result.
        work: float64, at least ``PivotWork.length(n)`` long.
        limits: ``most`` of the factorisations and of the path's pivots of each stage; deadline.
    Returns: (code, pivots): SOLVED, ITERATION_LIMIT, INFEASIBLE (proven by a direction), FAILED or LATE;
        after a failure z is the best point known, to be judged by its residual.

    More than 60 lines, being one loop with one call of ``pivot``, whose stages share what has been
    found: the problem as it is; then in turn a proximal problem and, from its active set, the problem
    as it is again.
    """
    n, W = problem.n, PivotWork(work, problem.n)
    beta = start_state(problem, z, active, W)
    symmetric = symmetric_matrix(problem.A, n)
    for i in range(n):
        W.centre[i] = z[i]
    stage, weight = AS_IS, PROXIMAL
    doubtful, best, residual = math.inf, math.inf, math.inf
    total, outer = 0, 0
    while True:
        # Nearly always a handful of factorisations; if not, the proximal stage must end it.
        most = limits.most
        if stage == AS_IS:
            most = min(most, 100 + 10 * n)
        elif stage == TRIAL:
            most = 2
        delta = weight if stage == NEAR else 0.0
        ends = Limits(limits.tolerance, most, limits.deadline, limits.least)
        code, pivots = pivot(problem, z, active, W, beta, delta, symmetric, ends)
        total += pivots
        if code == LATE:
            break
        if stage != NEAR and (code == SOLVED or code == DOUBTFUL):
            # Right signs are not yet a small residual where a row hardly sees itself.
            near = natural_residual(problem, z, W.sizes)
            if near <= ACCEPTED and (code == SOLVED or stage == AS_IS):
                return SOLVED, total
            if near < doubtful:
                doubtful = near
                for i in range(n):
                    W.doubt[i] = z[i]
        if stage == AS_IS:
            clip_to_box(problem, W.centre, z)
        elif stage == NEAR:
            clip_to_box(problem, z, z)
            residual = natural_residual(problem, z, W.sizes)
            if residual <= TOLERANCE:
                return SOLVED, total
            if (code != SOLVED and code != DOUBTFUL) or residual == math.inf:
                if residual <= ACCEPTED:
                    return SOLVED, total
                if weight > HEAVIEST:
                    break
                # Pivots of size delta cost digits: a heavier term is solved with certainty, but
                # the proximal points come closer more slowly.
                weight *= 100.0
                for i in range(n):
                    z[i] = W.centre[i]
                sides_of(problem, z, active)
                outer = min(outer + 1, OUTER)
                continue
            for i in range(n):
                W.state[i] = active[i]
                W.near[i] = z[i]
            stage = TRIAL
            continue
        else:
            for i in range(n):
                active[i] = int(W.state[i])
                z[i] = W.near[i]
            if infeasible_direction(problem, z, W.centre, W.free.x, beta):
                return INFEASIBLE, total
            if residual < 0.9 * best:
                best = residual
            elif residual <= ACCEPTED:
                return SOLVED, total
            else:
                walk_on(problem, z, W, weight)
        if outer >= OUTER:
            code = SOLVED if best <= ACCEPTED else ITERATION_LIMIT
            break
        for i in range(n):
            W.centre[i] = z[i]
        outer += 1
        stage = NEAR
    for i in range(n):
        if not abs(z[i]) < math.inf:
            z[i] = min(max(0.0, problem.lower[i]), problem.upper[i])
    if code != SOLVED and doubtful < math.inf:
        if not natural_residual(problem, z, W.sizes) <= doubtful:
            for i in range(n):
                z[i] = W.doubt[i]
    return code, total
