"""Rows on channels: block principal pivoting from a warm start, without forming the matrix.

A host is described by a few channels, velocities ``u = u_free + B q`` for channel impulses q. Every row
acts on one of them, or on the difference of two: ``w = u[channel] - u[minus] + e z + bias``. So

    A = S B S' + diag(e),   b = S u_free + bias,   S one +1 and at most one -1 in a row,

and with B symmetric one factorisation of the free rows and two products with B solve a problem of known
active set. Solved here to round-off or given up: harder problems (dependent rows, cycling exchanges)
are left to ``direct``, which needs the dense matrix.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import kernel
from mlcp.kernels.free_rows import PIVOT_FLOOR, subtract_row
from mlcp.kernels.one_row import handed_on, own_size, row_residual

TOLERANCE = 1e-12  # on signs, scaled: as in ``direct``
EXACT = 4e-15  # largest residual of the free rows without refinement
PLAIN = 1e-13  # largest residual over a row's own size without the sizes of its neighbours
SWEEPS = 3  # a solve and at most two refinements
TRIES = 6  # exchanges of rows before the problem is given up


class ChannelRows(NamedTuple):
    """Fields of rows needed by the kernels; any bundle with these names will do."""

    channel: Any  # (n,) int64: channel of each row
    minus: Any  # (n,) int64: subtracted channel, -1 for none
    e: Any  # (n,) compliance [1/kg]
    bias: Any  # (n,) [m/s]
    lower: Any  # (n,) [N s]
    upper: Any  # (n,) [N s]
    z: Any  # (n,) impulses, warm start and result [N s]
    active: Any  # (n,) int64: -1 at lower, 0 free, +1 at upper; warm start and result
    q: Any  # (C,) channel impulses of the result [N s]
    u: Any  # (C,) channel velocities of the result [m/s]
    work: Any  # ``ChannelWork.length(n)`` or more


class ChannelWork(Workspace, sizes="n"):
    """Memory of a solve on channels from pass to pass."""

    matrix = part("n n", "D L' of the f free rows, f x f, in the upper triangle; 1 / D on its diagonal")
    scale = part("n", "sqrt of the rows' a_ii")
    x = part("n", "right-hand side and solution of the free rows")
    row = part("n", "the free rows")
    on = part("n", "their channels")
    off = part("n", "their subtracted channels, -1 for none")
    z = part("n", "impulses to restore on failure")
    active = part("n", "active set to restore on failure")
    e = part("n", "compliance with which the free rows were factored")
    own = part("n", "the rows' own sizes")
    factored = part("1", "number of factored rows, -1: none")


@kernel
def own_inertia(B, channel, minus):
    """Diagonal of S B S' [1/kg] of a row on these channels."""
    value = B[channel, channel]
    if minus >= 0:
        value += B[minus, minus] - B[minus, channel] - B[channel, minus]
    return value


@kernel
def respond(B, u_free, rows):
    """Channel impulses q = S'z and velocities u = u_free + B q of the rows' impulses z; B symmetric."""
    channel, minus, z, q, u = rows.channel, rows.minus, rows.z, rows.q, rows.u
    channels = q.shape[0]
    for c in range(channels):
        q[c] = 0.0
        u[c] = u_free[c]
    for i in range(z.shape[0]):
        q[channel[i]] += z[i]
        if minus[i] >= 0:
            q[minus[i]] -= z[i]
    k = 0
    while k + 3 < channels:  # four at a time: u is read and written less often
        q_0, q_1, q_2, q_3 = q[k], q[k + 1], q[k + 2], q[k + 3]
        for c in range(channels):
            u[c] += (B[k, c] * q_0 + B[k + 1, c] * q_1) + (B[k + 2, c] * q_2 + B[k + 3, c] * q_3)
        k += 4
    while k < channels:
        impulse = q[k]
        if impulse != 0.0:
            for c in range(channels):
                u[c] += B[k, c] * impulse
        k += 1


@kernel
def row_velocity(i, rows):
    """w of row i."""
    w = rows.u[rows.channel[i]] + rows.e[i] * rows.z[i] + rows.bias[i]
    if rows.minus[i] >= 0:
        w -= rows.u[rows.minus[i]]
    return w


@kernel
def list_free(rows, W):
    """List the free rows and their channels in W; (count, True if they are the factored ones)."""
    f, same = 0, True
    for i in range(rows.z.shape[0]):
        if rows.active[i] == 0:
            same = same and W.row[f] == i
            W.row[f], W.on[f], W.off[f] = i, rows.channel[i], rows.minus[i]
            f += 1
    same = same and W.factored[0] == f
    if not same:
        W.factored[0] = -1.0
    return f, same


@kernel
def change_of_rows(e, f, W):
    """Largest change of a free row's compliance since it was factored, relative to a_ii."""
    change = 0.0
    for r in range(f):
        i = int(W.row[r])
        scale = W.scale[i]
        change = max(change, abs(e[i] - W.e[i]) / (scale * scale))
    return change


@kernel
def factor_free(B, e, f, W):
    """L D L' of the listed rows of A into W.matrix; False if a row depends on those before it."""
    matrix, row, on_of, off_of = W.matrix, W.row, W.on, W.off
    paired = False
    for r in range(f):
        paired = paired or off_of[r] >= 0.0
        i = int(row[r])
        W.e[i] = e[i]
    for r in range(f):
        at, on = r * f, int(on_of[r])
        for c in range(r, f):
            matrix[at + c] = B[np.uint64(on), np.uint64(int(on_of[c]))]
        if paired:
            off = int(off_of[r])
            for c in range(r, f):
                other, taken = int(on_of[c]), int(off_of[c])
                if off >= 0:
                    matrix[at + c] -= B[off, other]
                if taken >= 0:
                    matrix[at + c] -= B[on, taken]
                    if off >= 0:
                        matrix[at + c] += B[off, taken]
        matrix[at + r] += e[int(row[r])]
    for k in range(f):
        own, scale = matrix[k * f + k], W.scale[int(row[k])]
        if not own > PIVOT_FLOOR * scale * scale:
            return False
        inverse = 1.0 / own
        for r in range(k + 1, f):
            subtract_row(matrix, r * f + r, matrix, k * f + r, inverse * matrix[k * f + r], f - r)
        matrix[k * f + k] = inverse
    W.factored[0] = f
    return True


@kernel
def solve_free(f, matrix, x):
    """x <- (L D L')^-1 x in place."""
    for k in range(f):
        own = x[k] * matrix[k * f + k]
        subtract_row(x, k + 1, matrix, k * f + k + 1, own, f - k - 1)
        x[k] = own
    for k in range(f - 1, -1, -1):
        even, odd = 0.0, 0.0  # two sums, so that one addition need not wait for the other
        c = k + 1
        while c + 1 < f:
            even += matrix[k * f + c] * x[c]
            odd += matrix[k * f + c + 1] * x[c + 1]
            c += 2
        if c < f:
            even += matrix[k * f + c] * x[c]
        x[k] -= (even + odd) * matrix[k * f + k]


@kernel
def start_rows(B, u_free, rows, W):
    """Make the states possible, fill the rows' scales sqrt(a_ii) and own sizes; False: give up."""
    active, lower, upper = rows.active, rows.lower, rows.upper
    for i in range(rows.z.shape[0]):
        channel, minus = rows.channel[i], rows.minus[i]
        own = own_inertia(B, channel, minus) + rows.e[i]
        if not 0.0 < own < math.inf:
            return False
        scale = math.sqrt(own)
        W.scale[i] = scale
        b = u_free[channel] + rows.bias[i]
        if minus >= 0:
            b -= u_free[minus]
        W.own[i] = own_size(b, lower[i], upper[i], scale)
        if lower[i] == upper[i]:
            active[i] = -1
        elif (active[i] < 0 and lower[i] == -math.inf) or (active[i] > 0 and upper[i] == math.inf):
            active[i] = 0
    return True


@kernel
def largest_in_play(rows, W):
    """Largest own size of the rows that are free or have z != 0; 1 if they have none."""
    largest = 0.0
    for i in range(rows.z.shape[0]):
        if rows.active[i] == 0 or rows.z[i] != 0.0:
            largest = max(largest, W.own[i])
    return largest if largest > 0.0 else 1.0


@kernel
def coupling(i, j, B, rows):
    """Coupling of rows i and j through B [1/kg]."""
    on, off = rows.channel[i], rows.minus[i]
    other, taken = rows.channel[j], rows.minus[j]
    value = B[np.uint64(on), np.uint64(other)]
    if off >= 0:
        value -= B[off, other]
    if taken >= 0:
        value -= B[on, taken]
        if off >= 0:
            value += B[off, taken]
    return value


@kernel
def size_on_channels(i, B, rows, W):
    """A lower limit of row i's size (``residual``): its own, and its neighbours' own at one remove."""
    size = W.own[i]
    scale = W.scale[i]
    for j in range(rows.z.shape[0]):
        most = W.own[j]
        if j != i and most > size:
            a = coupling(i, j, B, rows)
            hand = handed_on(rows.z[j], rows.active[j] != 0, most, W.scale[j])
            size = max(size, min(abs(a) * hand / scale, most))
    return size


@kernel
def exchange_rows(rows, beta, W):
    """Change the state of all offending rows at once; return their number. Free rows within tau of a
    bound are put on it; the result is then -1 if no row offends."""
    z, active, lower, upper, n = rows.z, rows.active, rows.lower, rows.upper, rows.z.shape[0]
    zmax = 0.0
    for i in range(n):
        zmax = max(zmax, abs(z[i]) * W.scale[i])
    tau = TOLERANCE * beta + 4e-16 * n * zmax
    offending, clamped = 0, False
    for i in range(n):
        state, scale = active[i], W.scale[i]
        if state == 0:
            beyond = max(lower[i] - z[i], z[i] - upper[i])
            if beyond > tau / scale:
                active[i] = -1 if z[i] < lower[i] else 1
                offending += 1
            elif beyond > 0.0:
                z[i] = min(max(z[i], lower[i]), upper[i])
                clamped = True
        elif lower[i] < upper[i]:
            if state * row_velocity(i, rows) > tau * scale:
                active[i] = 0
                offending += 1
    if offending == 0 and clamped:
        return -1
    return offending


@kernel
def solve_listed(B, u_free, rows, beta, W):
    """Solve the free rows for w = 0, refined to round-off; False where they cannot be factored."""
    z, x, row = rows.z, W.x, W.row
    respond(B, u_free, rows)
    f, factored = list_free(rows, W)
    change = change_of_rows(rows.e, f, W) if factored else 0.0
    last = math.inf
    for sweep in range(SWEEPS + 1):
        worst = 0.0
        for r in range(f):
            i = int(row[r])
            w = row_velocity(i, rows)
            worst = max(worst, abs(w) / W.scale[i])
            x[r] = -w
        # Solved at least once: a stiff row's own numbers are far more exact than its residual.
        exact = sweep > 0 and worst <= EXACT * beta
        if exact or sweep == SWEEPS or (sweep > 1 and worst > 0.5 * last):
            break
        last = worst
        if not factored or not change * worst <= EXACT * beta:
            if not factor_free(B, rows.e, f, W):
                return False
            factored, change = True, 0.0
        solve_free(f, W.matrix, x)
        for r in range(f):
            z[int(row[r])] += x[r]
        respond(B, u_free, rows)
    return True


@kernel
def residual_on_channels(B, rows, W, least):
    """Natural residual of the rows, or a bound above it; inf where it is not a number."""
    residual = 0.0
    for i in range(rows.z.shape[0]):
        z, lower, upper, scale = rows.z[i], rows.lower[i], rows.upper[i], W.scale[i]
        w = row_velocity(i, rows)
        size = max(W.own[i], least / scale)
        if size == 0.0:
            size = 1e-300  # no reason to divide by zero
        r = row_residual(z, w, lower, upper, scale, size)
        if r > PLAIN:
            size = max(size, size_on_channels(i, B, rows, W))
            r = row_residual(z, w, lower, upper, scale, size)
        if not r <= residual:  # also true for NaN
            residual = r
            if not r < math.inf:
                return math.inf
    return residual


@kernel
def exchange_until_solved(B, u_free, rows, W, least):
    """Factor, solve and exchange rows until none offends; the residual, inf when given up."""
    z, active = rows.z, rows.active
    if not start_rows(B, u_free, rows, W):
        return math.inf
    for _try in range(TRIES):
        for i in range(z.shape[0]):
            if active[i] < 0:
                z[i] = rows.lower[i]
            elif active[i] > 0:
                z[i] = rows.upper[i]
        beta = largest_in_play(rows, W)
        if not solve_listed(B, u_free, rows, beta, W):
            return math.inf
        offending = exchange_rows(rows, beta, W)
        if offending > 0:
            continue
        if offending < 0:
            respond(B, u_free, rows)
        return residual_on_channels(B, rows, W, least)
    return math.inf


@kernel
def solve_on_channels(B, u_free, rows, fresh, least):
    """Solve the rows on channels from the active set of a problem nearby.

    Arguments:
        B (C, C): symmetric; u_free (C,): channel velocities without impulses.
        rows: ``ChannelRows``.
        fresh: B has changed since the last call, or rows.work has been used by others; else the last
            factorisation still serves while the same rows are free and e has hardly changed.
        least: lower limit of a row's |b| in its size (``residual.residual_above``) [m/s].
    Returns: the natural residual of z as in ``residual.natural_residual``, or a bound above it that
        looks no further than from row to row, recomputed from u; inf when given up: z and active are
        then as they were.
    """
    n = rows.z.shape[0]
    W = ChannelWork(rows.work, n)
    if fresh:
        W.factored[0] = -1.0
    for i in range(n):
        W.z[i], W.active[i] = rows.z[i], rows.active[i]
    residual = exchange_until_solved(B, u_free, rows, W, least)
    if residual == math.inf:
        for i in range(n):
            rows.z[i], rows.active[i] = W.z[i], int(W.active[i])
    return residual
