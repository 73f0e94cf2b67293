"""Parts of an interior-point method: start inside the bounds, step length, and move by a step.

With w = s - t, the multipliers s >= 0 of the lower bounds and t >= 0 of the upper ones, the solution of

    (z - lower) s = mu,    (upper - z) t = mu,    w = A z + b = s - t

is followed to mu = 0 by Newton's method, in rows of unit diagonal with max |b| = 1. W, a ``PointWork``,
has the point z, x = z - lower, y = upper - z, s, t and its step dz, ds, dt. Without a lower bound x is
infinite, without an upper bound y; for equal bounds both x and y are set infinite.
Source: Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2
    (1992); one step length for z, s and t, since in a quadratic problem w = s - t depends on z.
"""

import math

from mlcp.jit import kernel

STEPS = 80  # most interior-point steps
PATIENCE = 20  # largest number of successive steps that do not halve the error
TINY = 1e-200  # least value of x, y, s and t, which are denominators


@kernel
def place_inside(W):
    """Set W.z to the point nearest 0 that is min(1, a tenth of upper - lower) or more inside the bounds;
    set W.x and W.y to the distances of this point from the bounds."""
    z, x, y = W.z, W.x, W.y
    for i in range(z.shape[0]):
        low, high = W.lower[i], W.upper[i]
        inset = min(1.0, 0.1 * (high - low))
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


@kernel
def start_multipliers(W):
    """Set the multipliers W.s, W.t to the positive and the negative part of W.w, plus 1 each; return the
    number of finite bounds, equal ones left out."""
    x, y, s, t, w, bounds = W.x, W.y, W.s, W.t, W.w, 0
    for i in range(w.shape[0]):
        s[i], t[i] = 0.0, 0.0
        if x[i] < math.inf:
            s[i] = max(w[i], 0.0) + 1.0
            bounds += 1
        if y[i] < math.inf:
            t[i] = max(-w[i], 0.0) + 1.0
            bounds += 1
    return bounds


@kernel
def longest_step(W):
    """Largest step length at which x, y, s and t remain non-negative."""
    x, y, s, t, dz, ds, dt = W.x, W.y, W.s, W.t, W.dz, W.ds, W.dt
    least = 0.0  # most negative ratio of a step to its variable
    for i in range(x.shape[0]):
        least = min(least, dz[i] / x[i], -dz[i] / y[i])
        if x[i] < math.inf:
            least = min(least, ds[i] / s[i])
        if y[i] < math.inf:
            least = min(least, dt[i] / t[i])
    return -1.0 / least if least < 0.0 else math.inf


@kernel
def mean_product(W, step, bounds):
    """Barrier parameter mu, the mean of x s and y t over the bounds, after a step of length ``step``.

    bounds: number of finite bounds.
    """
    x, y, s, t, dz, ds, dt = W.x, W.y, W.s, W.t, W.dz, W.ds, W.dt
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] < math.inf:
            total += (x[i] + step * dz[i]) * (s[i] + step * ds[i])
        if y[i] < math.inf:
            total += (y[i] - step * dz[i]) * (t[i] + step * dt[i])
    return total / max(bounds, 1)


@kernel
def move(W, step):
    """Move the point by ``step`` times (dz, ds, dt); x, y, s and t remain at least TINY."""
    z, x, y, s, t, dz, ds, dt = W.z, W.x, W.y, W.s, W.t, W.dz, W.ds, W.dt
    for i in range(z.shape[0]):
        z[i] += step * dz[i]
        x[i] = max(x[i] + step * dz[i], TINY)
        y[i] = max(y[i] - step * dz[i], TINY)
        if x[i] < math.inf:
            s[i] = max(s[i] + step * ds[i], TINY)
        if y[i] < math.inf:
            t[i] = max(t[i] + step * dt[i], TINY)
