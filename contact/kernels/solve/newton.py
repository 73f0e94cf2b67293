"""Newton's method on a step's whole ground law, all wheels at once: ``F(z) = 0`` of ``balance``.

A full step is taken where it leaves half of F or less. Else the step length follows from the work of F
along the step, ``sum of dw F`` with the velocities dw along it: the step ends where that work, negative
at its start, vanishes. It rises as far as the laws oppose the motion, also where the norm of F rises at
first. Where it is not negative (slopes are not symmetric) the step is halved until the norm falls.
"""

from __future__ import annotations

import math

from mlcp.compiled.branches import as_many, no, some, where
from mlcp.jit import kernel
from mlcp.kernels.partial_pivoting import solve_general

from .balance import row_of, slopes_at, value_at

MAX_STEPS = 20  # of Newton
SOLVED_NORM, STALLED_NORM = 1e-13, 1e-9  # of F: solved at once, or where it falls no further
STALLED_RATIO = 0.1  # of F: more of it left by a step is falling no further
FULL_STEP_RATIO = 0.5  # of F, left by a full step that is taken
# Values of F along a step; share of its work at the start that may be left
MAX_EVALUATIONS, WORK_TOLERANCE = 12, 0.3
MAX_HALVINGS = 6  # of a step, until F falls
LEAST_STEP_LENGTH = 0.1  # where F does not fall
DIAGONAL_RIDGE = 1e-8  # added to the slopes' diagonal: of opposed forces the sum alone is determined


@kernel
def set_drive(n, W, rows):
    """Velocities along the step in ``W.right``."""
    for k in range(n):
        row = row_of(k, W)
        total = as_many(0.0, W.right[k])
        for j in range(n):
            total += rows.A[row, row_of(j, W)] * (W.scale[j] * W.right[j])
        W.drive[k] = W.scale[k] * total


@kernel
def work_along(n, W):
    """Work of F at the point of the last values along the step [J]."""
    total = as_many(0.0, W.open[0])
    for k in range(n):
        total += W.drive[k] * W.open[k]
    return total


@kernel
def size_along(t, h, n, W, wheels, rows):
    """The norm of F at the share t of the step."""
    for k in range(n):
        W.trial[k] = W.point[k] + t * W.right[k]
    return value_at(W.trial, h, n, W, wheels, rows)


@kernel
def where_work_vanishes(start, end, which, h, n, W, wheels, rows):
    """Step length below 1 with little of the work left, by the Illinois rule; the norm of F there."""
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
def step_along(size, which, h, n, W, wheels, rows):
    """Go along the step in ``W.right`` as far as it leads on; the norm of F at ``W.trial``, the end."""
    start, t = work_along(n, W), as_many(1.0, h)
    found = size_along(t, h, n, W, wheels, rows)
    searched = which & no(found <= FULL_STEP_RATIO * size)
    if not some(searched):
        return found
    end, smooth = work_along(n, W), wheels.passes.smoothing > 0.0
    inside = searched & no(smooth) & (start < 0.0) & (end > -WORK_TOLERANCE * start)
    if some(inside):
        t, found = where_work_vanishes(start, end, inside, h, n, W, wheels, rows)
    rises = searched & (smooth | no(start < 0.0))
    for half in range(2 * MAX_HALVINGS if some(smooth) else MAX_HALVINGS):
        rises = rises & no(found < size)
        if not some(rises):
            break
        last = rises & no(smooth) if half == MAX_HALVINGS - 1 else rises & no(rises)
        t = where(last, LEAST_STEP_LENGTH, where(rises, 0.5 * t, t))
        found = size_along(t, h, n, W, wheels, rows)
    return found


@kernel
def iterate(steps, enough, which, h, n, W, wheels, rows):
    """Newton from ``W.point``, in place, of the vehicles ``which``; those with |F| within ``enough``.

    Returns: (arrived, steps taken).
    """
    size, last, taken = value_at(W.point, h, n, W, wheels, rows), as_many(math.inf, h), 0
    arrived = which & no(which)
    while True:
        done = which & ((size <= enough) | ((size <= STALLED_NORM) & (size >= STALLED_RATIO * last)))
        arrived, which = arrived | done, which & no(done) & (size < math.inf)
        if taken == steps or not some(which):
            return arrived, taken
        slopes_at(h, n, W, wheels, rows)
        for k in range(n):
            W.right[k] = -W.open[k]
            W.matrix[k * n + k] += DIAGONAL_RIDGE
        which = which & solve_general(W.matrix, W.right, n)
        set_drive(n, W, rows)
        last = size
        size = step_along(size, which, h, n, W, wheels, rows)
        for k in range(n):
            W.point[k] = where(which, W.trial[k], W.point[k])
        taken += 1
