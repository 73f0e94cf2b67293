"""Path to the solution of a step after passes without convergence.

With F of ``balance`` and any start y_0, all in scaled impulses, the solutions of

    H(y, l) = (1 - l) F(y) + l (y - y_0) = 0

begin at (y_0, 1) and, since F projects onto a bounded set, lead to l = 0, where F = 0. Falling
characteristics of wheels on one shaft fold the path, so l may rise on it for a while: it is followed by
arc length, with a step along its direction and Newton corrections across it.
"""

from __future__ import annotations

import math

from mlcp.compiled.late import BOOL, FLOAT, FLOATS, INTS, bundle, late, named
from mlcp.jit import kernel
from mlcp.kernels.newton import solve_general

from . import layout as at
from .balance import PathWork, gather, open_at, own_point
from .data import Rows, Wheels
from .friction_beside import Beside
from .lateral_rows import lateral_use
from .points import put_point
from .rest import shares_ellipse
from .standing import UNKNOWN
from .wheel_projection import forces, forces_of

MOST = 120  # most linear solves of a path, twice as many for the next path
IN_ALL = 500.0  # most linear solves of a step; then its passes end unconverged
FIRST = 0.05  # first step along the path; all lengths in units of the weight's friction
LONGEST = 100.0
SHORTEST = 1e-7
GROWS = 3.0  # growth of the step after at most one correction
CORRECTIONS = 3
LOOSE, TIGHT = 1e-2, 1e-5  # distance from the path; tight after the path was lost
LOST = 3e-3  # step below which the path counts as lost
DONE, EXACT = 1e-9, 1e-13  # |F| accepted when it no longer falls, and at once
APART = 1e-8  # added to the slopes' diagonal: makes dependent forces unique
LAST = 6  # most steps of Newton on F
SLIP = 1.0  # likewise, where that is less
FRICTION = 0.3  # of the weight, the unit of all lengths
BESIDE = named(Beside, INTS, INTS, FLOATS, INTS)


@kernel
def lay(point, parameter, h, n, W, wheels, rows):
    """H into the right-hand side, minus, its slopes and the direction into the matrix; the norm of H."""
    open_at(point, h, n, W, wheels, rows)
    wide, size = n + 1, 0.0
    for k in range(n):
        away = point[k] - W.start[k]
        for j in range(n):
            W.matrix[k * wide + j] *= 1.0 - parameter
        W.matrix[k * wide + k] += parameter
        W.matrix[k * wide + n] = away - W.open[k]
        value = (1.0 - parameter) * W.open[k] + parameter * away
        W.right[k] = -value
        size += value * value
    for j in range(wide):
        W.matrix[n * wide + j] = W.ahead[j]
    W.right[n] = 0.0
    return math.sqrt(size)


@kernel
def turn(n, W):
    """The path's direction at the point laid last, on from the one before; False: there is none."""
    for k in range(n):
        W.right[k] = 0.0
    W.right[n] = 1.0
    if not solve_general(W.matrix, W.right, n + 1):
        return False
    size = 0.0
    for k in range(n + 1):
        size += W.right[k] * W.right[k]
    size = math.sqrt(size)
    for k in range(n + 1):
        W.ahead[k] = W.right[k] / size
    return size < math.inf


@kernel
def end_of_path(h, n, W, wheels, rows):
    """Newton on F from the trial point, in place; returns the steps, negative without convergence."""
    wide, last = n + 1, math.inf
    for step in range(LAST):
        size = lay(W.trial, 0.0, h, n, W, wheels, rows)
        if size <= EXACT or (size <= DONE and size >= 0.1 * last):
            return step + 1
        if not size < 3.0 * last:
            return -step - 1
        last = min(last, size)
        for k in range(n):
            W.matrix[k * wide + n] = W.matrix[n * wide + k] = 0.0
            W.matrix[k * wide + k] += APART
        W.matrix[n * wide + n] = 1.0
        if not solve_general(W.matrix, W.right, wide):
            break
        for k in range(n):
            W.trial[k] += W.right[k]
    return -LAST


@kernel
def correct(parameter, length, near, h, n, W, wheels, rows):
    """Back to the path from the trial point, across the direction: (corrections, parameter).

    Negative corrections: it was not found near enough.
    """
    last = math.inf
    for count in range(CORRECTIONS + 1):
        away = lay(W.trial, parameter, h, n, W, wheels, rows)
        if away < near * min(1.0, max(parameter, 0.02)):
            return count, parameter
        if count == CORRECTIONS or not solve_general(W.matrix, W.right, n + 1):
            return -count - 1, parameter
        size = 0.0
        for k in range(n + 1):
            size += W.right[k] * W.right[k]
        size = math.sqrt(size)
        if not size <= length or size > 0.7 * last:
            return -count - 1, parameter
        last = size
        for k in range(n):
            W.trial[k] += W.right[k]
        parameter += W.right[n]
    return -1, parameter


@kernel
def walk(near, left, h, n, W, wheels, rows):
    """Follow the path from its start; return the systems solved, negative if it was lost."""
    parameter, tried, length, solved = 1.0, 2.0, FIRST, 1
    for k in range(n):
        W.point[k] = W.start[k]
        W.ahead[k] = 0.0
    W.ahead[n] = -1.0
    lay(W.point, 1.0, h, n, W, wheels, rows)
    if not turn(n, W):
        return -solved
    while solved < left and length > (LOST if near == LOOSE else SHORTEST):
        ends = parameter + length * W.ahead[n] <= 0.0
        if ends or parameter <= 0.5 * tried:
            step = -parameter / W.ahead[n] if ends else 0.0
            tried = parameter
            for k in range(n):
                W.trial[k] = W.point[k] + step * W.ahead[k]
            taken = end_of_path(h, n, W, wheels, rows)
            solved += abs(taken)
            if taken > 0:
                return solved
            length = 0.5 * step if ends else length
        for k in range(n):
            W.trial[k] = W.point[k] + length * W.ahead[k]
        there = parameter + length * W.ahead[n]
        count, there = correct(there, length, near, h, n, W, wheels, rows)
        solved += abs(count) + 1
        if count < 0:
            length *= 0.3
            continue
        parameter = there
        if parameter > 1.01 or not turn(n, W):
            return -solved
        for k in range(n):
            W.point[k] = W.trial[k]
        length = min(LONGEST, length * (GROWS if count <= 1 else (1.7 if count == 2 else 0.8)))
    return -solved


@kernel
def scale_by_slip(W, wheels, rows):
    """Where slips are small, the scales are impulses that change them."""
    first = 0
    for i in range(len(wheels.each)):
        now, end = wheels.now[i], first + forces(i, wheels)
        for k in range(first + 1, end):
            row = int(W.row[k])
            W.scale[k] = min(W.scale[k], SLIP * max(now.v_max, wheels.each[i].v_0) / rows.A[row, row])
        first = end


@kernel
def take_path(h, wheels, rows, beside):
    """Move the wheels to a solution of all laws at once; False if none is found. rows.A is dense."""
    W = PathWork(rows.work, rows.z.shape[0])
    n, count, size = gather(W, wheels, rows, beside), len(wheels.each), 0.0
    wheels.passes.paths += 1.0
    slips, left = wheels.passes.paths % 2.0 == 0.0, IN_ALL - wheels.passes.systems
    most = min(MOST * wheels.passes.paths, left)
    for k in range(n):
        row = int(W.row[k])
        W.scale[k] = 1.0 / math.sqrt(rows.A[row, row])
        W.start[k] = rows.z[row]
    first = 0
    for i in range(count):
        wheel = wheels.each[i]
        W.start[first + 1] += rows.z[wheel.row + at.ROW_TRACTION]
        weight = FRICTION * W.start[first] / W.scale[first + 1]
        size += weight * weight
        if wheel.lateral_row >= 0:
            W.start[first + 3] += rows.z[wheel.lateral_row]
        first += forces(i, wheels)
    if size <= 0.0 or left <= 0.0:
        return False
    size = math.sqrt(size)
    for k in range(n):
        W.scale[k] *= size
    if slips:
        scale_by_slip(W, wheels, rows)
    for k in range(n):
        W.start[k] /= W.scale[k]
    solved = walk(LOOSE, most, h, n, W, wheels, rows)
    if solved < 0:
        wheels.passes.systems -= solved
        solved = walk(TIGHT, most + solved, h, n, W, wheels, rows)
    wheels.passes.systems += abs(solved)
    if solved < 0:
        for i in range(count):
            if wheels.now[i].held_y == 1.0:
                wheels.now[i].beside = lateral_use(i, h, wheels, rows)  # as the last pass left it
            wheels.now[i].used = UNKNOWN
        return False
    for i in range(rows.z.shape[0]):
        rows.z[i] = 0.0
    for k in range(n):  # of a thrust or a side the whole is the set-valued row's, see ``split_rows``
        rows.z[int(W.row[k])] = W.z[k]
    first = 0
    for i in range(count):
        z, w, end = own_point(i, first, W, wheels)
        forces_of(i, h, z, w, wheels, rows)  # leaves the share of a wheel that is held sideways
        if shares_ellipse(i, wheels):  # its bounds touch the ellipse where the force does
            now = wheels.now[i]
            p_x, p_y = abs(z[1]) / now.hold_x, abs(z[3]) / now.hold_y
            r = math.hypot(p_x, p_y)
            if r > 0.0:
                now.rest_x, now.rest_y = p_x / r, p_y / r
        point = wheels.now[i].origin
        point.p_t, point.p_x, point.p_y, point.p_r = z[1], z[2], z[3], z[4]
        put_point(i, w[1], w[2], w[3], max(0.0, z[0]) / h, wheels)
        first = end
    return True


@late(BOOL(FLOAT, bundle(Wheels), bundle(Rows), BESIDE), "mlcp", "contact")
def follow_path(source_hash):
    def follow_path(h, wheels, rows, beside):
        """``take_path``, lazily compiled."""
        source_hash
        return take_path(h, wheels, rows, beside)

    return follow_path


@kernel
def split_rows(wheels, rows):
    """Split thrust and side of the solution over the rows laid there; set the active rows."""
    for i in range(len(wheels.each)):
        wheel = wheels.each[i]
        for k in range(2):
            smooth = wheel.row + at.ROW_TRACTION if k == 0 else wheel.lateral_row
            if smooth < 0:
                continue
            u = rows.u[wheel.channel + (at.SLIDING if k == 0 else at.LATERAL)]
            z = -(u + rows.bias[smooth]) / rows.e[smooth]
            rows.z[smooth] = min(max(z, rows.lower[smooth]), rows.upper[smooth])
            rows.z[smooth + 1] -= rows.z[smooth]
    for i in range(rows.z.shape[0]):
        rows.z[i] = min(max(rows.z[i], rows.lower[i]), rows.upper[i])
        low, high = rows.z[i] <= rows.lower[i], rows.z[i] >= rows.upper[i]
        rows.active[i] = -1 if low else (1 if high else 0)
