"""Interior-point method, ended by a direct solution, for a sparse A with S A symmetric, S signs.

The method and the letters s, t are those of ``interior_steps``, in rows of unit diagonal. A step solves
a system with S (A + D), D = s / (z - lower) + t / (upper - z) + REGULARISATION, by its factorisation
(``sparse_factor``). As soon as the estimated active set hardly changes from one step to the next, the
free rows are solved with the other rows at their bounds, and the few rows with a wrong sign of w or
beyond a bound change between free and bound. So the result has the accuracy of a direct method.
Arguments of the kernels: K, a ``Signed`` (matrix S A); T, a ``SparseFactor``; W, a ``PointWork``; n,
number of rows.
Source: Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2 (1992);
    the direct end: Ye, On the finite convergence of interior-point algorithms, Math. Program. 57 (1992).
"""

import math

from mlcp.compiled.workspace import WorkArray, part, within
from mlcp.jit import kernel
from mlcp.kernels.certificate import LARGEST_SCALED_Z
from mlcp.kernels.codes import ITERATION_LIMIT, OUT_OF_TIME, SOLVED
from mlcp.kernels.deadline import deadline_passed
from mlcp.kernels.dense.face_newton import SOLVED_RESIDUAL
from mlcp.kernels.dense.lemke_solve import BOUND_TOLERANCE, CORRECTION_SWEEPS
from mlcp.kernels.one_row import SizeWork, corrected_z
from mlcp.kernels.sparse import interior_steps
from mlcp.kernels.sparse.sparse_factor import factor_tree, solve_tree
from mlcp.kernels.sparse_rows import snapped_sparse_residual, sparse_residual, sparse_row

# Added to the unit diagonal, so that dependent rows can be factored; w is computed without this term
REGULARISATION = 1e-12
ZERO_DIAGONAL_REGULARISATION = 1e-7  # added to a zero diagonal entry
ROUNDS, PATIENT = 6, 40  # largest number of rounds in a call of ``finish``, and in the last call
STALLED = 8  # successive rounds of the last ``finish`` that may fail to halve the residual
FEW = 200  # the active set counts as nearly unchanged if less than one row in FEW has changed


class PointWork(WorkArray, sizes="n"):
    """Memory of the current point and step, and of the problem in rows of unit diagonal with max |b| =
    1."""

    z = part("n", "the point")
    x = part("n", "z - lower")
    y = part("n", "upper - z")
    s = part("n", "multipliers of the lower bounds")
    t = part("n", "multipliers of the upper bounds")
    dz = part("n", "step of z")
    ds = part("n", "step of s")
    dt = part("n", "step of t")
    b = part("n", "b of the scaled rows")
    lower = part("n", "lower bounds of the scaled rows")
    upper = part("n", "upper bounds of the scaled rows")
    w = part("n", "A z + b")
    terms = part("n", "sum |a_ij z_j| + |b_i|")
    kept = part("n", "z with active rows at their bounds")
    centre = part("n", "kept before a proximal step")
    side = part("n", "estimated active set: -1 at lower, 0 free, 1 at upper")
    tried = part("n", "active set of the last attempt")
    diagonal = part("n", "diagonal of the matrix to be factored")
    sizes = within(SizeWork, "sizes of the rows for the natural residual")


@kernel
def product(K, W, z, n):
    """Compute W.w = A z + b, and W.terms, the sum of the absolute terms of each w_i."""
    for i in range(n):
        total = K.diagonal[i] * z[i]
        size = abs(total)
        for y in range(K.start[i], K.start[i + 1]):
            term = K.value[y] * z[K.column[y]]
            total += term
            size += abs(term)
        W.w[i], W.terms[i] = W.b[i] + K.sign[i] * total, size + abs(W.b[i])


@kernel
def solve_with(K, T, right, to, n):
    """Solve S (A + D) x = S right with the factor T; x is written to ``to``, which may be ``right``."""
    for k in range(n):
        i = T.order[k]
        T.x[k] = K.sign[i] * right[i]
    solve_tree(T, n)
    for k in range(n):
        to[T.order[k]] = T.x[k]


@kernel
def direction(K, T, W, mu, corrected, n):
    """Compute Newton's step W.dz, W.ds, W.dt towards x s = y t = mu (letters of ``PointWork``).

    corrected: include the products dz ds and dz dt of the step in W, which Newton's method neglects.
    """
    x, y, s, t, dz, ds, dt = W.x, W.y, W.s, W.t, W.dz, W.ds, W.dt
    for i in range(n):
        one = mu - dz[i] * ds[i] if corrected else mu
        two = mu + dz[i] * dt[i] if corrected else mu
        ds[i], dt[i] = one / x[i], two / y[i]
        dz[i] = ds[i] - dt[i] - W.w[i] if W.lower[i] < W.upper[i] else 0.0
    solve_with(K, T, dz, dz, n)
    for i in range(n):
        ds[i] -= s[i] + s[i] * dz[i] / x[i]
        dt[i] -= t[i] - t[i] * dz[i] / y[i]


@kernel
def find_sides(W, n):
    """Estimate the active set W.side; return the number of rows that change.

    A row is taken to be at a bound if z is nearer to it than the bound's multiplier is to zero.
    """
    changed = 0
    for i in range(n):
        side = 0.0
        if W.x[i] < W.s[i] or W.lower[i] == W.upper[i]:
            side = -1.0
        elif W.y[i] < W.t[i]:
            side = 1.0
        changed += side != W.side[i]
        W.side[i] = side
    return changed


@kernel
def keep_on_bounds(W, n):
    """Set W.kept to z, in rows that are active by W.side to their bounds."""
    for i in range(n):
        kept = W.z[i] if W.side[i] == 0.0 else W.upper[i]
        W.kept[i] = W.lower[i] if W.side[i] < 0.0 else kept


@kernel
def ridge(K, i, rho):
    """Regularisation to add to the diagonal of row i: rho, or more for a zero diagonal entry."""
    return max(rho, ZERO_DIAGONAL_REGULARISATION) if K.diagonal[i] == 0.0 else rho


@kernel
def solve_free(K, T, W, rho, fresh, n):
    """Solve w + rho (z - centre) = 0 for z of the free rows, in W.kept; centre: W.kept on entry.

    W.w gets w + rho (z - centre). rho is larger in rows of zero diagonal (``ridge``). fresh: the active
    set has changed since the last factorisation.
    """
    kept, centre = W.kept, W.centre
    for i in range(n):
        W.diagonal[i] = K.diagonal[i] + K.sign[i] * ridge(K, i, rho)
        centre[i] = kept[i]
        if W.side[i] != 0.0:
            kept[i] = W.lower[i] if W.side[i] < 0.0 else W.upper[i]
    if fresh:
        factor_tree(T, W.diagonal, W.side, K.sign, n)
    for _again in range(2):
        product(K, W, kept, n)
        for i in range(n):
            W.w[i] += ridge(K, i, rho) * (kept[i] - centre[i])
            W.dz[i] = -W.w[i] if W.side[i] == 0.0 else 0.0
        solve_with(K, T, W.dz, W.dz, n)
        for i in range(n):
            kept[i] += W.dz[i]
    product(K, W, kept, n)
    for i in range(n):
        W.w[i] += ridge(K, i, rho) * (kept[i] - centre[i])


@kernel
def exchange_offending(W, n):
    """Make free rows beyond a bound active; free active rows whose w has the wrong sign.

    Returns: the number of these rows.
    """
    offending, largest = 0, 0.0
    for i in range(n):
        largest = max(largest, abs(W.kept[i]))
    for i in range(n):
        margin = 1e-13 * (largest + W.terms[i])  # excess of z over a bound, or w, that may be round-off
        if W.side[i] == 0.0:
            if W.kept[i] < W.lower[i] - margin:
                W.side[i] = -1.0
                offending += 1
            elif W.kept[i] > W.upper[i] + margin:
                W.side[i] = 1.0
                offending += 1
        elif W.side[i] * W.w[i] > margin and W.lower[i] < W.upper[i]:
            W.side[i] = 0.0
            offending += 1
    return offending


@kernel
def correct_rows(problem, z, W, near):
    """Solve each row with a large residual alone for its z_i; True if a z_i has changed.

    W: a ``SizeWork``; near: largest |z_i| sqrt |a_ii| that is taken as round-off of zero.
    """
    moved = False
    for i in range(z.shape[0]):
        if abs(W.gap[i]) * W.scale[i] > SOLVED_RESIDUAL * W.size[i]:
            own, last, w = problem.diagonal[i], z[i], sparse_row(problem, z, i)
            z[i] = corrected_z(last, w, own, problem.lower[i], problem.upper[i], near / W.scale[i])
            moved |= z[i] != last
    return moved


@kernel
def store_result(problem, W, scale, beta, z):
    """Write W.kept to z in the problem's units, set z_i within round-off of a bound to the bound,
    correct rows with a large residual (``correct_rows``), and return the natural residual of z."""
    n, largest = z.shape[0], 0.0
    for i in range(n):
        largest = max(largest, abs(W.kept[i]))
    for i in range(n):
        z[i] = min(max(W.kept[i] * beta / scale[i], problem.lower[i]), problem.upper[i])
        if W.kept[i] - W.lower[i] <= BOUND_TOLERANCE * largest:
            z[i] = problem.lower[i]
        elif W.upper[i] - W.kept[i] <= BOUND_TOLERANCE * largest:
            z[i] = problem.upper[i]
    residual = snapped_sparse_residual(problem, z, W.sizes)
    near, last = BOUND_TOLERANCE * largest * beta, W.dz
    for _sweep in range(CORRECTION_SWEEPS):
        for i in range(n):
            last[i] = z[i]
        if residual <= SOLVED_RESIDUAL or not correct_rows(problem, z, W.sizes, near):
            break
        reached = sparse_residual(problem, z, W.sizes)
        if reached > residual:
            for i in range(n):
                z[i] = last[i]
            break
        residual = reached
    return residual


@kernel
def finish(problem, K, T, W, units, z, last):
    """Compute the solution z by proximal steps from the point and the active set W.side.

    units: scale (n,), beta as in ``sparse_interior``; last: True for the last attempt, which has more
    rounds.
    Returns: natural residual of z; inf if the active set changes in every round.
    """
    n, fresh, best, waited, (scale, beta) = z.shape[0], True, math.inf, 0, units
    for i in range(n):
        W.tried[i] = W.side[i]
    keep_on_bounds(W, n)
    for _round in range(PATIENT if last else ROUNDS):
        # dependent rows leave many z: a larger proximal term selects one near the last z
        solve_free(K, T, W, 1e-8 if last else REGULARISATION, fresh, n)
        fresh = exchange_offending(W, n) > 0
        if not fresh:
            residual = store_result(problem, W, scale, beta, z)
            waited = 0 if residual < 0.5 * best else waited + 1
            best = min(best, residual)
            if residual <= SOLVED_RESIDUAL or waited > (STALLED if last else 0):
                return residual
    return store_result(problem, W, scale, beta, z) if best < math.inf else best


@kernel
def should_finish(W, changed, mu, n):
    """True if mu is small, and the active set has hardly changed and differs from that of the last
    ``finish``."""
    if not ((changed == 0 and mu < 1e-2) or (FEW * changed < n and mu < 1e-6)):
        return False
    for i in range(n):
        if W.side[i] != W.tried[i]:
            return True
    return False


@kernel
def step_on(K, T, W, mu, bounds, n):
    """Take a predictor-corrector step with one factorisation; mu: present mean of x s and y t."""
    for i in range(n):
        own = W.s[i] / W.x[i] + W.t[i] / W.y[i] + ridge(K, i, REGULARISATION)
        W.diagonal[i] = K.diagonal[i] + K.sign[i] * own
        W.kept[i] = 1.0 if W.lower[i] == W.upper[i] else 0.0
    factor_tree(T, W.diagonal, W.kept, K.sign, n)
    direction(K, T, W, 0.0, False, n)
    aim = interior_steps.mean_product(W, min(1.0, interior_steps.longest_step(W)), bounds)
    if mu > 0.0:
        aim *= aim / mu * (aim / mu)
    direction(K, T, W, aim, True, n)
    # 0.99 of the longest step within the bounds, once mu is below 0.01 a fraction 1 - mu of it
    interior_steps.move(W, min(1.0, max(0.99, 1.0 - mu) * interior_steps.longest_step(W)))


@kernel
def begin_point(problem, K, W, scale, beta):
    """Set the scaled rows in W and a start inside the bounds; return the number of bounds."""
    n = problem.b.shape[0]
    for i in range(n):
        W.b[i] = problem.b[i] / (scale[i] * beta)
        W.lower[i], W.upper[i] = problem.lower[i] * scale[i] / beta, problem.upper[i] * scale[i] / beta
        W.dz[i], W.ds[i], W.dt[i], W.side[i], W.tried[i] = 0.0, 0.0, 0.0, 2.0, 2.0
    interior_steps.place_inside(W)
    product(K, W, W.z, n)
    return interior_steps.start_multipliers(W)


@kernel
def sparse_interior(problem, K, T, W, scale, beta, z, limits):
    """Solve w = A z + b, lower <= z <= upper, w complementary: (code, steps, natural residual of z).

    Arguments:
        problem: a ``SparseProblem``; K: S A in scaled rows; T: elimination tree, memory of the factor.
        W: a ``PointWork``; scale (n,): scales of the rows; beta: largest |b| of the scaled rows.
        z (n,): result.
        limits: ``tolerance`` on the natural residual [-]; ``deadline`` [s].
    """
    n, code, mark, waited, step, units = z.shape[0], ITERATION_LIMIT, math.inf, 0, 0, (scale, beta)
    bounds = begin_point(problem, K, W, scale, beta)
    for step in range(interior_steps.STEPS):
        product(K, W, W.z, n)
        mu, error, far = interior_steps.mean_product(W, 0.0, bounds), 0.0, 0.0
        for i in range(n):
            far = max(far, abs(W.z[i]))
            if W.lower[i] < W.upper[i]:
                error = max(error, abs(W.w[i] - W.s[i] + W.t[i]))
        if should_finish(W, find_sides(W, n), mu, n):
            residual = finish(problem, K, T, W, units, z, False)
            if residual <= limits.tolerance:
                return SOLVED, step, residual
            find_sides(W, n)
            product(K, W, W.z, n)
        error = max(error, mu)
        if error <= 1e-12:
            code = SOLVED
            break
        waited = 0 if error < 0.5 * mark else waited + 1
        mark = min(mark, error)
        if deadline_passed(limits.deadline):
            code = OUT_OF_TIME
            break
        if (
            not far <= LARGEST_SCALED_Z
            or waited > interior_steps.PATIENCE
            or (bounds > 0 and mu < 1e-24)  # mu is in units of beta^2
        ):
            break
        step_on(K, T, W, mu, bounds, n)
    find_sides(W, n)
    residual = finish(problem, K, T, W, units, z, True)
    if not residual <= limits.tolerance:
        find_sides(W, n)
        keep_on_bounds(W, n)
        residual = store_result(problem, W, scale, beta, z)
    if residual <= limits.tolerance:
        return SOLVED, step, residual
    return max(code, ITERATION_LIMIT), step, residual
