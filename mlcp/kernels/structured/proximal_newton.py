"""Exact solution of A = Y Y' + diag(e) problems without forming A, in the velocities.

Proximal point iteration in z around a centre c, each step solved in the velocities: with
w_c = A c + b and weights k_i = 1 / (e_i + delta) of rows scaled to a unit diagonal,

    z_i(d) = clip(c_i - k_i (w_c + Y d)_i, lower_i, upper_i),      d = Y'(z(d) - c)

is the stationarity of a strongly convex, piecewise quadratic function of d. Newton's method on this
function with an exact line search ends after finitely many steps: the function falls at every step, so
no piece comes back after its minimiser was reached, and there are finitely many. Each Newton matrix
I + Y_F' diag(k_F) Y_F has the bodies' sparsity; redundant rows do no harm.
Writing z in increments around c makes every proximal step also a step of iterative refinement.
For a problem without solution, z - c tends to a direction that proves that there is no solution.
Source: Rockafellar, Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14
    (1976); Newton with exact line search: Sun, On piecewise quadratic Newton and trust region
    problems, Math. Program. 76 (1997).
"""

import math

from mlcp.jit import kernel
from mlcp.kernels import certificate
from mlcp.kernels.codes import FAILED, INFEASIBLE, ITERATION_LIMIT, OUT_OF_TIME, SOLVED
from mlcp.kernels.deadline import deadline_passed
from mlcp.kernels.one_row import row_gap
from mlcp.kernels.structured.blocks import add_row, unit_blocks
from mlcp.kernels.structured.newton_steps import exchange_states, newton_steps
from mlcp.kernels.structured.unit_mass import add_transposed, row_times, row_velocities, velocities
from mlcp.kernels.structured.unit_sizes import size_unit_rows

OUTER = 60  # largest number of proximal steps
INNER = 100  # largest number of Newton steps in one proximal step
IMPATIENT = 44  # largest number of Newton steps in all proximal steps, unless ``patient``
LEAST_WEIGHT = 1e-10  # smallest proximal weight delta
STALLED = 2  # proximal steps without a tenth less residual before the search for an infeasibility proof


@kernel
def no_solution_along(R, c, z, v, beta):
    """True if z - c proves that there is no solution (see ``certificate``); v is scratch."""
    length = 0.0
    for i in range(R.n):
        length = max(length, abs(z[i] - c[i]))
    if not 0.0 < length < math.inf:
        return False
    for x in range(v.shape[0]):
        v[x] = 0.0
    for i in range(R.n):
        step = certificate.allowed((z[i] - c[i]) / length, R.lower[i], R.upper[i])
        if math.isnan(step):
            return False
        add_transposed(R.start[i], R.start[i + 1], R.block, R.Y, step, v)
    supremum = 0.0
    size = 0.0
    for i in range(R.n):
        step = certificate.allowed((z[i] - c[i]) / length, R.lower[i], R.upper[i])
        g = row_times(R.start[i], R.start[i + 1], R.block, R.Y, v) + R.e[i] * step
        reach = certificate.row_reach(g, R.lower[i], R.upper[i], certificate.LARGEST_SCALED_Z * beta)
        supremum += reach + step * R.b[i]
        size += abs(reach) + abs(step * R.b[i])
    return supremum < -certificate.LEAST_RELATIVE_SUM * size


@kernel
def extend_step(R, c, z, v, delta):
    """Lengthen a step from c to z that leaves w unchanged up to the first bound; True if z moved.

    v is scratch.
    """
    length = 0.0
    for x in range(v.shape[0]):
        v[x] = 0.0
    for i in range(R.n):
        length = max(length, abs(z[i] - c[i]))
        add_transposed(R.start[i], R.start[i + 1], R.block, R.Y, z[i] - c[i], v)
    more = math.inf
    for i in range(R.n):
        step = z[i] - c[i]
        change = row_times(R.start[i], R.start[i + 1], R.block, R.Y, v) + R.e[i] * step
        # the step changes w by more than 1 % of delta times the step's largest entry
        if not abs(change) <= 1e-2 * delta * length:
            return False
        if abs(step) > certificate.NEGLIGIBLE_ENTRY * length:
            more = min(more, certificate.steps_to_bound(z[i], step, R.lower[i], R.upper[i]))
    if not 1.0 < more < math.inf:
        return False
    for i in range(R.n):
        if abs(z[i] - c[i]) > certificate.NEGLIGIBLE_ENTRY * length:
            z[i] = min(max(z[i] + more * (z[i] - c[i]), R.lower[i]), R.upper[i])
    return True


@kernel
def unit_residual(R, z, w, size, effective, reach):
    """Natural residual max |z - clip(z - w, lower, upper)| / size of scaled rows; inf for NaN.

    The terms of other rows in a size are formed per body (``unit_sizes``). size (n,) gets the rows'
    sizes; effective (n,), reach (2 nb,): scratch.
    """
    size_unit_rows(R, z, w, size, effective, reach)
    worst = 0.0
    for i in range(R.n):
        r = abs(row_gap(z[i], w[i], R.lower[i], R.upper[i])) / size[i]
        if not r <= worst:
            worst = r
            if math.isnan(r):
                return math.inf
    return worst


@kernel
def unit_beta(R, z):
    """Clip z to its bounds; return max |b|, 1 if b is zero."""
    beta = 0.0
    for i in range(R.n):
        beta = max(beta, abs(R.b[i]))
        z[i] = min(max(z[i], R.lower[i]), R.upper[i])
    return beta if beta > 0.0 else 1.0


@kernel
def next_weight(delta, steps, ended):
    """Proximal weight after a proximal problem that took ``steps`` Newton steps.

    The weight falls more after few steps, when the active set hardly changes. It grows if the steps did
    not converge (``ended`` False).
    """
    if not ended:
        return min(100.0 * delta, 1e-2)
    shrink = 1e-1 if steps > 30 else (1e-3 if steps > 3 else 1e-6)
    return max(delta * shrink, LEAST_WEIGHT)


@kernel
def newton_matrix(R, P, N, state, delta):
    """Set the weights N.k and Newton's matrix N.H for the proximal weight delta."""
    unit_blocks(N.H, P.nb, P.blocks)
    for i in range(R.n):
        N.k[i] = 1.0 / (R.e[i] + delta)
        if state[i] == 0:
            add_row(N.H, N.k[i], i, R, P)


@kernel
def proximal_newton(R, P, Z, N, delta, patient, limits):
    """Solve w = (Y Y' + diag(e)) z + b, lower <= z <= upper, w complementary.

    Arguments:
        R: rows scaled to a unit diagonal, P: elimination plan, Z: start (Z.state is a guess) and result,
            N: scratch; their classes are in ``structured_layout``.
        delta: first weight of the proximal term; it shrinks after a proximal step of slow decrease, more
            after few Newton steps, and grows if the Newton steps did not converge.
        patient: allow many Newton steps; else give up after ``IMPATIENT``.
        limits: ``tolerance`` on the natural residual [-]; ``deadline`` [s].
    Returns: (code, newton_steps, factorisations, residual).
    """
    n, z, w, v, tol, c, p = R.n, Z.z, Z.w, Z.v, limits.tolerance, N.c, N.p
    beta = unit_beta(R, z)
    at_rest = True
    for i in range(n):
        at_rest = at_rest and z[i] == 0.0
        w[i] = R.b[i]
    steps, factored, stalled, last_steps = 0, 0, 0, 0
    residual, stale, ended = math.inf, True, True
    for outer in range(OUTER):
        if outer > 0 or not at_rest:
            velocities(R, z, v)
            row_velocities(R, z, v, w)
        last = residual
        residual = unit_residual(R, z, w, N.Jd, N.Jp, N.g[: 2 * P.nb])
        if residual <= tol or not residual < math.inf:
            return SOLVED if residual <= tol else FAILED, steps, factored, residual
        if deadline_passed(limits.deadline):
            return OUT_OF_TIME, steps, factored, residual
        if not patient and (not ended or steps > IMPATIENT):
            return ITERATION_LIMIT, steps, factored, residual
        stalled = stalled + 1 if ended and residual > 0.9 * last else 0
        if stalled >= STALLED:
            if no_solution_along(R, c, z, p, beta):
                return INFEASIBLE, steps, factored, residual
            if extend_step(R, c, z, p, delta):
                stalled = 0
                continue
        if outer > 20 and stalled > 0:
            return ITERATION_LIMIT, steps, factored, residual
        # new weight at first, after Newton steps that did not converge, and if the residual falls slowly
        if outer == 0 or not ended or (delta > LEAST_WEIGHT and residual > 1e-4 * last):
            if outer > 0:
                delta = next_weight(delta, last_steps, ended)
            newton_matrix(R, P, N, Z.state, delta)
            stale = True
        for i in range(n):
            c[i] = z[i]
        converged, one, some = exchange_states(R, P, Z, N, stale)
        if converged < 0:
            return FAILED, steps + one, factored + some, residual
        limit = INNER if patient else IMPATIENT
        two, more, stale, ended = newton_steps(R, P, Z, N, converged > 0, limit, limits.deadline)
        last_steps = one + two
        steps += one + two
        factored += some + more
        if two < 0:
            return FAILED, steps, factored, residual
    return ITERATION_LIMIT, steps, factored, residual
