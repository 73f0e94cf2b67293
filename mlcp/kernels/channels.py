"""Rows that lie on channels: block principal pivoting from a warm start, without forming the matrix.

A host sees a few channels, velocities ``u = u_free + B q`` for channel impulses q. Every row acts on
one of them, or on the difference of two: ``w = u[channel] - u[minus] + e z + bias``. So

    A = S B S' + diag(e),   b = S u_free + bias,   S one +1 and at most one -1 in a row,

and with B symmetric one factorisation of the free rows and two products with B solve a problem whose
active set is known. Solved here to round-off or given up: what is harder (dependent rows, exchanges
that go round) is ``direct``'s, which needs the dense matrix and knows what to do.
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.elimination import PIVOT_FLOOR, subtract_row
from mlcp.kernels.residual import handed_on, own_size, row_residual

TOLERANCE = 1e-12  # on signs, scaled: as in ``direct``
EXACT = 4e-15  # residual of the free rows that asks for no refinement
PLAIN = 1e-13  # residual relative to a row's own size that asks for no look at its neighbours
SWEEPS = 3  # a solve and at most two refinements
TRIES = 6  # exchanges of rows before the problem is given up


@kernel
def own_inertia(B, channel, minus):
    """Diagonal of S B S' [1/kg] of a row on these channels."""
    value = B[channel, channel]
    if minus >= 0:
        value += B[minus, minus] - B[minus, channel] - B[channel, minus]
    return value


@kernel
def respond(B, u_free, channel, minus, z, q, u):
    """Channel impulses q = S'z and velocities u = u_free + B q of the rows' impulses z; B symmetric."""
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
def row_velocity(i, channel, minus, e, bias, z, u):
    """w of row i."""
    w = u[channel[i]] + e[i] * z[i] + bias[i]
    if minus[i] >= 0:
        w -= u[minus[i]]
    return w


@kernel
def list_free(channel, minus, active, work, n):
    """List the free rows and their channels in work; (how many, whether they are those factored)."""
    o_row, o_on, o_off, o_factored = n * n + 2 * n, n * n + 3 * n, n * n + 4 * n, n * n + 8 * n
    f, same = 0, True
    for i in range(n):
        if active[i] == 0:
            same = same and work[o_row + f] == i
            work[o_row + f], work[o_on + f], work[o_off + f] = i, channel[i], minus[i]
            f += 1
    same = same and work[o_factored] == f
    if not same:
        work[o_factored] = -1.0
    return f, same


@kernel
def change_of_rows(e, f, work, n):
    """Largest change of a free row's compliance since it was factored, relative to a_ii."""
    o_row, o_e = n * n + 2 * n, n * n + 7 * n
    change = 0.0
    for r in range(f):
        i = int(work[o_row + r])
        scale = work[n * n + i]
        change = max(change, abs(e[i] - work[o_e + i]) / (scale * scale))
    return change


@kernel
def factor_free(B, e, f, work, n):
    """L D L' of the listed rows of A: D L' in the upper triangle work[:f*f], 1 / D on its diagonal.

    Returns: False if a row depends on those before it.
    """
    o_row, o_on, o_off, o_e = n * n + 2 * n, n * n + 3 * n, n * n + 4 * n, n * n + 7 * n
    paired = False
    for r in range(f):
        paired = paired or work[o_off + r] >= 0.0
        i = int(work[o_row + r])
        work[o_e + i] = e[i]
    for r in range(f):
        at, on = r * f, int(work[o_on + r])
        for c in range(r, f):
            work[np.uint64(at + c)] = B[np.uint64(on), np.uint64(int(work[np.uint64(o_on + c)]))]
        if paired:
            off = int(work[o_off + r])
            for c in range(r, f):
                other, taken = int(work[o_on + c]), int(work[o_off + c])
                if off >= 0:
                    work[at + c] -= B[off, other]
                if taken >= 0:
                    work[at + c] -= B[on, taken]
                    if off >= 0:
                        work[at + c] += B[off, taken]
        work[at + r] += e[int(work[o_row + r])]
    for k in range(f):
        own, scale = work[k * f + k], work[n * n + int(work[o_row + k])]
        if not own > PIVOT_FLOOR * scale * scale:
            return False
        inverse = 1.0 / own
        for r in range(k + 1, f):
            subtract_row(work, r * f + r, k * f + r, inverse * work[k * f + r], f - r)
        work[k * f + k] = inverse
    work[n * n + 8 * n] = f
    return True


@kernel
def solve_free(f, work, o_x):
    """x <- (L D L')^-1 x in place."""
    for k in range(f):
        x = work[o_x + k] * work[k * f + k]
        subtract_row(work, o_x + k + 1, k * f + k + 1, x, f - k - 1)
        work[o_x + k] = x
    for k in range(f - 1, -1, -1):
        even, odd = 0.0, 0.0  # two sums, so that one addition need not wait for the other
        c = k + 1
        while c + 1 < f:
            even += work[k * f + c] * work[o_x + c]
            odd += work[k * f + c + 1] * work[o_x + c + 1]
            c += 2
        if c < f:
            even += work[k * f + c] * work[o_x + c]
        work[o_x + k] -= (even + odd) * work[k * f + k]


@kernel
def start_rows(B, u_free, channel, minus, e, bias, lower, upper, active, work, n):
    """Make the states possible, fill the rows' scales sqrt(a_ii) and own sizes; False: give up."""
    for i in range(n):
        own = own_inertia(B, channel[i], minus[i]) + e[i]
        if not 0.0 < own < math.inf:
            return False
        scale = math.sqrt(own)
        work[n * n + i] = scale
        b = u_free[channel[i]] + bias[i]
        if minus[i] >= 0:
            b -= u_free[minus[i]]
        work[n * n + 9 * n + i] = own_size(b, lower[i], upper[i], scale)
        if lower[i] == upper[i]:
            active[i] = -1
        elif (active[i] < 0 and lower[i] == -math.inf) or (active[i] > 0 and upper[i] == math.inf):
            active[i] = 0
    return True


@kernel
def largest_in_play(active, z, work, n):
    """Largest own size of the rows that are free or carry something; 1 if they have none."""
    largest = 0.0
    for i in range(n):
        if active[i] == 0 or z[i] != 0.0:
            largest = max(largest, work[n * n + 9 * n + i])
    return largest if largest > 0.0 else 1.0


@kernel
def size_on_channels(i, B, channel, minus, z, active, work, n):
    """A lower limit of row i's size (``residual``): its own, and its neighbours' own at one remove."""
    o_own = n * n + 9 * n
    size = work[o_own + i]
    scale = work[n * n + i]
    c, d = channel[i], minus[i]
    for j in range(n):
        most = work[o_own + j]
        if j != i and most > size:
            a = B[c, channel[j]]
            if d >= 0:
                a -= B[d, channel[j]]
            if minus[j] >= 0:
                a -= B[c, minus[j]]
                if d >= 0:
                    a += B[d, minus[j]]
            hand = handed_on(z[j], active[j] != 0, most, work[n * n + j])
            size = max(size, min(abs(a) * hand / scale, most))
    return size


@kernel
def exchange_rows(channel, minus, e, bias, lower, upper, z, active, u, beta, work, n):
    """Let all offending rows change state at once; how many they are. Free rows within tau of a
    bound are put on it; then the answer is -1 if nothing offends."""
    zmax = 0.0
    for i in range(n):
        zmax = max(zmax, abs(z[i]) * work[n * n + i])
    tau = TOLERANCE * beta + 4e-16 * n * zmax
    offending, clamped = 0, False
    for i in range(n):
        state, scale = active[i], work[n * n + i]
        if state == 0:
            beyond = max(lower[i] - z[i], z[i] - upper[i])
            if beyond > tau / scale:
                active[i] = -1 if z[i] < lower[i] else 1
                offending += 1
            elif beyond > 0.0:
                z[i] = min(max(z[i], lower[i]), upper[i])
                clamped = True
        elif lower[i] < upper[i]:
            if state * row_velocity(i, channel, minus, e, bias, z, u) > tau * scale:
                active[i] = 0
                offending += 1
    if offending == 0 and clamped:
        return -1
    return offending


@kernel
def exchange_until_solved(
    B, u_free, channel, minus, e, bias, lower, upper, z, active, q, u, work, n, least
):
    """Factor, solve and exchange rows until none offends; the residual, inf when given up."""
    o_x, o_row = n * n + n, n * n + 2 * n
    if not start_rows(B, u_free, channel, minus, e, bias, lower, upper, active, work, n):
        return math.inf
    for _try in range(TRIES):
        for i in range(n):
            if active[i] < 0:
                z[i] = lower[i]
            elif active[i] > 0:
                z[i] = upper[i]
        beta = largest_in_play(active, z, work, n)
        respond(B, u_free, channel, minus, z, q, u)
        f, factored = list_free(channel, minus, active, work, n)
        change = change_of_rows(e, f, work, n) if factored else 0.0
        last = math.inf
        for sweep in range(SWEEPS + 1):
            worst = 0.0
            for r in range(f):
                i = int(work[o_row + r])
                w = row_velocity(i, channel, minus, e, bias, z, u)
                worst = max(worst, abs(w) / work[n * n + i])
                work[o_x + r] = -w
            # Solved at least once: a stiff row's own numbers are far more exact than its residual.
            exact = sweep > 0 and worst <= EXACT * beta
            if exact or sweep == SWEEPS or (sweep > 1 and worst > 0.5 * last):
                break
            last = worst
            if not factored or not change * worst <= EXACT * beta:
                if not factor_free(B, e, f, work, n):
                    return math.inf
                factored, change = True, 0.0
            solve_free(f, work, o_x)
            for r in range(f):
                z[int(work[o_row + r])] += work[o_x + r]
            respond(B, u_free, channel, minus, z, q, u)
        offending = exchange_rows(channel, minus, e, bias, lower, upper, z, active, u, beta, work, n)
        if offending > 0:
            continue
        if offending < 0:
            respond(B, u_free, channel, minus, z, q, u)
        residual = 0.0
        for i in range(n):
            w = row_velocity(i, channel, minus, e, bias, z, u)
            size = max(work[n * n + 9 * n + i], least / work[n * n + i])
            if size == 0.0:
                size = 1e-300  # no reason to divide by zero
            r = row_residual(z[i], w, lower[i], upper[i], work[n * n + i], size)
            if r > PLAIN:
                size = max(size, size_on_channels(i, B, channel, minus, z, active, work, n))
                r = row_residual(z[i], w, lower[i], upper[i], work[n * n + i], size)
            if not r <= residual:  # also true for NaN
                residual = r
                if not r < math.inf:
                    return math.inf
        return residual
    return math.inf


@kernel
def solve_on_channels(
    B, u_free, channel, minus, e, bias, lower, upper, z, active, q, u, work, fresh, least
):
    """Solve the rows on channels from the active set of a problem nearby.

    Arguments:
        B (C, C): symmetric; u_free (C,): channel velocities without impulses.
        channel, minus (n,) int64: what each row acts on, minus -1 for none.
        e, bias, lower, upper (n,): compliance, bias and bounds of the rows.
        z (n,), active (n,) int64: warm start and result; -1 at lower, 0 free, +1 at upper.
        q, u (C,): channel impulses and velocities of the result.
        work: ``direct_work_size(n)`` long.
        fresh: B has changed since the last call, or work has been used by others; else the last
            factorisation still serves while the same rows are free and e has hardly changed.
        least: what a row's b counts as at least when it is judged (``residual.residual_above``) [m/s].
    Returns: the natural residual of z as in ``residual.natural_residual``, or a bound above it that
        looks no further than from row to row, recomputed from u; inf when given up: z and active are
        then as they were.
    """
    n = z.shape[0]
    o_z, o_active = n * n + 5 * n, n * n + 6 * n
    if fresh:
        work[n * n + 8 * n] = -1.0
    for i in range(n):
        work[o_z + i], work[o_active + i] = z[i], active[i]
    residual = exchange_until_solved(
        B, u_free, channel, minus, e, bias, lower, upper, z, active, q, u, work, n, least
    )
    if residual == math.inf:
        for i in range(n):
            z[i], active[i] = work[o_z + i], int(work[o_active + i])
    return residual
