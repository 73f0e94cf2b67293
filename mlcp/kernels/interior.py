"""Interior-point method for structured rows, for problems with active sets that are hard to find.

With w = s - t, s >= 0 the push of the lower bounds and t >= 0 that of the upper ones, follow

    (z - lower) s = mu,    (upper - z) t = mu,    w = Y Y' z + e z + b = s - t

to mu = 0 by Newton's method. A step solves, with D = e + s / (z - lower) + t / (upper - z) + rho,

    (I + Y' D^-1 Y) dv = Y' D^-1 r,      dz = D^-1 (r - Y dv)

with the matrix of ``proximal_newton`` for all rows: some 20 factorisations for any rows. rho makes
dependent rows without bounds and compliance regular; as w is recomputed from z, it only slows their
convergence. Redundant rows end in the middle of their possible impulses.
Source: Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2
    (1992); one step length for z and w, as a quadratic problem needs.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.blocks import B, add_row, factor_blocks, solve_blocks, unit_blocks
from mlcp.kernels.certificate import FARTHEST
from mlcp.kernels.codes import FAILED, ITERATION_LIMIT, LATE, SOLVED
from mlcp.kernels.deadline import is_late
from mlcp.kernels.proximal_newton import unit_beta, unit_residual
from mlcp.kernels.unit_mass import add_transposed, row_times, row_velocities, velocities

STEPS = 80
PATIENCE = 20  # most steps without halving the residual
RHO = 1e-11  # relative to the unit diagonal
CENTRED = 0.3  # target over present mu of two in eight steps without progress: back to the centre
SHORT = 0.99  # fraction of the distance to the nearest bound; more as mu shrinks
VANISHED = 1e-24  # mu / beta^2 below which steps have no effect
TINY = 1e-200


@kernel
def interior_start(R, w, v, Q, beta):
    """Q.z inside its bounds by beta or a tenth of their distance; s, t of the same size as w.

    Returns: number of bounds.
    """
    z, x, y, s, t = Q.z, Q.x, Q.y, Q.s, Q.t
    for i in range(R.n):
        low, high = R.lower[i], R.upper[i]
        inset = min(beta, 0.1 * (high - low))
        z[i] = 0.0
        if low > -math.inf:
            z[i] = max(z[i], low + inset)
        if high < math.inf:
            z[i] = min(z[i], high - inset)
        x[i], y[i] = math.inf, math.inf
        if low < high:
            x[i], y[i] = z[i] - low, high - z[i]
        else:
            z[i] = low
    velocities(R, z, v)
    row_velocities(R, z, v, w)
    bounds = 0
    for i in range(R.n):
        s[i], t[i] = 0.0, 0.0
        if x[i] < math.inf:
            s[i] = max(w[i], 0.0) + beta
            bounds += 1
        if y[i] < math.inf:
            t[i] = max(-w[i], 0.0) + beta
            bounds += 1
    return bounds


@kernel
def interior_factor(R, P, Q):
    """Q.k <- 1 / D, Q.L <- factor of 1 + Y' k Y; False if that fails."""
    x, y, s, t, k, L = Q.x, Q.y, Q.s, Q.t, Q.k, Q.L
    unit_blocks(L, P.nb, P.blocks)
    for i in range(R.n):
        k[i] = 0.0
        if R.lower[i] < R.upper[i]:
            k[i] = 1.0 / (R.e[i] + s[i] / x[i] + t[i] / y[i] + RHO)
            add_row(L, k[i], i, R, P)
    return factor_blocks(L, P)


@kernel
def direction(R, P, w, Q, mu, corrected):
    """dz, ds, dt <- the step to x s = y t = mu; corrected: for the products of the step in them."""
    x, y, s, t, dz, ds, dt, k, d = Q.x, Q.y, Q.s, Q.t, Q.dz, Q.ds, Q.dt, Q.k, Q.d
    for c in range(P.nb * B):
        d[c] = 0.0
    for i in range(R.n):
        one = mu - dz[i] * ds[i] if corrected else mu
        two = mu + dz[i] * dt[i] if corrected else mu
        ds[i], dt[i] = one / x[i], two / y[i]
        dz[i] = ds[i] - dt[i] - w[i]
        add_transposed(R.start[i], R.start[i + 1], R.block, R.Y, k[i] * dz[i], d)
    solve_blocks(Q.L, d, P)
    for i in range(R.n):
        dz[i] -= row_times(R.start[i], R.start[i + 1], R.block, R.Y, d)
        dz[i] *= k[i]
        ds[i] -= s[i] + s[i] * dz[i] / x[i]
        dt[i] -= t[i] - t[i] * dz[i] / y[i]


@kernel
def longest_step(Q):
    """Step at which the first of x, y, s, t would vanish."""
    x, y, s, t, dz, ds, dt = Q.x, Q.y, Q.s, Q.t, Q.dz, Q.ds, Q.dt
    least = 0.0  # least rate relative to the remaining distance; all shrink
    for i in range(x.shape[0]):
        least = min(least, dz[i] / x[i], -dz[i] / y[i])
        if x[i] < math.inf:
            least = min(least, ds[i] / s[i])
        if y[i] < math.inf:
            least = min(least, dt[i] / t[i])
    return -1.0 / least if least < 0.0 else math.inf


@kernel
def mean_product(Q, step, bounds):
    """mu: the mean of x s and y t after a step."""
    x, y, s, t, dz, ds, dt = Q.x, Q.y, Q.s, Q.t, Q.dz, Q.ds, Q.dt
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] < math.inf:
            total += (x[i] + step * dz[i]) * (s[i] + step * ds[i])
        if y[i] < math.inf:
            total += (y[i] - step * dz[i]) * (t[i] + step * dt[i])
    return total / max(bounds, 1)


@kernel
def move(Q, step):
    """Take the step; x, y, s, t stay positive."""
    z, x, y, s, t, dz, ds, dt = Q.z, Q.x, Q.y, Q.s, Q.t, Q.dz, Q.ds, Q.dt
    for i in range(z.shape[0]):
        z[i] += step * dz[i]
        x[i] = max(x[i] + step * dz[i], TINY)
        y[i] = max(y[i] - step * dz[i], TINY)
        if x[i] < math.inf:
            s[i] = max(s[i] + step * ds[i], TINY)
        if y[i] < math.inf:
            t[i] = max(t[i] + step * dt[i], TINY)


@kernel
def keep_on_bounds(R, Q, kept):
    """kept <- z, moved onto bounds that are nearer than w is to zero."""
    for i in range(R.n):
        kept[i] = Q.z[i]
        if Q.x[i] < Q.s[i]:
            kept[i] = R.lower[i]
        elif Q.y[i] < Q.t[i]:
            kept[i] = R.upper[i]


@kernel
def interior_point(R, P, Z, Q, best_z, size, reach, limits):
    """Solve w = (Y Y' + diag(e)) z + b, lower <= z <= upper, w complementary, from no start.

    Arguments: as ``proximal_newton``; Q, best_z, size (n,), reach (2 nb,): scratch; Q.z is Z.z.
    Returns: (code, steps, residual). z is the best point found, on those of its bounds that are
        nearer than w is to zero.
    """
    n, z, w, v = R.n, Z.z, Z.w, Z.v
    dz, ds, dt = Q.dz, Q.ds, Q.dt
    beta = unit_beta(R, z)
    bounds = interior_start(R, w, v, Q, beta)
    for i in range(n):
        dz[i], ds[i], dt[i], best_z[i] = 0.0, 0.0, 0.0, z[i]
    code, best, mark, waited = ITERATION_LIMIT, math.inf, math.inf, 0
    steps = 0
    while True:
        residual = unit_residual(R, z, w, size, dz, reach)
        mu = mean_product(Q, 0.0, bounds)
        far = 0.0
        for i in range(n):
            far = max(far, abs(z[i]))
        if steps > 0 and not far <= FARTHEST * beta:
            break  # no solution so far out: w is all round-off
        if residual < best:
            best = residual
            keep_on_bounds(R, Q, best_z)
        waited += 1
        if residual < 0.5 * mark:
            mark, waited = residual, 0
        if residual <= limits.tolerance:
            code = SOLVED
            break
        if is_late(limits.deadline):
            code = LATE
            break
        if steps == STEPS or waited > PATIENCE or (bounds > 0 and mu < VANISHED * beta * beta):
            break
        if not interior_factor(R, P, Q):
            code = FAILED
            break
        # Predictor, then corrector; without progress, now and then one step to the centre.
        aim = 0.0 if waited % 8 <= 5 else CENTRED * mu
        for corrected in range(2 if waited % 8 <= 5 else 1):
            if corrected == 1:
                step = min(1.0, longest_step(Q))
                aim = mean_product(Q, step, bounds)
                if mu > 0.0:
                    aim *= aim / mu * (aim / mu)
            direction(R, P, w, Q, aim, corrected == 1)
        share = max(SHORT, 1.0 - mu / (beta * beta))
        step = min(1.0, share * longest_step(Q))
        move(Q, step)
        velocities(R, z, v)
        row_velocities(R, z, v, w)
        steps += 1
    for i in range(n):
        z[i] = best_z[i]
    velocities(R, z, v)
    row_velocities(R, z, v, w)
    return code, steps, unit_residual(R, z, w, size, dz, reach)
