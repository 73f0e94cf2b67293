"""Continuations to a solution of the whole ground law, for steps where Newton's method fails on it.

First in pseudo-time, ``dz/dt = -F(z)``: where laws fall with the slip, Newton's direction need not
reduce |F|. Then by smoothing, for many forces near their bounds at once (wheels that press against each
other at rest): the projections onto bounds and ellipses are smoothed, less from level to level.

Source: Kelley and Keyes (1998), pseudo-transient continuation. Chen and Mangasarian (1996), a class of
smoothing functions for nonlinear and mixed complementarity problems.
"""

from __future__ import annotations

from mlcp.compiled.late import BOOL, FLOAT, INT, bundle, late
from mlcp.jit import kernel
from mlcp.kernels.partial_pivoting import solve_general

from ..rows.standing import thrust_in_use
from ..wheel.data import Rows, Wheels
from .balance import Unknowns, own_point, slopes_at, value_at
from .newton import MAX_STEPS, SOLVED_NORM, iterate
from .wheel_projection import forces

SMOOTHING_FACTOR, LEAST_SMOOTHING = 0.2, 1e-7  # from level to level; end, before the law itself
# Most Newton steps at a level of smoothing; |F| that ends them, over the smoothing
MAX_SMOOTHED_STEPS, SMOOTHED_TOLERANCE = 15, 0.1
MAX_TIME_STEPS, LARGEST_END_NORM = 40, 1e-6  # most steps in pseudo-time; |F| that ends them
FIRST_SHIFT, LARGEST_SHIFT = 0.1, 10.0  # 1 / dt of the first step; largest 1 / dt
MAX_ROUNDS, USE_TOLERANCE = 6, 1e-8  # most rounds with fixed uses; change of the uses that ends them


@kernel
def march(steps, near, shift, h, n, W, wheels, rows):
    """Implicit steps of ``dz/dt = -F(z)`` from ``W.point``, longer as |F| falls, until |F| <= near.

    shift: 1 / dt of the first step; steps: most of them.
    """
    size = value_at(W.point, h, n, W, wheels, rows)
    for _step in range(steps):
        if size <= near:
            break
        slopes_at(h, n, W, wheels, rows)
        for k in range(n):
            W.right[k] = -W.open[k]
            W.matrix[k * n + k] += shift
        if not solve_general(W.matrix, W.right, n):
            return
        for k in range(n):
            W.point[k] += W.right[k]
        last, size = size, value_at(W.point, h, n, W, wheels, rows)
        shift = min(shift * size / last, LARGEST_SHIFT)


@kernel
def follow_pseudo_time(h, n, W, wheels, rows):
    """Newton's method after steps in pseudo-time from the last pass's impulses; returns whether it
    converges."""
    for k in range(n):
        W.point[k] = W.start[k]
    shift = FIRST_SHIFT * (1.0 + 9.0 * wheels.passes.failures)  # differs from the step's failed searches
    march(MAX_TIME_STEPS, LARGEST_END_NORM, shift, h, n, W, wheels, rows)
    found, _ = iterate(MAX_STEPS, SOLVED_NORM, True, h, n, W, wheels, rows)
    return found


@kernel
def follow_smoothing(h, n, W, wheels, rows):
    """Newton's method on smoothed projections, less smoothed from level to level, from the last pass's
    impulses; returns whether it converges on the law itself."""
    passes = wheels.passes
    for k in range(n):
        W.point[k] = W.start[k]
    passes.smoothing = 1.0
    while passes.smoothing > LEAST_SMOOTHING:
        if passes.failures == 0.0:
            iterate(
                MAX_SMOOTHED_STEPS, SMOOTHED_TOLERANCE * passes.smoothing, True, h, n, W, wheels, rows
            )
        else:
            march(
                MAX_SMOOTHED_STEPS,
                SMOOTHED_TOLERANCE * passes.smoothing,
                FIRST_SHIFT,
                h,
                n,
                W,
                wheels,
                rows,
            )
        passes.smoothing *= SMOOTHING_FACTOR
    passes.smoothing = 0.0
    found, _ = iterate(MAX_STEPS, SOLVED_NORM, True, h, n, W, wheels, rows)
    return found


@kernel
def renew_uses(h, n, W, wheels, rows):
    """Set the uses of the thrust at rest from the solution with the last uses; their largest change."""
    first, change = 0, 0.0
    for i in range(len(wheels.each)):
        now, last = wheels.now[i], wheels.now[i].last_use
        z, _ = own_point(i, first, W, wheels)
        if now.at_rest == 1.0:
            now.last_use = thrust_in_use(i, z[1], z[3], now.capacity_x, now.capacity_y, wheels)
            change = max(change, abs(now.last_use - last))
        first += forces(i, wheels)
    return change


@kernel
def find_with_uses(h, n, W, wheels, rows):
    """``follow_smoothing`` with fixed uses of the thrust at rest; each solution gives the next uses.

    Returns whether a solution with fixed uses is found.
    """
    passes, found = wheels.passes, False
    passes.uses_kept = 1.0
    for _round in range(MAX_ROUNDS):
        if found:
            found, _ = iterate(MAX_STEPS, SOLVED_NORM, True, h, n, W, wheels, rows)
        if not found:
            found = follow_smoothing(h, n, W, wheels, rows)
        if not found or renew_uses(h, n, W, wheels, rows) <= USE_TOLERANCE:
            break
    return found


@late(BOOL(FLOAT, INT, bundle(Wheels), bundle(Rows)), "mlcp", "contact")
def continuation(source_hash):
    def find_by_continuation(h, n, wheels, rows):
        """Set ``W.point`` to a zero of F; returns whether one is found. Lazily compiled: few steps need
        it."""
        source_hash
        W = Unknowns(rows.work, rows.z.shape[0])
        if follow_pseudo_time(h, n, W, wheels, rows) or follow_smoothing(h, n, W, wheels, rows):
            return True
        return find_with_uses(h, n, W, wheels, rows)

    return find_by_continuation
