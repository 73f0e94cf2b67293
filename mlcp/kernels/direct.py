"""Exact pivoting for boxed mixed complementarity problems of any shape, dense.

The state is the active set: every row is at its lower bound (-1), free (0) or at its upper bound
(+1). A state is a solution when the free rows, solved for w = 0, stay within their bounds and the
rows at a bound have w of the right sign. Three stages, each starting from the last one's state:

1. Block principal pivoting: all offending rows change state at once. A warm start is its first try.
2. When the number of offending rows has not fallen for a while, the parametric path, one principal
   pivot at a time. It ends for every P-matrix (``parametric``); stage 1 then confirms its end. Both
   are in ``block_pivoting``.
3. If A is singular and that did not end, the proximal point iteration: the same pivoting on
   A + delta D with b - delta D z_k. A positive semidefinite A makes every such matrix positive
   definite, so each inner solve ends; a problem without solution shows in z_k+1 - z_k, which then
   tends to a direction proving that there is none (``infeasible_direction``).
"""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.block_pivoting import TOLERANCE, PivotWork, clip_to_box, pivot
from mlcp.kernels.certificate import NOISE, proves_none, way_left
from mlcp.kernels.codes import DOUBTFUL, INFEASIBLE, ITERATION_LIMIT, LATE, SOLVED
from mlcp.kernels.dense_problem import Limits
from mlcp.kernels.free_rows import symmetric_matrix
from mlcp.kernels.residual import bias_scale, natural_residual, settled_residual, worst_of

ACCEPTED = 2e-11  # residual accepted when rounding keeps TOLERANCE out of reach
PROXIMAL = 1e-8  # delta of the proximal point iteration, relative to the diagonal
HEAVIEST = 1e-3  # largest delta
OUTER = 40  # proximal iterations
STEADY = 1e-2  # change of w on a proximal step, relative to that with A = delta D

AS_IS, NEAR, TRIAL = 0, 1, 2  # stages: the problem, a proximal one, the problem again


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
            # A row with a_ii = 0: the scale of its coupling through the others.
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
    """Move z from the centre through z as far as the box allows, if w does not change on the way.

    Saves many proximal steps towards distant bounds.
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

    More than 60 lines, being one loop with one call of ``pivot`` and stages that share results: the
    problem itself; then in turn a proximal problem and, from its active set, the problem itself again.
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
            # Right signs are not yet a small residual if a row's a_ii is tiny.
            near = worst_of(W.sizes, n)
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
            residual = settled_residual(problem, z, W.sizes)
            if residual <= TOLERANCE:
                return SOLVED, total
            if (code != SOLVED and code != DOUBTFUL) or residual == math.inf:
                if residual <= ACCEPTED:
                    return SOLVED, total
                if weight > HEAVIEST:
                    break
                # Pivots of size delta cost digits: a larger delta is solved reliably, but the
                # proximal points converge more slowly.
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
            for i in range(n):
                W.free.x[i] = z[i] - W.centre[i]
            if proves_none(problem, W.free.x, W.value, beta):
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
