"""Lemke's path for problems on which Newton steps in faces have failed; repeated for a smaller residual.

1. The path of ``lemke`` from the given active set; the end point is refined by the inverse matrix in
   the tableau.
2. The path from the active set at the end of the first path: a new tableau has less round-off.
3. A proximal problem about the best point z, with A + delta D and b - delta D z, D = diag scale_i^2. It
   is regular for a positive semidefinite A. Then the problem itself from the proximal one's active set.

If a path ends in a ray, ``certificate`` checks whether its direction proves that no solution exists.
W is a ``PathWork``; scale and beta are those of ``scale_units``.
"""

import math

from mlcp.compiled.workspace import WorkArray, part, within
from mlcp.jit import kernel
from mlcp.kernels.certificate import proves_none
from mlcp.kernels.codes import INFEASIBLE, ITERATION_LIMIT, OUT_OF_TIME, SOLVED
from mlcp.kernels.dense.face_newton import SOLVED_RESIDUAL
from mlcp.kernels.dense.lemke import cover, follow_path, ray_of, read_point, violation
from mlcp.kernels.dense.lemke_free import enter_free
from mlcp.kernels.dense.lemke_table import NEGLIGIBLE_PIVOT, LemkeWork, fill_table
from mlcp.kernels.dense_problem import product
from mlcp.kernels.matrix_rows import row_product
from mlcp.kernels.one_row import SizeWork, corrected_z, largest_own_size
from mlcp.kernels.residual import residual_above, snap_all

ROUNDED_RESIDUAL = 2e-11  # natural residual accepted if rounding prevents SOLVED_RESIDUAL
MAX_TABLEAUS = 6  # most tableaus of one solve
FROM_ZERO = 3  # index of the tableau after which z restarts at 0: dependent z may have diverged
CORRECTION_SWEEPS = 3  # largest number of sweeps of ``correct_rows``
SWEEPS = 20  # largest number of sweeps of ``scale_units``
BOUND_TOLERANCE = 1e-14  # distance to a bound over the largest z that is taken as round-off


class PathWork(WorkArray, sizes="n"):
    """Memory of Lemke's path and of its residual."""

    path = within(LemkeWork, "the tableau")
    sizes = within(SizeWork, "w and sizes of the rows")
    best = part("n", "the best z so far")
    ray = part("n", "a direction; also scratch")
    most = part("n", "the largest entry of each row and column")


@kernel
def scale_units(problem, W):
    """Set W.path.scale: sqrt |a_ii|, larger where scaled entries exceed 1; return beta.

    beta: the unit of b in the scaled rows (``largest_own_size``).
    Rows without a diagonal are scaled until their largest entry is about 1.
    Source: Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, RAL (2001).
    Differs from the source: one factor for a row and its column.
    """
    A, n, scale, most, inverse = problem.A, problem.n, W.path.scale, W.most, W.ray
    for i in range(n):
        scale[i] = math.sqrt(abs(A[i, i])) if A[i, i] != 0.0 else 1.0
    for _sweep in range(SWEEPS):
        for i in range(n):
            most[i], inverse[i] = 0.0, 1.0 / scale[i]
        for i in range(n):
            largest = 0.0
            for j in range(n):  # scaled entries; a nonzero diagonal entry is 1 in the first sweep
                a = abs(A[i, j]) * inverse[i] * inverse[j]
                largest = a if a > largest else largest
                most[j] = a if a > most[j] else most[j]
            most[i] = max(most[i], largest)
        changed = False
        for i in range(n):
            if most[i] > 2.0 or (A[i, i] == 0.0 and 0.0 < most[i] < 0.5):
                scale[i] *= math.sqrt(most[i])
                # a scale that changes by less than a factor of 2 is taken as converged
                changed |= most[i] > 4.0 or most[i] < 0.25
        if not changed:
            break
    return largest_own_size(problem, scale, n)


@kernel
def tableau_w(problem, i, z, W, beta, delta):
    """w_i of the proximal problem about W.path.start with weight delta, in the units of the tableau."""
    L, s = W.path, W.path.scale[i]
    w = (product(problem.A, i, z, problem.n) + problem.b[i]) / (s * beta)
    return w + delta * (z[i] * s / beta - L.start[i]) if delta > 0.0 else w


@kernel
def refine(problem, z, W, beta, delta):
    """Correct z of the free rows by the inverse in the tableau, with w recomputed from the problem."""
    n, L = problem.n, W.path
    for c in range(n + 1):
        i = int(L.outside[c]) - n
        L.own[c] = 0.0
        if 0 <= i < n:
            L.own[c] = tableau_w(problem, i, z, W, beta, delta)
    for r in range(n):
        i = int(L.basic[r])
        if i < n:
            z[i] -= row_product(L.table, r * (n + 1), L.own, 0, n + 1) * beta / L.scale[i]


@kernel
def renew_values(problem, z, active, W, beta, delta):
    """Compute the values of the basic variables anew from the problem, with z refined by the inverse."""
    n, L = problem.n, W.path
    read_point(problem, active, L, z, beta)
    refine(problem, z, W, beta, delta)
    refine(problem, z, W, beta, delta)
    for r in range(n):
        i = int(L.basic[r])
        L.value[r] = z[i] * L.scale[i] / beta if i < n else tableau_w(problem, i - n, z, W, beta, delta)


@kernel
def put_on_bounds(problem, z, W):
    """Project z onto the box; a z within round-off of a bound is set to it."""
    n, scale, largest = problem.n, W.path.scale, 0.0
    for i in range(n):
        largest = max(largest, abs(z[i]) * scale[i])
    for i in range(n):
        low, high, off = problem.lower[i], problem.upper[i], BOUND_TOLERANCE * largest / scale[i]
        z[i] = low if z[i] - low <= off else (high if high - z[i] <= off else z[i])


@kernel
def proves(problem, W, column, direction, beta):
    """Whether the direction of z along a column of the tableau proves that there is no solution."""
    n, ray = problem.n, W.ray
    ray_of(W.path, column, direction, ray, n)
    for i in range(n):
        ray[i] /= W.path.scale[i]
    return proves_none(problem, ray, W.most, beta)


@kernel
def follow_tableau(problem, z, active, W, beta, delta, limits):
    """Follow the path of one tableau from the active set ``active`` to its end; return (code, pivots).

    z: the centre of the proximal problem, and the values that dependent rows keep; overwritten.
    """
    n, L = problem.n, W.path
    fill_table(problem, z, active, L, delta, beta)
    pivots, alone = enter_free(active, L, n)
    if alone >= 0 and proves(problem, W, alone, -1.0 if L.value[alone] > 0.0 else 1.0, beta):
        return INFEASIBLE, pivots
    if pivots > 0:
        renew_values(problem, z, active, W, beta, delta)
    worst = violation(active, L, n)
    if worst == 0.0:
        return SOLVED, pivots
    cover(L, worst, n)
    code, more, column, direction = follow_path(active, L, NEGLIGIBLE_PIVOT * worst, limits, n)
    if code == INFEASIBLE and not proves(problem, W, column, direction, beta):
        code, v = ITERATION_LIMIT, int(L.outside[column])
        if v < n:  # the next path starts with z_v free, entered together with a second row
            active[v] = 0
    return code, pivots + more


@kernel
def correct_rows(problem, z, W, near):
    """Solve each row with a large residual alone for its z_i; True if a z_i has changed.

    near: largest |z_i| sqrt |a_ii| that is taken as round-off of zero.
    """
    moved = False
    for i in range(problem.n):
        if abs(W.gap[i]) * W.scale[i] > SOLVED_RESIDUAL * W.size[i]:
            last, w = z[i], product(problem.A, i, z, problem.n) + problem.b[i]
            low, high = problem.lower[i], problem.upper[i]
            z[i] = corrected_z(last, w, problem.A[i, i], low, high, near / W.scale[i])
            moved |= z[i] != last
    return moved


@kernel
def corrected_residual(problem, z, W, least):
    """Natural residual [-] after corrections of z, each undone if it increases the residual.
    First, z within round-off of zero or a bound is set to it; then rows are solved one by one.
    """
    residual, kept = residual_above(problem, z, W.sizes, least), W.ray
    for correction in range(1 + CORRECTION_SWEEPS):
        near = 0.0
        for i in range(problem.n):
            kept[i] = z[i]
            near = max(near, BOUND_TOLERANCE * abs(z[i]) * W.sizes.scale[i])
        if residual == 0.0 or (correction > 0 and residual <= SOLVED_RESIDUAL):
            break
        if correction == 0:
            moved = snap_all(problem, z, W.sizes)
        else:
            moved = correct_rows(problem, z, W.sizes, near)
        if moved:
            reached = residual_above(problem, z, W.sizes, least)
            if reached > residual:
                for i in range(problem.n):
                    z[i] = kept[i]
                reached = residual_above(problem, z, W.sizes, least)
            residual = reached
    return residual


@kernel
def lemke_solve(problem, z, active, work, limits):
    """Solve w = A z + b, lower <= z <= upper, w complementary, by pivoting.

    Arguments: those of ``dense_problem``; on entry z is the best point known, within the bounds, and
        active is -1 for equal bounds. ``limits.most``: largest number of pivots of a path.
    Returns: (code, pivots, residual): SOLVED, ITERATION_LIMIT, INFEASIBLE (proven) or OUT_OF_TIME;
        after a failure z is the best point known.
    """
    n, W = problem.n, PathWork(work, problem.n)
    beta, least, total, code, near = scale_units(problem, W), math.inf, 0, ITERATION_LIMIT, False
    for i in range(n):
        W.best[i] = z[i]
    for attempt in range(MAX_TABLEAUS):
        delta = 1e-8 if near else 0.0  # proximal weight, in rows of unit diagonal
        code, pivots = follow_tableau(problem, z, active, W, beta, delta, limits)
        total += pivots
        if code == INFEASIBLE:
            break
        read_point(problem, active, W.path, z, beta)
        if code == SOLVED:
            refine(problem, z, W, beta, delta)
            refine(problem, z, W, beta, delta)
        put_on_bounds(problem, z, W)
        residual = corrected_residual(problem, z, W, limits.least)
        if residual < least:
            least = residual
            for i in range(n):
                W.best[i] = z[i]
        if (
            least <= SOLVED_RESIDUAL
            or code == OUT_OF_TIME
            or (attempt > 0 and least <= ROUNDED_RESIDUAL)
        ):
            break
        near = not near and attempt > 0
        kept = code == SOLVED and attempt != FROM_ZERO
        for i in range(n):  # dependent rows keep this z on the next path
            z[i] = W.best[i] if kept else min(max(0.0, problem.lower[i]), problem.upper[i])
    for i in range(n):
        z[i] = W.best[i]
        active[i] = -1 if z[i] <= problem.lower[i] else (1 if z[i] >= problem.upper[i] else 0)
    if code != INFEASIBLE:
        code = SOLVED if least <= ROUNDED_RESIDUAL else max(code, ITERATION_LIMIT)
    return code, total, least
