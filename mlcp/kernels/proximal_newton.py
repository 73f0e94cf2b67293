"""Exact solution of A = J M^-1 J' + diag(e) problems without forming A.

Proximal point iteration in z around a centre c, each step solved in the velocities: with
w_c = A c + b and weights k_i = 1 / (e_i + delta a_ii),

    z_i(d) = clip(c_i - k_i (w_c + J d)_i, lower_i, upper_i),      M d = J'(z(d) - c)

is the stationarity of a strongly convex, piecewise quadratic function of d. Newton's method on it
with an exact line search ends after finitely many steps: the function falls at every step, so no
piece whose minimiser was reached comes back, and the pieces are finitely many. Each Newton matrix
M + J_F' diag(k_F) J_F has the bodies' sparsity; redundant rows do no harm.
Writing z in increments around c makes every proximal step also a step of iterative refinement.
Source: Rockafellar, Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14
    (1976); Newton with exact line search: Sun, On piecewise quadratic Newton and trust region
    problems, Math. Program. 76 (1997).
"""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.blocks import (
    BB,
    B,
    add_row,
    add_transposed,
    factor_blocks,
    row_times,
    solve_blocks,
    solve_masses,
)

SOLVED = 0
ITERATION_LIMIT = 1
FAILED = 3

INNER = 100  # Newton steps of one proximal step
OUTER = 60  # proximal steps
PATIENCE = 3  # block exchanges without progress before Newton takes over
SEARCH = 40  # evaluations of one line search


@kernel
def velocity_of(p, v, n, nb, row_start, row_block, J, mass_factor):
    """v <- M^-1 J' p."""
    for k in range(nb * B):
        v[k] = 0.0
    for i in range(n):
        if p[i] != 0.0:
            add_transposed(row_start[i], row_start[i + 1], row_block, J, p[i], v)
    solve_masses(mass_factor, v, nb)


@kernel
def row_velocities(p, v, w, n, row_start, row_block, J, e, b):
    """w <- J v + e p + b."""
    for i in range(n):
        w[i] = row_times(row_start[i], row_start[i + 1], row_block, J, v) + e[i] * p[i] + b[i]


@kernel
def structured_residual(z, w, n, lower, upper, a, beta):
    """Scaled natural residual, see ``natural_residual``; a is diag(A)."""
    worst = 0.0
    for i in range(n):
        diagonal = a[i] if a[i] > 0.0 else 1.0
        target = min(max(z[i] - w[i] / diagonal, lower[i]), upper[i])
        r = abs(z[i] - target) * math.sqrt(diagonal) / beta
        if not r <= worst:
            worst = r
            if math.isnan(r):
                return math.inf
    return worst


@kernel
def side_of(z, lower, upper):
    """-1 at or below the lower bound, +1 at or above the upper one, 0 between."""
    if lower < z < upper:
        return 0
    return -1 if z <= lower else 1


@kernel
def slope_at(t, n, curve0, curve1, c, w, Jd, Jp, k, lower, upper):
    """Derivative of the convex function along d + t p."""
    slope = curve0 + t * curve1
    for i in range(n):
        if Jp[i] != 0.0:
            z = c[i] - k[i] * (w[i] + Jd[i] + t * Jp[i])
            slope -= Jp[i] * (min(max(z, lower[i]), upper[i]) - c[i])
    return slope


@kernel
def line_search(full, n, curve0, curve1, c, w, Jd, Jp, k, lower, upper, at_zero, at_one):
    """Root of the slope in (0, 1) by regula falsi (Illinois); the slope rises through it."""
    low, high, f_low, f_high = 0.0, full, at_zero, at_one
    side = 0
    t = high
    for _ in range(SEARCH):
        t = (low * f_high - high * f_low) / (f_high - f_low)
        f = slope_at(t, n, curve0, curve1, c, w, Jd, Jp, k, lower, upper)
        if abs(f) <= 1e-6 * abs(at_zero):
            break
        if f > 0.0:
            high, f_high = t, f
            if side == 1:
                f_low *= 0.5
            side = 1
        else:
            low, f_low = t, f
            if side == -1:
                f_high *= 0.5
            side = -1
    return t


@kernel
def proximal_newton(
    n, nb, row_start, row_block, J, mass, mass_factor, e, b, lower, upper, a,
    order, position, start, rows, where, blocks,
    z, w, v, delta, smallest, shrink, tol, H, L, state, real, body,
):  # fmt: skip
    """Solve w = (J M^-1 J' + diag(e)) z + b, lower <= z <= upper, w complementary.

    Arguments:
        row_start, row_block, J: rows by blocks of six; mass (36 nb,) and its factors.
        e >= 0, b, lower, upper, a (n,): compliance, bias, bounds, diagonal of A.
        order .. where, blocks: the plan of ``make_plan``.
        z, w (n,), v (6 nb,): start and result; v = M^-1 J' z.
        delta: first weight of the proximal term relative to a; multiplied by ``shrink`` at
            each proximal step (by its square when the states hardly change), down to ``smallest``.
        H, L (36 blocks,); state (n,) int64; real (4 n,); body (3 * 6 nb,): scratch.
    Returns: (code, newton_steps, factorisations, residual).
    """
    beta = 0.0
    for i in range(n):
        beta = max(beta, abs(b[i]) / math.sqrt(a[i] if a[i] > 0.0 else 1.0))
        z[i] = min(max(z[i], lower[i]), upper[i])
    beta = beta if beta > 0.0 else 1.0
    c, Jd, Jp, k = real[:n], real[n : 2 * n], real[2 * n : 3 * n], real[3 * n : 4 * n]
    m = nb * B
    d, p, g = body[:m], body[m : 2 * m], body[2 * m :]
    steps = 0
    before = 0
    factored = 0
    stale = True
    residual = math.inf
    for outer in range(OUTER):
        velocity_of(z, v, n, nb, row_start, row_block, J, mass_factor)
        row_velocities(z, v, w, n, row_start, row_block, J, e, b)
        last = residual
        residual = structured_residual(z, w, n, lower, upper, a, beta)
        if residual <= tol:
            return SOLVED, steps, factored, residual
        if residual == math.inf:
            return FAILED, steps, factored, residual
        if outer > 20 and residual > 0.9 * last:
            return ITERATION_LIMIT, steps, factored, residual
        if outer == 0 or delta > smallest:
            # Another delta: build H anew, with all rows at their bounds.
            if outer > 0:
                # Few steps mean the active set hardly changes any more: go faster.
                delta = max(delta * (shrink if steps - before > 3 else shrink * shrink), smallest)
            before = steps
            for x in range(blocks * BB):
                H[x] = 0.0
            for j in range(nb):
                at, source = position[j] * BB, j * BB
                for x in range(BB):
                    H[at + x] = mass[source + x]
            for i in range(n):
                k[i] = 1.0 / (e[i] + delta * (a[i] if a[i] > 0.0 else 1.0))
                if state[i] == 0:
                    add_row(
                        H, k[i], row_start[i], row_start[i + 1], row_block, J, position, where, nb
                    )
            stale = True
        for i in range(n):
            c[i] = z[i]
            Jd[i] = 0.0
        for x in range(m):
            d[x] = 0.0
        converged = False
        # Block exchanges while they make progress, from the states of the last proximal step: the
        # minimiser of their piece, then every offending row changes state, from a bound to free
        # and from free to a bound. Where they end is where Newton's method starts.
        fewest = n + 1
        patience = PATIENCE
        while True:
            for x in range(m):
                d[x] = 0.0
            for i in range(n):
                push = -k[i] * w[i]
                if state[i] < 0:
                    push = lower[i] - c[i]
                elif state[i] > 0:
                    push = upper[i] - c[i]
                add_transposed(row_start[i], row_start[i + 1], row_block, J, push, d)
            if stale:
                for x in range(blocks * BB):
                    L[x] = H[x]
                factored += 1
                if not factor_blocks(L, nb, start, rows, where):
                    return FAILED, steps, factored, residual
                stale = False
            solve_blocks(L, d, nb, order, start, rows)
            steps += 1
            offending = 0
            for i in range(n):
                Jd[i] = row_times(row_start[i], row_start[i + 1], row_block, J, d)
                if side_of(c[i] - k[i] * (w[i] + Jd[i]), lower[i], upper[i]) != state[i]:
                    offending += 1
            converged = offending == 0
            patience = PATIENCE if offending < fewest else patience - 1
            fewest = min(fewest, offending)
            if converged or patience < 0:
                break
            for i in range(n):
                now = side_of(c[i] - k[i] * (w[i] + Jd[i]), lower[i], upper[i])
                if now != state[i]:
                    weight = k[i] if state[i] != 0 else -k[i]
                    state[i] = 0 if state[i] != 0 else now
                    add_row(
                        H, weight, row_start[i], row_start[i + 1], row_block, J, position, where, nb
                    )
                    stale = True
        for _inner in range(INNER):
            # Gradient, and the rows that are strictly inside their bounds.
            for j in range(nb):
                for r in range(B):
                    value = 0.0
                    for x in range(B):
                        value += mass[j * BB + r * B + x] * d[j * B + x]
                    g[j * B + r] = value
            for i in range(n):
                free_z = c[i] - k[i] * (w[i] + Jd[i])
                z[i] = min(max(free_z, lower[i]), upper[i])
                now = side_of(free_z, lower[i], upper[i])
                if now != state[i]:
                    if now == 0 or state[i] == 0:
                        weight = k[i] if now == 0 else -k[i]
                        add_row(
                            H,
                            weight,
                            row_start[i],
                            row_start[i + 1],
                            row_block,
                            J,
                            position,
                            where,
                            nb,
                        )
                        stale = True
                    state[i] = now
                    converged = False
                change = z[i] - c[i]
                if change != 0.0:
                    add_transposed(row_start[i], row_start[i + 1], row_block, J, -change, g)
            if converged:
                break
            if stale:
                for x in range(blocks * BB):
                    L[x] = H[x]
                factored += 1
                if not factor_blocks(L, nb, start, rows, where):
                    return FAILED, steps, factored, residual
                stale = False
            for x in range(m):
                p[x] = -g[x]
            solve_blocks(L, p, nb, order, start, rows)
            steps += 1
            curve0, curve1, at_zero = 0.0, 0.0, 0.0
            for j in range(nb):
                for r in range(B):
                    value = 0.0
                    for x in range(B):
                        value += mass[j * BB + r * B + x] * p[j * B + x]
                    curve0 += value * d[j * B + r]
                    curve1 += value * p[j * B + r]
                    at_zero += g[j * B + r] * p[j * B + r]
            same = True
            for i in range(n):
                Jp[i] = row_times(row_start[i], row_start[i + 1], row_block, J, p)
                free_z = c[i] - k[i] * (w[i] + Jd[i] + Jp[i])
                if side_of(free_z, lower[i], upper[i]) != state[i]:
                    same = False
            t = 1.0
            if not same:
                at_one = slope_at(1.0, n, curve0, curve1, c, w, Jd, Jp, k, lower, upper)
                if at_one > 0.0 and at_zero < 0.0:
                    t = line_search(
                        1.0, n, curve0, curve1, c, w, Jd, Jp, k, lower, upper, at_zero, at_one
                    )
            for x in range(m):
                d[x] += t * p[x]
            for i in range(n):
                Jd[i] += t * Jp[i]
            converged = same
        for i in range(n):
            z[i] = min(max(c[i] - k[i] * (w[i] + Jd[i]), lower[i]), upper[i])
    return ITERATION_LIMIT, steps, factored, residual
