"""One proximal problem in the velocities: block exchanges first, then Newton with a line search.

The unknown is the change d of the velocities from a centre c (``proximal_newton``):
    d = Y'(z(d) - c),    z_i(d) = clip(c_i - k_i (w + Y d)_i, lower_i, upper_i)
with the rows Y in unit masses, the weights k and the velocities w = A c + b of the rows at the centre.
This d minimises a convex function, which is quadratic as long as no row changes its state (-1 at the
lower bound, 0 between, 1 at the upper). H = I + Y_F' diag(k_F) Y_F of the rows F between the bounds.
Arguments of the kernels (``structured_layout``): R, rows; P, plan; Z, iterate; N, the proximal problem.
"""

from mlcp.jit import kernel
from mlcp.kernels.deadline import deadline_passed
from mlcp.kernels.structured.blocks import BB, add_row, factor_blocks, solve_blocks
from mlcp.kernels.structured.unit_mass import add_transposed, row_times

PATIENCE = 3  # block exchanges that may fail to reduce the number of wrong states, before Newton steps
SEARCH = 40  # largest number of evaluations in one line search


@kernel
def side_of(z, lower, upper):
    """State of a row: -1 for z at or below the lower bound, +1 at or above the upper one, 0 between."""
    if lower < z < upper:
        return 0
    return -1 if z <= lower else 1


@kernel
def refactor(P, N):
    """Write the Cholesky factor of N.H to N.L; False if N.H is not positive definite."""
    for x in range(P.blocks * BB):
        N.L[x] = N.H[x]
    return factor_blocks(N.L, P)


@kernel
def exchange_states(R, P, Z, N, stale):
    """Block exchanges until no row has a wrong state, or the number of such rows no longer falls.
    An exchange sets N.d and N.Jd to the minimiser of the quadratic function of the present states; then
    every row with a wrong state changes between bound and free. stale: N.L is not yet N.H's factor.
    Returns: (1 solved, 0 not solved, -1 failed factorisation; exchanges, factorisations).
    """
    c, k, d, Jd, w, state = N.c, N.k, N.d, N.Jd, Z.w, Z.state
    fewest, patience = R.n + 1, PATIENCE
    steps, factored = 0, 0
    while True:
        for x in range(d.shape[0]):
            d[x] = 0.0
        for i in range(R.n):
            step_i = -k[i] * w[i]
            if state[i] < 0:
                step_i = R.lower[i] - c[i]
            elif state[i] > 0:
                step_i = R.upper[i] - c[i]
            if step_i != 0.0:
                add_transposed(R.start[i], R.start[i + 1], R.block, R.Y, step_i, d)
        if stale:
            factored += 1
            if not refactor(P, N):
                return -1, steps, factored
            stale = False
        solve_blocks(N.L, d, P)
        steps += 1
        offending = 0
        for i in range(R.n):
            Jd[i] = row_times(R.start[i], R.start[i + 1], R.block, R.Y, d)
            if side_of(c[i] - k[i] * (w[i] + Jd[i]), R.lower[i], R.upper[i]) != state[i]:
                offending += 1
        patience = PATIENCE if offending < fewest else patience - 1
        fewest = min(fewest, offending)
        if offending == 0 or patience < 0:
            return (1 if offending == 0 else 0), steps, factored
        for i in range(R.n):
            now = side_of(c[i] - k[i] * (w[i] + Jd[i]), R.lower[i], R.upper[i])
            if now != state[i]:
                weight = k[i] if state[i] != 0 else -k[i]
                state[i] = 0 if state[i] != 0 else now
                add_row(N.H, weight, i, R, P)
                stale = True


@kernel
def slope_at(R, Z, N, t, curve0, curve1):
    """Derivative of the convex function at d + t p along p; its quadratic part is curve0 + t curve1.
    d = N.d; p = N.p, Newton's step."""
    c, k, Jd, Jp, w = N.c, N.k, N.Jd, N.Jp, Z.w
    slope = curve0 + t * curve1
    for i in range(R.n):
        if Jp[i] != 0.0:
            z = c[i] - k[i] * (w[i] + Jd[i] + t * Jp[i])
            slope -= Jp[i] * (min(max(z, R.lower[i]), R.upper[i]) - c[i])
    return slope


@kernel
def line_search(R, Z, N, curve0, curve1, at_zero):
    """Find the root t in (0, 1] of ``slope_at`` by regula falsi (Illinois); 1 without change of sign.
    at_zero: the slope at t = 0."""
    low, high, f_low, f_high = 0.0, 1.0, at_zero, 0.0
    t = 1.0
    side = 0
    for search in range(SEARCH):
        f = slope_at(R, Z, N, t, curve0, curve1)
        if search == 0:
            f_high = f
            if not (f_high > 0.0 and f_low < 0.0):
                return t
        elif abs(f) <= 1e-6 * abs(at_zero):
            return t
        elif f > 0.0:
            high, f_high = t, f
            if side == 1:
                f_low *= 0.5
            side = 1
        else:
            low, f_low = t, f
            if side == -1:
                f_high *= 0.5
            side = -1
        t = (low * f_high - high * f_low) / (f_high - f_low)
    return t


@kernel
def newton_steps(R, P, Z, N, converged, limit, deadline):
    """Do at most ``limit`` Newton steps from N.d with exact line search; set z = clip(c - k (w + Y d)).

    converged: True if N.d minimises the quadratic function of the states in Z.state.
    Returns: (steps, -1 if a factorisation failed; factorisations; True if N.L is not N.H's factor; True
        if the minimiser was reached).
    """
    c, k, d, Jd, p, Jp, g = N.c, N.k, N.d, N.Jd, N.p, N.Jp, N.g
    z, w, state = Z.z, Z.w, Z.state
    steps, factored = 0, 0
    stale = False
    for _inner in range(limit):
        # Compute the gradient g, and update the states of the rows and N.H.
        for x in range(d.shape[0]):
            g[x] = d[x]
        for i in range(R.n):
            free_z = c[i] - k[i] * (w[i] + Jd[i])
            z[i] = min(max(free_z, R.lower[i]), R.upper[i])
            if z[i] != c[i]:
                add_transposed(R.start[i], R.start[i + 1], R.block, R.Y, c[i] - z[i], g)
            now = side_of(free_z, R.lower[i], R.upper[i])
            if now != state[i]:
                if now == 0 or state[i] == 0:
                    add_row(N.H, k[i] if now == 0 else -k[i], i, R, P)
                    stale = True
                state[i] = now
                converged = False
        if converged or deadline_passed(deadline):
            break
        if stale:
            factored += 1
            if not refactor(P, N):
                return -1, factored, stale, False
            stale = False
        for x in range(d.shape[0]):
            p[x] = -g[x]
        solve_blocks(N.L, p, P)
        steps += 1
        curve0, curve1, at_zero = 0.0, 0.0, 0.0
        for x in range(d.shape[0]):
            curve0 += p[x] * d[x]
            curve1 += p[x] * p[x]
            at_zero += g[x] * p[x]
        converged = True
        for i in range(R.n):
            Jp[i] = row_times(R.start[i], R.start[i + 1], R.block, R.Y, p)
            free_z = c[i] - k[i] * (w[i] + Jd[i] + Jp[i])
            if side_of(free_z, R.lower[i], R.upper[i]) != state[i]:
                converged = False
        t = 1.0
        if not converged:
            t = line_search(R, Z, N, curve0, curve1, at_zero)
        for x in range(d.shape[0]):
            d[x] += t * p[x]
        for i in range(R.n):
            Jd[i] += t * Jp[i]
    for i in range(R.n):
        z[i] = min(max(c[i] - k[i] * (w[i] + Jd[i]), R.lower[i]), R.upper[i])
    return steps, factored, stale, converged
