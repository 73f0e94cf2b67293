"""The contact problem of several vehicles side by side, in lanes, where it is the usual one.

Usual is what driving is made of: wheels that roll under the implicit scheme, whose law and rows agree
after three passes, rows that are solved on their channels. Every lane gets the bytes of ``reduced``;
which lanes were not usual is returned, and nothing of those counts: they are ``reduced``'s.

Rows are not listed as there: those that are free in some lane are worked on in all, by masks. A row
that is not free in a lane takes no part in its sums, so their order is that of the lists.
"""

from __future__ import annotations

import math

from mlcp.compiled.lanes import as_many, no, some, where
from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import kernel
from mlcp.kernels.channel_rows import EXACT, PLAIN, SWEEPS, TOLERANCE, TRIES
from mlcp.kernels.free_rows import PIVOT_FLOOR
from mlcp.kernels.residual import handed_on, own_size, row_residual

from ..schemes.kernels.implicit import line
from ..schemes.kernels.line import Sliding
from . import layout as at
from .agreement import PLAIN as PASSES
from .combined import lateral_alone
from .lay import lay_line, sloped
from .rows import press, thrust_sliding
from .slip import slip_state
from .wheel_law import ellipse_share, forget_laws, law_at, linearise_at, load_at


class LaneWork(Workspace, sizes="n"):
    """What lanes keep of their rows; ``active`` and ``z`` from step to step."""

    active = part("n", "-1 at lower, 0 free, 1 at upper")
    matrix = part("n n", "D L' of the free rows in the upper triangle; 1 / D on its diagonal")
    x = part("n", "right-hand side and solution of the free rows")
    scale = part("n", "sqrt of the rows' a_ii")
    own = part("n", "the rows' own sizes")
    e = part("n", "compliance with which the free rows were factored")
    free = part("n", "1: the row is among those factored")
    before = part("n", "impulses at the start of the step")
    was = part("n", "and active set")
    odd = part("n", "1: an odd number of free rows stands before the row")


@kernel
def respond_lanes(B, u_free, rows):
    """``channel_rows.respond`` of rows that count on one channel each."""
    q, u, channels = rows.q, rows.u, rows.q.shape[0]
    for c in range(channels):
        q[c] = 0.0
        u[c] = u_free[c]
    for i in range(rows.z.shape[0]):
        q[rows.channel[i]] += rows.z[i]
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
def velocity(i, rows):
    """w of row i."""
    return rows.u[rows.channel[i]] + rows.e[i] * rows.z[i] + rows.bias[i]


@kernel
def factor_lanes(B, rows, need, W):
    """L D L' of the free rows of the lanes that need it; those in which a row depends on others."""
    n, M, active, failed = rows.z.shape[0], W.matrix, W.active, need & no(need)
    for i in range(n):
        free = need & (active[i] == 0.0)
        W.e[i] = where(free, rows.e[i], W.e[i])
        W.free[i] = where(need, where(free, 1.0, 0.0), W.free[i])
        if some(free):
            for j in range(i, n):
                value = B[rows.channel[i], rows.channel[j]]
                if j == i:
                    value += rows.e[i]
                M[i * n + j] = where(need, value, M[i * n + j])
    for k in range(n):
        free = need & (active[k] == 0.0)
        if some(free):
            own, scale = M[k * n + k], W.scale[k]
            failed = failed | (free & no(own > PIVOT_FLOOR * scale * scale))
            inverse = 1.0 / own
            for r in range(k + 1, n):
                both = free & (active[r] == 0.0)
                if some(both):
                    factor = where(both, inverse * M[k * n + r], 0.0)
                    for c in range(r, n):
                        M[r * n + c] -= factor * M[k * n + c]
            M[k * n + k] = where(free, inverse, own)
    return failed


@kernel
def solve_free_lanes(n, free, M, x, odd):
    """x <- (L D L')^-1 x on the free rows, in the order of ``channel_rows.solve_free``."""
    for k in range(n):
        if some(free[k] == 0.0):
            own = where(free[k] == 0.0, x[k] * M[k * n + k], 0.0)
            for c in range(k + 1, n):
                x[c] -= own * M[k * n + c]
            x[k] = own
    for k in range(n - 1, -1, -1):
        if some(free[k] == 0.0):
            first, second = as_many(0.0, x[k]), as_many(0.0, x[k])
            for c in range(k + 1, n):
                here, term = free[c] == 0.0, M[k * n + c] * x[c]
                first = where(here & (odd[c] != odd[k]), first + term, first)
                second = where(here & (odd[c] == odd[k]), second + term, second)
            x[k] = where(free[k] == 0.0, x[k] - (first + second) * M[k * n + k], 0.0)


@kernel
def start_lanes(B, u_free, rows, sound, W):
    """``channel_rows.start_rows``; which of the lanes may go on."""
    active, lower, upper = W.active, rows.lower, rows.upper
    for i in range(rows.z.shape[0]):
        channel = rows.channel[i]
        own = B[channel, channel] + rows.e[i]
        sound = sound & (own > 0.0) & (own < math.inf)
        scale = math.sqrt(own)
        W.scale[i] = scale
        W.own[i] = own_size(u_free[channel] + rows.bias[i], lower[i], upper[i], scale)
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
    n, z, x, active = rows.z.shape[0], rows.z, W.x, W.active
    respond_lanes(B, u_free, rows)
    parity, change = as_many(0.0, beta), as_many(0.0, beta)
    for i in range(n):
        free = active[i] == 0.0
        W.odd[i] = parity
        parity = where(free, 1.0 - parity, parity)
        was = W.free[i] == 1.0
        factored = factored & ((free & was) | no(free | was))
    for i in range(n):
        moved = abs(rows.e[i] - W.e[i]) / (W.scale[i] * W.scale[i])
        change = where(factored & (active[i] == 0.0), max(change, moved), change)
    last, failed = as_many(math.inf, beta), going & no(going)
    for sweep in range(SWEEPS + 1):
        worst = as_many(0.0, beta)
        for i in range(n):
            free = active[i] == 0.0
            if some(free):
                w = velocity(i, rows)
                worst = where(free, max(worst, abs(w) / W.scale[i]), worst)
                x[i] = where(free, -w, 0.0)
        if sweep > 0:
            going = going & no(worst <= EXACT * beta)
        if sweep > 1:
            going = going & no(worst > 0.5 * last)
        if sweep == SWEEPS or not some(going):
            break
        last = where(going, worst, last)
        need = going & no(factored & (change * worst <= EXACT * beta))
        if some(need):
            lost = factor_lanes(B, rows, need, W)
            failed, going = failed | lost, going & no(lost)
            factored = (factored | need) & no(lost)
            change = where(need, 0.0, change)
        solve_free_lanes(n, active, W.matrix, x, W.odd)
        for i in range(n):
            z[i] = where(going & (active[i] == 0.0), z[i] + x[i], z[i])
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
        held = going & no(state == 0.0) & (lower[i] < upper[i])
        back = held & (state * velocity(i, rows) > tau * scale)
        active[i] = where(out, where(z[i] < lower[i], -1.0, 1.0), where(back, 0.0, state))
        z[i] = where(near, min(max(z[i], lower[i]), upper[i]), z[i])
        offending, clamped = offending | out | back, clamped | near
    return offending, clamped & no(offending)


@kernel
def size_of_lanes(i, B, rows, W):
    """``channel_rows.size_on_channels``."""
    size, scale, c = W.own[i], W.scale[i], rows.channel[i]
    for j in range(rows.z.shape[0]):
        most = W.own[j]
        if j != i:
            held = W.active[j] != 0.0
            hand = where(held, abs(rows.z[j]), handed_on(rows.z[j], False, most, W.scale[j]))
            reach = max(size, min(abs(B[c, rows.channel[j]]) * hand / scale, most))
            size = where(most > size, reach, size)
    return size


@kernel
def residual_of_lanes(B, rows, W, least):
    """``channel_rows.residual_on_channels``."""
    residual = as_many(0.0, W.own[0])
    for i in range(rows.z.shape[0]):
        z, lower, upper, scale = rows.z[i], rows.lower[i], rows.upper[i], W.scale[i]
        w = velocity(i, rows)
        size = max(W.own[i], least / scale)
        size = where(size == 0.0, 1e-300, size)
        r = row_residual(z, w, lower, upper, scale, size)
        far = r > PLAIN
        if some(far):
            larger = max(size, size_of_lanes(i, B, rows, W))
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


@kernel
def begin_rolling(h, contact, B, u_free):
    """``reduced.begin``; the lanes all of whose wheels roll."""
    wheels, rows, gap, u = contact.wheels, contact.rows, contact.gap, contact.start
    usual = h == h
    for i in range(len(wheels.each)):
        wheel, now = wheels.each[i], wheels.now[i]
        channel, normal = wheel.channel, wheel.row + at.ROW_NORMAL
        ahead = gap[i] + h * u_free[channel + at.NORMAL]
        compression = where(gap[i] < 0.0, -gap[i], -ahead)
        force = where(ahead <= 0.0, load_at(i, compression, wheels), 0.0)
        press(i, h, gap[i], compression, force, wheels, rows)
        forget_laws(i, wheels)
        v_x, v_y = u[channel + at.CENTRE], u[channel + at.LATERAL]
        linearise_at(i, u[channel + at.SLIDING], v_x, wheels)
        now.load = where(rows.upper[normal] > 0.0, rows.z[normal] / h, 0.0)
        now.v_y, now.held_y = v_y, 0.0
        usual = usual & (now.v_max > wheel.v_0)
        if wheel.lateral_row >= 0:
            usual = usual & (max(abs(v_x), abs(v_y)) > wheel.v_0)
    predict_rolling(h, B, u_free, wheels, rows)
    return usual


@kernel
def predict_rolling(h, B, u_free, wheels, rows):
    """``reduced.predict_loads``."""
    respond_lanes(B, u_free, rows)
    count = len(wheels.each)
    for i in range(count):
        channel, normal = wheels.each[i].channel + at.NORMAL, wheels.each[i].row + at.ROW_NORMAL
        total = rows.u[channel] + rows.bias[normal]
        for j in range(count):
            other = wheels.each[j].channel + at.NORMAL
            total -= B[channel, other] * rows.q[other]
        rows.b[normal] = total
    for _sweep in range(3):
        for i in range(count):
            channel, normal = wheels.each[i].channel + at.NORMAL, wheels.each[i].row + at.ROW_NORMAL
            total = rows.b[normal]
            for j in range(count):
                other = wheels.each[j].channel + at.NORMAL
                if j != i:
                    total += B[channel, other] * rows.q[other]
            impulse = max(0.0, -total / (B[channel, channel] + rows.e[normal]))
            rows.q[channel] = where(rows.upper[normal] > 0.0, impulse, rows.q[channel])
    for i in range(count):
        wheel, now = wheels.each[i], wheels.now[i]
        normal = wheel.row + at.ROW_NORMAL
        known = (rows.upper[normal] > 0.0) & (rows.z[normal] > 0.0)
        now.load = where(known, rows.q[wheel.channel + at.NORMAL] / h, now.load)


@kernel
def lay_rolling(i, h, B, wheels, rows):
    """``agreement.lay_wheel`` of a wheel that rolls."""
    wheel, now = wheels.each[i], wheels.now[i]
    sliding, centre = wheel.channel + at.SLIDING, wheel.channel + at.CENTRE
    own, load = B[sliding, sliding], now.load
    heavy = own > 0.0
    share = where(heavy, min(1.0, max(0.0, B[centre, sliding] / where(heavy, own, 1.0))), 0.0)
    ratio, slope, jump, gamma, rho, peak = law_at(i, now.slip, now.direction, now.v_max, load, wheels)
    left = ellipse_share(i, ratio, jump, peak, load, now.v_x, now.v_y, wheels)
    now.share, now.gamma, now.rho = left, gamma, rho
    resistance = wheel.row + at.ROW_RESISTANCE
    rows.e[resistance], rows.bias[resistance] = 0.0, 0.0
    rows.lower[resistance], rows.upper[resistance] = -h * gamma * load, h * gamma * load
    ratio, slope, jump, peak = ratio * left, slope * left, jump * left, peak * left
    thrust = thrust_sliding(i, ratio, slope, peak, share, wheels)
    along = sloped(line(thrust), now.v_max, thrust.peak)
    lay_line(wheel.row + at.ROW_TRACTION, h, along, h * load * jump, rows)
    if wheel.lateral_row >= 0:
        force, slope, largest = lateral_alone(i, load, now.v_x, now.v_y, wheels)
        force, slope, largest = force * left, slope * left, largest * left
        side = sloped(line(Sliding(now.v_y, -force, slope, slope, largest)), 1.0, load)
        lay_line(wheel.lateral_row, h, side, as_many(0.0, load), rows)


@kernel
def judge_rolling(i, h, tol, wheels, rows):
    """``judge.judge_wheel`` and ``judge_lateral`` of a wheel that rolls."""
    wheel, now, first = wheels.each[i], wheels.now[i], wheels.each[i].row
    u, channel = rows.u, wheel.channel
    load = rows.z[first + at.ROW_NORMAL] / h
    done = abs(load - now.load) <= tol * max(abs(load), 1.0)
    now.load = load
    v_t, v_x, v_y = u[channel + at.SLIDING], u[channel + at.CENTRE], u[channel + at.LATERAL]
    slip, direction, v_max = slip_state(v_t, v_x, wheel.v_0)
    ratio, _, jump, gamma, rho, peak = law_at(i, slip, direction, v_max, load, wheels)
    share = ellipse_share(i, ratio, jump, peak, load, v_x, v_y, wheels)
    ratio, jump = ratio * share, jump * share
    stuck = rows.z[first + at.ROW_STICK]
    beyond = max(0.0, abs(stuck) - h * load * jump)
    smooth = rows.z[first + at.ROW_TRACTION] + math.copysign(beyond, stuck)
    scale = h * max(load, 1.0) * max(peak, 1e-6)
    mismatch = abs(smooth - h * load * ratio) / scale
    mismatch = max(mismatch, h * load * abs(gamma - now.gamma) / scale)
    mismatch = max(mismatch, h * load * abs(rho - now.rho) / scale)
    linearise_at(i, v_t, v_x, wheels)
    done = done & (mismatch <= tol)
    if wheel.lateral_row >= 0:
        now.v_y = v_y
        total = (rows.z[wheel.lateral_row] + rows.z[wheel.lateral_row + 1]) / h
        force, _, largest = lateral_alone(i, load, v_x, v_y, wheels)
        side = abs(total + share * force) / max(largest, 1e-6 * max(load, 1.0))
        done = done & (where(abs(v_y) <= 1e-12, 0.0, side) <= tol)
    return done


@kernel
def solve_rolling(h, contact, B, u_free):
    """``reduced.solve_reduced`` where it is the usual one.

    Returns: the lanes that are solved; of these the passes and the residual. In the others the rows'
    impulses and states are as they were.
    """
    wheels, rows, settings = contact.wheels, contact.rows, contact.settings
    n = rows.z.shape[0]
    W = LaneWork(rows.work, n)
    for i in range(n):
        W.before[i], W.was[i] = rows.z[i], W.active[i]
    going = begin_rolling(h, contact, B, u_free)
    solved, factored = going & no(going), going & no(going)
    passes, residual = as_many(0.0, h), as_many(math.inf, h)
    for k in range(int(PASSES)):
        if not some(going):
            break
        going = going & (passes < settings.max_passes)
        for i in range(len(wheels.each)):
            lay_rolling(i, h, B, wheels, rows)
        found, factored = solve_lanes(B, u_free, rows, going, factored, W)
        going = going & (found <= settings.solver_tolerance)
        residual, passes = where(going, found, residual), where(going, k + 1.0, passes)
        agreed = going
        for i in range(len(wheels.each)):
            agreed = agreed & judge_rolling(i, h, settings.law_tolerance, wheels, rows)
        solved, going = solved | agreed, going & no(agreed)
    for i in range(n):
        rows.z[i] = where(solved, rows.z[i], W.before[i])
        W.active[i] = where(solved, W.active[i], W.was[i])
    return solved, passes, residual
