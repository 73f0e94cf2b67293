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

from mlcp.jit import kernel
from mlcp.kernels.certificate import NOISE, infeasible_direction, way_left
from mlcp.kernels.deadline import is_late
from mlcp.kernels.elimination import eliminate, solve_eliminated, symmetric_matrix
from mlcp.kernels.parametric import parametric
from mlcp.kernels.residual import bias_scale, natural_residual, size_rows

SOLVED = 0
PIVOT_LIMIT = 1
INFEASIBLE = 2
FAILED = 3
LATE = 5  # the deadline has passed
DOUBTFUL = 4  # no offending row, but z so large that the signs of w mean little

TOLERANCE = 1e-12  # on the residual; one hundredth of what a solved problem must show
ACCEPTED = 2e-11  # residual accepted when rounding keeps TOLERANCE out of reach
PATIENCE = 4  # block exchanges without progress before the parametric path takes over
PATHS = 3  # parametric paths tried in one stage
PROXIMAL = 1e-8  # delta of the proximal point iteration, relative to the diagonal
HEAVIEST = 1e-3  # delta after which it grows no more
OUTER = 40  # proximal iterations
STEADY = 1e-2  # change of w on a proximal step, relative to what it would be with A = delta D
LARGE = 1e-10  # round-off of the largest z, relative to beta, above which a result is DOUBTFUL

AS_IS, NEAR, TRIAL = 0, 1, 2  # stages: the problem, a proximal one, the problem again


@kernel
def direct_work_size(n):
    """Length of the float64 work array that ``direct`` needs for n rows."""
    return n * n + 13 * n


@kernel
def free_pass(A, b, lower, upper, z, active, n, delta, work, symmetric):
    """Put bounded rows on their bounds, solve the free ones for w = 0; returns (free, rank)."""
    o_ref, o_w, o_x = n * n, n * n + n, n * n + 2 * n
    o_centre, o_order = n * n + 3 * n, n * n + 4 * n
    f = 0
    for i in range(n):
        if active[i] < 0:
            z[i] = lower[i]
        elif active[i] > 0:
            z[i] = upper[i]
        else:
            work[o_order + f] = i
            f += 1
    rank = eliminate(A, n, delta, f, work, o_ref, o_order, symmetric)
    worst = math.inf
    for sweep in range(3):  # a solve and at most two refinements
        residual = 0.0
        for r in range(f):
            i = int(work[o_order + r])
            w = b[i]
            for j in range(n):
                w += A[i, j] * z[j]
            w += delta * work[o_ref + i] * (z[i] - work[o_centre + i])
            work[o_x + r] = -w
            if r < rank:
                residual = max(residual, abs(w) / math.sqrt(work[o_ref + i]))
        if sweep > 0 and (residual <= work[o_w] or residual > 0.5 * worst):
            break
        worst = residual
        solve_eliminated(f, rank, work, o_x)
        zmax = 0.0
        for r in range(f):
            i = int(work[o_order + r])
            z[i] += work[o_x + r]
            zmax = max(zmax, abs(z[i]) * math.sqrt(work[o_ref + i]))
        work[o_w] = 1e-15 * zmax  # as good as rounding allows: no refinement below
    return f, rank


@kernel
def pivot(A, b, lower, upper, z, active, n, beta, delta, work, max_pivots, symmetric, deadline):
    """Block principal pivoting, the parametric path where it goes round; returns (code, pivots).

    Source: Judice & Pires, Basic-set algorithm for a generalized linear complementarity problem,
        J. Optim. Theory Appl. 74 (1992).
    Differs from the source: the fallback is the parametric path, not the least-index rule.
    """
    o_ref, o_w, o_x, o_centre = n * n, n * n + n, n * n + 2 * n, n * n + 3 * n
    o_sizes = n * n + 9 * n  # w, the sizes, (scratch), the sums of the terms' magnitudes
    fewest = n + 1
    patience = PATIENCE
    paths, more = PATHS, 0
    for it in range(max_pivots):
        free, rank = free_pass(A, b, lower, upper, z, active, n, delta, work, symmetric)
        zmax = 0.0
        for i in range(n):
            zmax = max(zmax, abs(z[i]) * math.sqrt(work[o_ref + i]))
        if not zmax < math.inf:
            return FAILED, it + more + 1
        size_rows(A, b, lower, upper, z, n, work, o_sizes, 0.0)
        # Count the offending rows; w of each row is kept for the exchange.
        offending = 0
        for i in range(n):
            w = work[o_sizes + i]
            scale = math.sqrt(work[o_ref + i])
            terms = work[o_sizes + 3 * n + i] / scale + delta * scale * abs(z[i])
            tau = TOLERANCE * work[o_sizes + n + i] + 4e-16 * n * terms
            state = active[i]
            change = 0
            if state == 0:
                if z[i] < lower[i] - tau / scale:
                    change = -1
                elif z[i] > upper[i] + tau / scale:
                    change = 1
                elif rank < free:
                    # Dependent rows keep their z; one that is left with w != 0 contradicts the
                    # others and must go to the bound that w pushes it to.
                    w += delta * work[o_ref + i] * (z[i] - work[o_centre + i])
                    if w > 100.0 * tau * scale and lower[i] > -math.inf:
                        change = -1
                    elif w < -100.0 * tau * scale and upper[i] < math.inf:
                        change = 1
                    elif abs(w) > 100.0 * tau * scale:
                        change = 2  # nowhere to go
            elif lower[i] < upper[i]:
                w += delta * work[o_ref + i] * (z[i] - work[o_centre + i])
                if state * w > tau * scale:
                    change = -state
            work[o_w + i] = change
            if change != 0:
                offending += 1
        if offending == 0:
            for i in range(n):
                z[i] = min(max(z[i], lower[i]), upper[i])
            return (SOLVED if 4e-16 * n * zmax <= LARGE * beta else DOUBTFUL), it + more + 1
        if is_late(deadline):
            return LATE, it + more + 1
        if offending < fewest:
            fewest = offending
            patience = PATIENCE
        else:
            patience -= 1
        if patience < 0:
            # Dependent rows: no P-matrix, and the path would meet a zero pivot.
            if rank < free or paths == 0 or it + more >= max_pivots:
                return PIVOT_LIMIT, it + more + 1
            _end, steps = parametric(
                A, b, lower, upper, z, active, n, delta, work, o_ref, o_w, o_x, o_centre,
                max_pivots - it - more, deadline,
            )  # fmt: skip
            more += steps
            paths -= 1
            fewest, patience = n + 1, PATIENCE
            continue
        moved = False
        for i in range(n):
            change = int(work[o_w + i])
            if change == 0 or change == 2:
                continue
            active[i] = change if active[i] == 0 else 0
            moved = True
        if not moved:
            return FAILED, it + more + 1
    return PIVOT_LIMIT, max_pivots + more


@kernel
def start_state(A, b, lower, upper, z, active, n, work):
    """Make the start lie in the box and the states possible; fill the rows' scales (a_ii).

    Returns: max |b_i| in rows of these scales, at most ``bias_scale``.
    """
    o_ref = n * n
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
        work[o_ref + i] = ref
        beta = max(beta, abs(b[i]) / math.sqrt(ref))
        if lower[i] == upper[i]:
            active[i] = -1
        elif (active[i] < 0 and lower[i] == -math.inf) or (active[i] > 0 and upper[i] == math.inf):
            active[i] = 0
        if not abs(z[i]) < math.inf:
            z[i] = 0.0
        z[i] = min(max(z[i], lower[i]), upper[i])
    return min(beta, bias_scale(A, b, n)) if beta > 0.0 else 1.0


@kernel
def walk_on(A, z, lower, upper, n, work, o_centre, weight):
    """z <- as far as the box allows from the centre through z, if w does not change on that way.

    Where bounds are far off, proximal steps towards them would be many.
    """
    o_ref = n * n
    length = 0.0
    for i in range(n):
        length = max(length, abs(z[i] - work[o_centre + i]) * math.sqrt(work[o_ref + i]))
    more = math.inf
    for i in range(n):
        step = z[i] - work[o_centre + i]
        scale = math.sqrt(work[o_ref + i])
        change = 0.0
        for j in range(n):
            change += A[i, j] * (z[j] - work[o_centre + j])
        if not abs(change) <= STEADY * weight * length * scale:
            return
        if abs(step) * scale > NOISE * length:
            more = min(more, way_left(z[i], step, lower[i], upper[i]))
    if not 1.0 < more < math.inf:
        return
    for i in range(n):
        step = z[i] - work[o_centre + i]
        if abs(step) * math.sqrt(work[o_ref + i]) > NOISE * length:
            z[i] = min(max(z[i] + more * step, lower[i]), upper[i])


@kernel
def direct(A, b, lower, upper, z, active, n, work, max_pivots, deadline):
    """Solve w = A z + b, lower <= z <= upper, w complementary, by exact pivoting.

    Arguments:
        A (N, N), b, lower, upper (N,): the problem; only the leading n are read.
        z (N,): result; on entry the values that dependent free rows keep.
        active (N,) int64: -1 at lower, 0 free, +1 at upper; warm start and result.
        work: float64, at least ``direct_work_size(n)`` long.
        max_pivots: limit on the factorisations and on the path's pivots of each stage.
        deadline: time of ``clock`` at which to give up; inf for none.
    Returns: (code, pivots): SOLVED, PIVOT_LIMIT, INFEASIBLE (proven by a direction), FAILED or LATE;
        after a failure z is the best point known, to be judged by its residual.
    """
    beta = start_state(A, b, lower, upper, z, active, n, work)
    symmetric = symmetric_matrix(A, n)
    o_x, o_centre = n * n + 2 * n, n * n + 3 * n
    o_state, o_z, o_doubt = n * n + 5 * n, n * n + 6 * n, n * n + 8 * n
    o_sizes = n * n + 9 * n
    for i in range(n):
        work[o_centre + i] = z[i]
    # One loop with one call of ``pivot``, so that its code is compiled once: the problem as it
    # is; then in turn a proximal problem and, from its active set, the problem as it is again.
    stage = AS_IS
    weight = PROXIMAL
    doubtful = math.inf
    best = math.inf
    residual = math.inf
    total = 0
    outer = 0
    while True:
        # Nearly always a handful of factorisations; if not, the proximal stage must end it.
        limit = max_pivots
        if stage == AS_IS:
            limit = min(max_pivots, 100 + 10 * n)
        elif stage == TRIAL:
            limit = 2
        delta = weight if stage == NEAR else 0.0
        code, pivots = pivot(
            A, b, lower, upper, z, active, n, beta, delta, work, limit, symmetric, deadline
        )
        total += pivots
        if code == LATE:
            break
        if stage != NEAR and (code == SOLVED or code == DOUBTFUL):
            # Right signs are not yet a small residual where a row hardly sees itself.
            near = natural_residual(A, b, lower, upper, z, n, work, o_sizes)
            if near <= ACCEPTED and (code == SOLVED or stage == AS_IS):
                return SOLVED, total
            if near < doubtful:
                doubtful = near
                for i in range(n):
                    work[o_doubt + i] = z[i]
        if stage == AS_IS:
            for i in range(n):
                z[i] = min(max(work[o_centre + i], lower[i]), upper[i])
        elif stage == NEAR:
            for i in range(n):
                z[i] = min(max(z[i], lower[i]), upper[i])
            residual = natural_residual(A, b, lower, upper, z, n, work, o_sizes)
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
                    z[i] = work[o_centre + i]
                    active[i] = 0
                    if z[i] <= lower[i]:
                        active[i] = -1
                    elif z[i] >= upper[i]:
                        active[i] = 1
                outer = min(outer + 1, OUTER)
                continue
            for i in range(n):
                work[o_state + i] = active[i]
                work[o_z + i] = z[i]
            stage = TRIAL
            continue
        else:
            for i in range(n):
                active[i] = int(work[o_state + i])
                z[i] = work[o_z + i]
            if infeasible_direction(A, b, lower, upper, z, n, work, o_centre, o_x, beta):
                return INFEASIBLE, total
            if residual < 0.9 * best:
                best = residual
            elif residual <= ACCEPTED:
                return SOLVED, total
            else:
                walk_on(A, z, lower, upper, n, work, o_centre, weight)
        if outer >= OUTER:
            code = SOLVED if best <= ACCEPTED else PIVOT_LIMIT
            break
        for i in range(n):
            work[o_centre + i] = z[i]
        outer += 1
        stage = NEAR
    for i in range(n):
        if not abs(z[i]) < math.inf:
            z[i] = min(max(0.0, lower[i]), upper[i])
    if code != SOLVED and doubtful < math.inf:
        if not natural_residual(A, b, lower, upper, z, n, work, o_sizes) <= doubtful:
            for i in range(n):
                z[i] = work[o_doubt + i]
    return code, total
