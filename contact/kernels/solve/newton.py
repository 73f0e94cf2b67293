"""Newton's method on a step's whole ground law, all wheels at once: ``F(z) = 0`` of ``balance``.

A full step is taken if it at least halves |F|. Else the step length follows from the work of F along the
step, ``sum of dw F`` with the change dw of the velocities: the step ends where this work, negative at
the start, vanishes. The work rises along the step as far as the laws oppose the motion, even where |F|
rises at first. If the work is not negative at the start (unsymmetric slopes), or the full step raises
|F| more than ``MAX_RISE`` times (nearly singular slopes), the step ends where |F| is smallest, at one of
``STEP_LENGTHS``, since kinks of laws near standstill may lie at a hundredth of the step. With laws that
integrate stresses the search for the least |F| comes first, in every step; with other laws it is used
if the search by work has failed (``continuation``).

Where laws integrate stresses, new slopes take as long as two to three evaluations of F; they are
therefore kept as long as each step reduces |F| to a tenth (chord method).
"""

import math

from mlcp.compiled.branches import as_many, no, some, where
from mlcp.jit import kernel
from mlcp.kernels.partial_pivoting import solve_general

from .balance import integrates_stresses, row_of, slopes_at, value_at

MAX_STEPS = 30  # most Newton steps of a search; steps with kept slopes are not counted
MAX_SLOW_STEPS = 8  # most steps since |F| last halved: the search goes round, or hardly moves
MAX_RISE = 100.0  # largest ``rise`` of the first search, see ``step_along``
SOLVED_NORM, STALLED_NORM = 1e-13, 1e-9  # largest |F| of a solution: in general, and if |F| has stalled
CLOSE_NORM = 1e-7  # largest |F| of a point that counts as a solution once all steps are taken
STALLED_RATIO = 0.1  # |F| has stalled if it is above this fraction of its least value before
FULL_STEP_RATIO = 0.5  # a full step that reduces |F| to this fraction is taken without a search
# Search for zero work: most evaluations of F; largest ratio of the work at the end to that at the start
MAX_EVALUATIONS, WORK_TOLERANCE = 12, 0.3
STEP_LENGTHS = (0.5, 0.25, 0.1, 0.03, 0.01, 0.001)  # tried in the search for the least |F|
DIAGONAL_RIDGE = 1e-8  # on the diagonal of the slopes, singular if only a sum of forces is determined


@kernel
def set_drive(n, W, rows):
    """Set ``W.drive``, the change of the velocities along the step ``W.right``."""
    for k in range(n):
        row = row_of(k, W)
        total = as_many(0.0, W.right[k])
        for j in range(n):
            total += rows.A[row, row_of(j, W)] * (W.scale[j] * W.right[j])
        W.drive[k] = W.scale[k] * total


@kernel
def work_along(n, W):
    """Work ``sum dw_i F_i`` [J] of the residual F at the last point of ``value_at``; dw: change of the
    velocities along the whole step ``W.right``."""
    total = as_many(0.0, W.open[0])
    for k in range(n):
        total += W.drive[k] * W.open[k]
    return total


@kernel
def size_along(t, h, n, W, wheels, rows):
    """Set ``W.trial`` to the point at the step length t of the step ``W.right``; returns |F| there."""
    for k in range(n):
        W.trial[k] = W.point[k] + t * W.right[k]
    return value_at(W.trial, h, n, W, wheels, rows)


@kernel
def where_work_vanishes(start, end, which, h, n, W, wheels, rows):
    """Step length (< 1) at which the work nearly vanishes, and |F| there, by the Illinois rule (regula
    falsi); start, end: work at the step lengths 0 and 1."""
    low, high, at_low, at_high = as_many(0.0, h), as_many(1.0, h), start, end
    t, size, side = as_many(1.0, h), as_many(0.0, h), as_many(0.0, h)
    for _look in range(MAX_EVALUATIONS):
        there = (low * at_high - high * at_low) / (at_high - at_low)
        there = min(max(there, low + 0.02 * (high - low)), high - 0.02 * (high - low))
        t = where(which, there, t)
        size = size_along(t, h, n, W, wheels, rows)
        work = work_along(n, W)
        which = which & (abs(work) > -WORK_TOLERANCE * start)
        if not some(which):
            break
        below = work < 0.0
        share = where(where(below, side < 0.0, side > 0.0), 0.5, 1.0)
        at_high, at_low = where(below, at_high * share, work), where(below, work, at_low * share)
        low, high, side = where(below, t, low), where(below, high, t), where(below, -1.0, 1.0)
    return t, size


@kernel
def least_along(least, which, h, n, W, wheels, rows):
    """Step length with the least |F|, of 1 and ``STEP_LENGTHS``; ``least``: |F| of the full step."""
    best, least = as_many(1.0, h), where(least < math.inf, least, math.inf)  # a norm nan becomes inf
    for t in STEP_LENGTHS:
        size = size_along(as_many(t, h), h, n, W, wheels, rows)
        better = which & (size < least)
        best, least = where(better, t, best), where(better, size, least)
    return best


@kernel
def step_along(size, which, rise, h, n, W, wheels, rows):
    """Set ``W.trial`` to the end of the step ``W.right`` by the module's rules; return |F| there.

    size: |F| at the start; rise: largest ratio of |F| after the full step to ``size`` with which the
    step may end by its work.
    """
    start, t = work_along(n, W), as_many(1.0, h)
    found = size_along(t, h, n, W, wheels, rows)
    which = which & no(found <= FULL_STEP_RATIO * size)
    if not some(which):
        return found
    end = work_along(n, W)
    falls = (start < 0.0) & (found <= rise * size)
    inside = which & falls & (end > -WORK_TOLERANCE * start)
    if some(inside):
        t, found = where_work_vanishes(start, end, inside, h, n, W, wheels, rows)
    rest = which & no(falls)
    if some(rest):
        t = where(rest, least_along(found, rest, h, n, W, wheels, rows), t)
        found = size_along(t, h, n, W, wheels, rows)
    return found


@kernel
def iterate(steps, rise, which, h, n, W, wheels, rows):
    """Newton's method from ``W.point``, in place, in the vehicles ``which``, until |F| <= SOLVED_NORM.

    rise: see ``step_along``. Returns: (vehicles that converged, or have |F| <= CLOSE_NORM after the last
    step; number of steps with new slopes).
    """
    size, least, taken = value_at(W.point, h, n, W, wheels, rows), as_many(math.inf, h), 0
    halved, slow = least, as_many(0.0, h)  # |F| when it last halved, and the number of steps since then
    arrived, renewed, renews = which & no(which), True, not integrates_stresses(wheels)
    while True:
        stalled_norm = STALLED_NORM if renewed else 0.0  # with kept slopes |F| falls more slowly anyway
        stalled = (size <= stalled_norm) & (size >= STALLED_RATIO * least)
        halves = size <= FULL_STEP_RATIO * halved
        halved, slow = where(halves, size, halved), where(halves, 0.0, slow + 1.0)
        ends = which if taken == steps else slow >= MAX_SLOW_STEPS
        done = which & ((size <= SOLVED_NORM) | stalled | (ends & (size <= CLOSE_NORM)))
        arrived, which = arrived | done, which & no(done | ends) & (size < math.inf)
        if not some(which):
            return arrived, taken
        renewed = renews or taken == 0 or some(size >= STALLED_RATIO * least)
        if renewed:
            slopes_at(h, n, W, wheels, rows)
        for k in range(n * n):
            W.factored[k] = W.matrix[k]
        for k in range(n):
            W.right[k] = -W.open[k]
            W.factored[k * n + k] += DIAGONAL_RIDGE
        which = which & solve_general(W.factored, W.right, n)
        set_drive(n, W, rows)
        least = min(least, size)
        size = step_along(size, which, rise, h, n, W, wheels, rows)
        for k in range(n):
            W.point[k] = where(which, W.trial[k], W.point[k])
        taken += int(renewed)


@kernel
def newton(rise, h, n, W, wheels, rows):
    """Run ``iterate`` for one vehicle, with at most as many steps as remain of the time step's; return
    whether it converges."""
    steps = int(min(float(MAX_STEPS), wheels.passes.remaining_newton_steps))
    if steps <= 0:
        return False
    found, taken = iterate(steps, rise, True, h, n, W, wheels, rows)
    wheels.passes.remaining_newton_steps -= taken
    return found
