"""Rows solved in lanes by block pivoting, several vehicles side by side, with the bytes of ``reduced``.

Every lane has a list of its own free rows, and their matrix is gathered by it; the lists are worked on
as far as the longest goes. What a lane has not is masked, so its sums are those of its own list.
"""

from __future__ import annotations

import math

from mlcp.compiled.branches import as_many, no, some, split, where
from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import kernel
from mlcp.kernels.channel_rows import (
    EXACT,
    PLAIN,
    SWEEPS,
    TOLERANCE,
    TRIES,
    coupling,
    own_inertia,
    row_velocity,
)
from mlcp.kernels.free_rows import PIVOT_FLOOR
from mlcp.kernels.one_row import handed_on, own_size, row_residual

from ..wheel import layout as at


class LaneWork(Workspace, sizes="n"):
    """What lanes keep of their rows; ``active`` and ``z`` from step to step."""

    active = part("n", "-1 at lower, 0 free, 1 at upper")
    before = part("n", "impulses at the start of the step")
    was = part("n", "and active set")
    matrix = part("n n", "D L' of the free rows in the upper triangle; 1 / D on its diagonal")
    x = part("n", "right-hand side and solution of the free rows")
    scale = part("n", "sqrt of the rows' a_ii")
    own = part("n", "the rows' own sizes")
    e = part("n", "compliance with which the free rows were factored")
    free = part("n", "1: the row is among those factored")
    w = part("n", "velocities of the rows")
    row = part("n", "the free rows of each lane, in turn")
    place = part("n", "of a free row in that list")
    count = part("1", "how many they are")
    coupling = part("n n", "how rows see each other, upper triangle")


@kernel
def respond_lanes(B, u_free, rows):
    """``channel_rows.respond``."""
    q, u, channels = rows.q, rows.u, rows.q.shape[0]
    for c in range(channels):
        q[c] = 0.0
        u[c] = u_free[c]
    for i in range(rows.z.shape[0]):
        q[rows.channel[i]] += rows.z[i]
        if rows.minus[i] >= 0:
            q[rows.minus[i]] -= rows.z[i]
    k = 0
    while k + 3 < channels:
        q_0, q_1, q_2, q_3 = q[k], q[k + 1], q[k + 2], q[k + 3]
        for c in range(channels):
            u[c] += (B[k, c] * q_0 + B[k + 1, c] * q_1) + (B[k + 2, c] * q_2 + B[k + 3, c] * q_3)
        k += 4
    while k < channels:
        impulse = q[k]
        for c in range(channels):
            u[c] = where(impulse != 0.0, u[c] + B[k, c] * impulse, u[c])
        k += 1


@kernel
def couple_lanes(B, rows, W):
    """How all rows see each other; the same in all passes of a step."""
    n = rows.z.shape[0]
    for i in range(n):
        for j in range(i, n):
            W.coupling[i * n + j] = coupling(i, j, B, rows)


@kernel
def list_lanes(rows, factored, W):
    """List the free rows; the longest list, and in which lanes they are those factored."""
    count, at, n = as_many(0.0, W.own[0]), as_many(0, W.own[0]), rows.z.shape[0]
    for i in range(n):
        free, was = W.active[i] == 0.0, W.free[i] == 1.0
        factored = factored & ((free & was) | no(free | was))
        W.place[i], W.row[at] = count, i  # of a row that is not free the next one takes the place
        count, at = where(free, count + 1.0, count), where(free, at + 1, at)
    f = 0
    while f < n and some(count > f):
        W.row[f] = where(count > f, W.row[f], 0.0)
        f += 1
    W.count[0] = count
    return f, factored


@kernel
def factor_lanes(rows, f, need, W):
    """L D L' of the listed rows of the lanes that need it; those in which a row depends on others."""
    n, M, count, failed = rows.z.shape[0], W.matrix, W.count[0], need & no(need)
    for i in range(n):
        free = need & (W.active[i] == 0.0)
        W.e[i] = where(free, rows.e[i], W.e[i])
        W.free[i] = where(need, where(free, 1.0, 0.0), W.free[i])
    for r in range(f):
        i = split(W.row[r])[0]
        for c in range(r, f):
            value = W.coupling[i * n + split(W.row[c])[0]]
            if c == r:
                value += rows.e[i]
            M[r * n + c] = where(need, where(count > c, value, 0.0), M[r * n + c])
    for k in range(f):
        free, own, scale = need & (count > k), M[k * n + k], W.scale[split(W.row[k])[0]]
        sound = own > PIVOT_FLOOR * scale * scale
        failed = failed | (free & no(sound))
        inverse = where(
            free & sound, 1.0 / where(sound, own, 1.0), 0.0
        )  # elsewhere nothing is taken away
        for r in range(k + 1, f):
            factor = inverse * M[k * n + r]
            for c in range(r, f):
                M[r * n + c] -= factor * M[k * n + c]
        M[k * n + k] = where(free, inverse, own)
    return failed


@kernel
def solve_free_lanes(n, f, W):
    """x <- (L D L')^-1 x on the listed rows, in the order of ``channel_rows.solve_free``."""
    M, x, count = W.matrix, W.x, W.count[0]
    for k in range(f):
        own = where(count > k, x[k] * M[k * n + k], 0.0)
        for c in range(k + 1, f):
            x[c] -= own * M[k * n + c]
        x[k] = own
    for k in range(f - 1, -1, -1):
        first, second = as_many(0.0, x[k]), as_many(0.0, x[k])
        for c in range(k + 1, f, 2):
            first = where(count > c, first + M[k * n + c] * x[c], first)
        for c in range(k + 2, f, 2):
            second = where(count > c, second + M[k * n + c] * x[c], second)
        x[k] = where(count > k, x[k] - (first + second) * M[k * n + k], 0.0)


@kernel
def start_lanes(B, u_free, rows, sound, W):
    """``channel_rows.start_rows``; which of the lanes may go on."""
    active, lower, upper = W.active, rows.lower, rows.upper
    for i in range(rows.z.shape[0]):
        channel, minus = rows.channel[i], rows.minus[i]
        own = own_inertia(B, channel, minus) + rows.e[i]
        sound = sound & (own > 0.0) & (own < math.inf)
        scale = math.sqrt(own)
        W.scale[i] = scale
        b = u_free[channel] + rows.bias[i]
        if minus >= 0:
            b -= u_free[minus]
        W.own[i] = own_size(b, lower[i], upper[i], scale)
        fixed = lower[i] == upper[i]
        open_end = ((active[i] < 0.0) & (lower[i] == -math.inf)) | (
            (active[i] > 0.0) & (upper[i] == math.inf)
        )
        active[i] = where(sound, where(fixed, -1.0, where(open_end, 0.0, active[i])), active[i])
    return sound


@kernel
def largest_lanes(rows, W):
    """``channel_rows.largest_in_play``."""
    largest = as_many(0.0, W.own[0])
    for i in range(rows.z.shape[0]):
        counts = (W.active[i] == 0.0) | (rows.z[i] != 0.0)
        largest = where(counts, max(largest, W.own[i]), largest)
    return where(largest > 0.0, largest, 1.0)


@kernel
def solve_active(B, u_free, rows, beta, going, factored, W):
    """``channel_rows.solve_listed`` of the lanes that go on; ``(failed, factored)``."""
    n, z, active = rows.z.shape[0], rows.z, W.active
    respond_lanes(B, u_free, rows)
    f, factored = list_lanes(rows, factored, W)
    change = as_many(0.0, beta)
    for i in range(n):
        moved = abs(rows.e[i] - W.e[i]) / (W.scale[i] * W.scale[i])
        change = where(factored & (active[i] == 0.0), max(change, moved), change)
    last, failed = as_many(math.inf, beta), going & no(going)
    for sweep in range(SWEEPS + 1):
        worst = as_many(0.0, beta)
        for i in range(n):
            W.w[i] = row_velocity(i, rows)
            worst = where(active[i] == 0.0, max(worst, abs(W.w[i]) / W.scale[i]), worst)
        for r in range(f):
            W.x[r] = where(W.count[0] > r, -W.w[split(W.row[r])[0]], 0.0)
        if sweep > 0:
            going = going & no(worst <= EXACT * beta)
        if sweep > 1:
            going = going & no(worst > 0.5 * last)
        if sweep == SWEEPS or not some(going):
            break
        last = where(going, worst, last)
        need = going & no(factored & (change * worst <= EXACT * beta))
        if some(need):
            lost = factor_lanes(rows, f, need, W)
            failed, going = failed | lost, going & no(lost)
            factored = (factored | need) & no(lost)
            change = where(need, 0.0, change)
        solve_free_lanes(n, f, W)
        for i in range(n):
            moves = going & (active[i] == 0.0)
            if some(moves):
                z[i] = where(moves, z[i] + W.x[split(W.place[i])[0]], z[i])
        respond_lanes(B, u_free, rows)
    return failed, factored


@kernel
def exchange_lanes(rows, beta, going, W):
    """``channel_rows.exchange_rows`` of the lanes that go on: where rows changed, where z did."""
    z, active, lower, upper, n = rows.z, W.active, rows.lower, rows.upper, rows.z.shape[0]
    zmax = as_many(0.0, beta)
    for i in range(n):
        zmax = max(zmax, abs(z[i]) * W.scale[i])
    tau = TOLERANCE * beta + 4e-16 * n * zmax
    offending, clamped = going & no(going), going & no(going)
    for i in range(n):
        state, scale = active[i], W.scale[i]
        free = going & (state == 0.0)
        beyond = max(lower[i] - z[i], z[i] - upper[i])
        out, near = free & (beyond > tau / scale), free & (beyond > 0.0) & no(beyond > tau / scale)
        bounded = going & no(state == 0.0) & (lower[i] < upper[i])
        back = bounded & (state * row_velocity(i, rows) > tau * scale)
        active[i] = where(out, where(z[i] < lower[i], -1.0, 1.0), where(back, 0.0, state))
        z[i] = where(near, min(max(z[i], lower[i]), upper[i]), z[i])
        offending, clamped = offending | out | back, clamped | near
    return offending, clamped & no(offending)


@kernel
def size_of_lanes(i, B, rows, far, W):
    """``channel_rows.size_on_channels`` in the lanes ``far``."""
    size, scale = W.own[i], W.scale[i]
    for j in range(rows.z.shape[0]):
        most = W.own[j]
        if j != i and some(far & (most > size)):
            bounded = W.active[j] != 0.0
            hand = where(bounded, abs(rows.z[j]), handed_on(rows.z[j], False, most, W.scale[j]))
            reach = max(size, min(abs(coupling(i, j, B, rows)) * hand / scale, most))
            size = where(most > size, reach, size)
    return size


@kernel
def residual_of_lanes(B, rows, W, least):
    """``channel_rows.residual_on_channels``."""
    residual = as_many(0.0, W.own[0])
    for i in range(rows.z.shape[0]):
        z, lower, upper, scale = rows.z[i], rows.lower[i], rows.upper[i], W.scale[i]
        w = row_velocity(i, rows)
        size = max(W.own[i], least / scale)
        size = where(size == 0.0, 1e-300, size)
        r = row_residual(z, w, lower, upper, scale, size)
        far = r > PLAIN
        if some(far):
            larger = max(size, size_of_lanes(i, B, rows, far, W))
            r = where(far, row_residual(z, w, lower, upper, scale, larger), r)
        residual = where(r <= residual, residual, r)
        residual = where(r == r, residual, math.inf)
    return residual


@kernel
def solve_lanes(B, u_free, rows, going, factored, W):
    """``channel_rows.solve_on_channels`` of the lanes that go on: ``(residual, factored)``; inf where
    given up."""
    z, active, residual = rows.z, W.active, as_many(math.inf, W.own[0])
    going = start_lanes(B, u_free, rows, going, W)
    for _try in range(TRIES):
        if not some(going):
            break
        for i in range(z.shape[0]):
            z[i] = where(going & (active[i] < 0.0), rows.lower[i], z[i])
            z[i] = where(going & (active[i] > 0.0), rows.upper[i], z[i])
        beta = largest_lanes(rows, W)
        failed, factored = solve_active(B, u_free, rows, beta, going, factored, W)
        going = going & no(failed)
        offending, clamped = exchange_lanes(rows, beta, going, W)
        if some(clamped):
            respond_lanes(B, u_free, rows)
        found = going & no(offending)
        if some(found):
            residual = where(found, residual_of_lanes(B, rows, W, at.REST), residual)
        going = going & offending
    return residual, factored
