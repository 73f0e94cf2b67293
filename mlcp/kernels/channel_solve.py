"""Block principal pivoting of rows on channels from a warm start, without forming the matrix.

The rows act on channels (contact velocities): A = S B S' + diag(e), with the mobility B of the channels,
the selection S of each row's channels (+1, -1) and the compliances e, see ``channel_rows``. With B
symmetric one factorisation of the free rows and two products with B solve a problem whose active set is
known. A problem is solved to round-off or given up: harder ones (dependent rows, cycling exchanges) are
left to the solver ``direct``, which needs A as a dense matrix. In lanes (several vehicles side by side
in one SIMD register) truth values are masks over the lanes; ``going``: the lane is not finished.
Arguments of the kernels: B (C, C) and u_free (C,) of the channels; rows, a ``ChannelRows``; W, a
``ChannelWork``; beta, the scale of b from ``largest_in_play``.
"""

import math

from mlcp.compiled.branches import as_many, no, some, split, where
from mlcp.jit import kernel
from mlcp.kernels.channel_factor import factor_free, list_free, listed, solve_free
from mlcp.kernels.channel_rows import ChannelWork, coupling, own_inertia, respond, row_velocity
from mlcp.kernels.one_row import effective_z, own_size, row_residual

UNREFINED_RESIDUAL = 4e-15  # largest |w_i| / sqrt(a_ii) of free rows, over beta, that is not refined
MAX_SOLVES = 3  # a solve and at most two refinements
MAX_EXCHANGES = 6  # number of exchanges of rows after which a problem is given up


@kernel
def start_rows(B, u_free, rows, going, W):
    """Free rows whose active bound is infinite, and put rows of equal bounds at the lower one; compute
    W.scale, sqrt(a_ii) of each row, and W.own, its size from its own bias and bounds (``own_size``).

    Returns: ``going``, without lanes in which an a_ii is not positive or not finite.
    """
    active, lower, upper = rows.active, rows.lower, rows.upper
    for i in range(rows.z.shape[0]):
        channel, minus = rows.channel[i], rows.minus[i]
        own = own_inertia(B, channel, minus) + rows.e[i]
        going = going & (own > 0.0) & (own < math.inf)
        scale = math.sqrt(where(going, own, 1.0))
        W.scale[i] = scale
        b = u_free[channel] + rows.bias[i]
        if minus >= 0:
            b -= u_free[minus]
        W.own[i] = own_size(b, lower[i], upper[i], scale)
        fixed = lower[i] == upper[i]
        unbounded = ((active[i] < 0) & (lower[i] == -math.inf)) | (
            (active[i] > 0) & (upper[i] == math.inf)
        )
        active[i] = where(going, where(fixed, -1, where(unbounded, 0, active[i])), active[i])
    return going


@kernel
def largest_in_play(rows, W):
    """Largest own bias of the rows that are free or have z != 0; 1 if all of these biases are zero.

    Own bias of row i: max(|b_i| / s_i, s_i times the least |z_i| within the bounds), s_i = sqrt a_ii.
    """
    largest = as_many(0.0, W.own[0])
    for i in range(rows.z.shape[0]):
        counts = (rows.active[i] == 0) | (rows.z[i] != 0.0)
        largest = where(counts, max(largest, W.own[i]), largest)
    return where(largest > 0.0, largest, 1.0)


@kernel
def solve_listed(B, u_free, rows, beta, going, factored, W):
    """Solve the free rows for w = 0, refined to round-off, in lanes where ``going`` holds.

    Returns: (mask: the free rows are dependent, mask: W has the factorisation of exactly these rows).
    """
    n, z, active = rows.z.shape[0], rows.z, rows.active
    respond(B, u_free, rows)
    f, factored = list_free(rows, factored, W)
    change = as_many(0.0, beta)
    if some(factored):
        for i in range(n):
            moved = abs(rows.e[i] - W.e[i]) / (W.scale[i] * W.scale[i])
            change = where(factored & (active[i] == 0), max(change, moved), change)
    last, failed = as_many(math.inf, beta), going & no(going)
    for sweep in range(MAX_SOLVES + 1):
        worst = as_many(0.0, beta)
        for i in range(n):
            free = active[i] == 0
            if some(free):
                W.w[i] = row_velocity(i, rows)
                worst = where(free, max(worst, abs(W.w[i]) / W.scale[i]), worst)
        for r in range(f):
            W.x[r] = where(listed(W.count[0], r), -W.w[split(W.row[r])[0]], 0.0)
        # At least one solve: the residual over beta is small in a row of large compliance even if its z
        # is inaccurate.
        if sweep > 0:
            going = going & no(worst <= UNREFINED_RESIDUAL * beta)
        if sweep > 1:
            going = going & no(worst > 0.5 * last)
        if sweep == MAX_SOLVES or not some(going):
            break
        last = where(going, worst, last)
        need = going & no(factored & (change * worst <= UNREFINED_RESIDUAL * beta))
        if some(need):
            lost = factor_free(B, rows, f, need, W)
            failed, going = failed | lost, going & no(lost)
            factored = (factored | need) & no(lost)
            change = where(need, 0.0, change)
        solve_free(n, f, W)
        for i in range(n):
            moves = going & (active[i] == 0)
            if some(moves):
                z[i] = where(moves, z[i] + W.x[split(W.place[i])[0]], z[i])
        respond(B, u_free, rows)
    return failed, factored


@kernel
def exchange_rows(rows, beta, going, W):
    """Free every row at a bound if its w has the wrong sign; put free rows beyond a bound on this bound.

    A row whose free z exceeds its bound by no more than round-off stays free, with z at the bound.

    Returns: (mask: a state has changed, mask: no state has changed, but a z was set to a bound).
    """
    z, active, lower, upper, n = rows.z, rows.active, rows.lower, rows.upper, rows.z.shape[0]
    zmax = as_many(0.0, beta)
    for i in range(n):
        zmax = max(zmax, abs(z[i]) * W.scale[i])
    tau = 1e-12 * beta + 4e-16 * n * zmax  # round-off of z and w in rows of unit diagonal
    offending, clamped = going & no(going), going & no(going)
    for i in range(n):
        state, scale = active[i], W.scale[i]
        free = going & (state == 0)
        beyond = max(lower[i] - z[i], z[i] - upper[i])
        out, near = free & (beyond > tau / scale), free & (beyond > 0.0) & no(beyond > tau / scale)
        back = going & no(state == 0) & (lower[i] < upper[i])
        if some(back):
            back = back & (state * row_velocity(i, rows) > tau * scale)
        active[i] = where(out, where(z[i] < lower[i], -1, 1), where(back, 0, state))
        z[i] = where(near, min(max(z[i], lower[i]), upper[i]), z[i])
        offending, clamped = offending | out | back, clamped | near
    return offending, clamped & no(offending)


@kernel
def size_on_channels(i, B, rows, far, W):
    """Lower limit of row i's size, which is the largest bias acting on it directly or through rows.
    The limit is row i's bias and, in lanes where ``far`` holds, the biases of directly coupled rows."""
    size, scale = W.own[i], W.scale[i]
    for j in range(rows.z.shape[0]):
        most = W.own[j]
        if j != i and some(far & (most > size)):
            bounded = rows.active[j] != 0
            effective = where(bounded, abs(rows.z[j]), effective_z(rows.z[j], False, most, W.scale[j]))
            reach = max(size, min(abs(coupling(i, j, B, rows)) * effective / scale, most))
            size = where(most > size, reach, size)
    return size


@kernel
def residual_on_channels(B, rows, W, least):
    """Natural residual of the rows [-], relative to their sizes (largest biases), or an upper bound of
    it; inf for NaN. ``least``: lower limit of |b| in a size [m/s]."""
    residual = as_many(0.0, W.own[0])
    for i in range(rows.z.shape[0]):
        z, lower, upper, scale = rows.z[i], rows.lower[i], rows.upper[i], W.scale[i]
        w = row_velocity(i, rows)
        size = max(W.own[i], least / scale)
        size = where(size == 0.0, 1e-300, size)  # prevents a division by zero
        r = row_residual(z, w, lower, upper, scale, size)
        far = r > 1e-13  # smaller residuals are accepted without the sizes of coupled rows
        if some(far):
            larger = max(size, size_on_channels(i, B, rows, far, W))
            r = where(far, row_residual(z, w, lower, upper, scale, larger), r)
        residual = where(r <= residual, residual, r)  # takes r also if r is NaN
        residual = where(r == r, residual, math.inf)
    return residual


@kernel
def exchange_until_solved(B, u_free, rows, going, factored, W, least):
    """Factor, solve and exchange rows until no sign is wrong, in lanes where ``going`` holds.

    Returns: (residual [-], inf where given up, mask: W has the factorisation of the last free rows).
    """
    z, active, residual = rows.z, rows.active, as_many(math.inf, W.own[0])
    going = start_rows(B, u_free, rows, going, W)
    for _try in range(MAX_EXCHANGES):
        if not some(going):
            break
        for i in range(z.shape[0]):
            z[i] = where(going & (active[i] < 0), rows.lower[i], z[i])
            z[i] = where(going & (active[i] > 0), rows.upper[i], z[i])
        beta = largest_in_play(rows, W)
        failed, factored = solve_listed(B, u_free, rows, beta, going, factored, W)
        going = going & no(failed)
        offending, clamped = exchange_rows(rows, beta, going, W)
        if some(clamped):
            respond(B, u_free, rows)
        found = going & no(offending)
        if some(found):
            residual = where(found, residual_on_channels(B, rows, W, least), residual)
        going = going & offending
    return residual, factored


@kernel
def solve_on_channels(B, u_free, rows, factored, least):
    """Solve the rows on channels from the active set of a similar problem.

    Arguments:
        B (C, C): symmetric; u_free (C,): channel velocities without impulses.
        rows: ``ChannelRows``.
        factored: True if rows.work holds the factorisation of the last call and B is the same; it is
            used again if the same rows are free and e has hardly changed.
        least: lower limit of a row's |b| in its size (``residual.residual_above``) [m/s].
    Returns: (the natural residual of z as in ``residual.residual_above``, recomputed from u, or an
        upper bound of it by the sizes of directly coupled rows; ``factored`` of the next call). The
        residual is inf when given up: z and active are then as they were.
    """
    n = rows.z.shape[0]
    W = ChannelWork(rows.work, n)
    for i in range(n):
        W.z[i], W.active[i] = rows.z[i], rows.active[i]
    residual, factored = exchange_until_solved(B, u_free, rows, True, factored, W, least)
    if residual == math.inf:
        for i in range(n):
            rows.z[i], rows.active[i] = W.z[i], int(W.active[i])
    return residual, factored
