"""Structured problems with few bounded rows: eliminate the bilateral rows, pivot on the rest.

With weights k_b = 1 / (e_b + delta a_bb) on the bilateral rows b and H = M + J_b' k_b J_b, one
correction of (z, v) with w = J v + e z + b reads

    S = J_c H^-1 J_c',    dv = H^-1 (J_c' dz_c - J_b' k_b w_b),    dz_b = -k_b (w_b + J_b dv)

so the bounded rows c are left with a small dense problem

    (S + e_c) dz_c + w_c - J_c H^-1 J_b' k_b w_b  complementary to  z_c + dz_c  in its box,

solved exactly by ``direct``. As w is recomputed from the parts each time, delta and rounding only
set how fast the corrections shrink, not where they end: two or three suffice.
"""

from __future__ import annotations

import math

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.blocks import (
    BB,
    B,
    add_row,
    add_transposed,
    backward_blocks,
    factor_blocks,
    forward_blocks,
    row_times,
)
from mlcp.kernels.direct import direct
from mlcp.kernels.proximal_newton import row_velocities, structured_residual, velocity_of

SOLVED = 0
FAILED = 3

DELTA = 1e-9  # proximal weight of the bilateral rows, relative to the diagonal
CORRECTIONS = 12


@kernel
def forward_many(L, Y, m, nb, start, rows, filled):
    """Y <- U^-T Y for m right-hand sides; Y (6 nb, m) by position, filled marks nonzero blocks."""
    for t in range(nb):
        if filled[t] == 0:
            continue
        at = t * BB
        for c in range(B):
            here = (t * B + c) * m
            for q in range(c):
                factor = L[np.uint64(at + q * B + c)]
                there = (t * B + q) * m
                for i in range(m):
                    Y[np.uint64(here + i)] -= factor * Y[np.uint64(there + i)]
            inverse = 1.0 / L[np.uint64(at + c * B + c)]
            for i in range(m):
                Y[np.uint64(here + i)] *= inverse
        for r in range(start[t], start[t + 1]):
            block, p = (nb + r) * BB, rows[r]
            filled[p] = 1
            for c in range(B):
                here = (t * B + c) * m
                for a in range(B):
                    factor = L[np.uint64(block + c * B + a)]
                    if factor != 0.0:
                        there = (p * B + a) * m
                        for i in range(m):
                            Y[np.uint64(there + i)] -= factor * Y[np.uint64(here + i)]


@kernel
def delassus_of_bounded(
    L, Y, S, m, nb, row_start, row_block, J, position, start, rows, bounded, filled
):
    """S <- J_c H^-1 J_c' of the m bounded rows, into the first m m numbers of S."""
    for x in range(nb * B * m):
        Y[x] = 0.0
    for t in range(nb):
        filled[t] = 0
    for j in range(m):
        i = bounded[j]
        for x in range(row_start[i], row_start[i + 1]):
            t = position[row_block[x]]
            filled[t] = 1
            for c in range(B):
                Y[(t * B + c) * m + j] = J[x * B + c]
    forward_many(L, Y, m, nb, start, rows, filled)
    for x in range(m * m):
        S[x] = 0.0
    for t in range(nb):
        if filled[t] != 0:
            for c in range(t * B, t * B + B):
                for i in range(m):
                    factor = Y[np.uint64(c * m + i)]
                    if factor != 0.0:
                        for j in range(m):
                            S[np.uint64(i * m + j)] += factor * Y[np.uint64(c * m + j)]


@kernel
def reduced_solve(
    n, nb, row_start, row_block, J, mass, mass_factor, e, b, lower, upper, a,
    order, position, start, rows, where, blocks,
    z, w, v, tol, L, state, real, body, bounded, Y, small, active, filled,
):  # fmt: skip
    """Solve by eliminating the bilateral rows; arguments as ``proximal_newton``, and

        bounded (m,): the rows with a bound; Y (6 nb m,), small (2 m m + 13 m,), active (m,),
        filled (nb,): scratch, active being the start of the pivoting and its result.
    Returns: (code, corrections, residual); FAILED leaves z as the best effort.
    """
    m = bounded.shape[0]
    beta = 0.0
    for i in range(n):
        beta = max(beta, abs(b[i]) / math.sqrt(a[i] if a[i] > 0.0 else 1.0))
        z[i] = min(max(z[i], lower[i]), upper[i])
        state[i] = 0
    beta = beta if beta > 0.0 else 1.0
    for j in range(m):
        state[bounded[j]] = 1
    k, d = real[:n], body[: nb * B]
    S = small[: m * m].reshape((m, m))
    bias, low, high = small[m * m : m * m + m], small[m * m + m : m * m + 2 * m], real[n : n + m]
    dz, work = small[m * m + 2 * m : m * m + 3 * m], small[m * m + 3 * m :]
    for x in range(blocks * BB):
        L[x] = 0.0
    for j in range(nb):
        at, source = position[j] * BB, j * BB
        for x in range(BB):
            L[at + x] = mass[source + x]
    for i in range(n):
        if state[i] == 0:
            k[i] = 1.0 / (e[i] + DELTA * (a[i] if a[i] > 0.0 else 1.0))
            add_row(L, k[i], row_start[i], row_start[i + 1], row_block, J, position, where, nb)
    if not factor_blocks(L, nb, start, rows, where):
        return FAILED, 0, math.inf
    delassus_of_bounded(
        L, Y, small, m, nb, row_start, row_block, J, position, start, rows, bounded, filled
    )
    for j in range(m):
        i = bounded[j]
        S[j, j] += e[i]
        active[j] = 0
        if z[i] <= lower[i]:
            active[j] = -1
        elif z[i] >= upper[i]:
            active[j] = 1
    residual = math.inf
    at_rest = True
    for i in range(n):
        if z[i] != 0.0:
            at_rest = False
    for correction in range(CORRECTIONS):
        if correction == 0 and at_rest:
            for i in range(n):
                w[i] = b[i]
        else:
            velocity_of(z, v, n, nb, row_start, row_block, J, mass_factor)
            row_velocities(z, v, w, n, row_start, row_block, J, e, b)
        last = residual
        residual = structured_residual(z, w, n, lower, upper, a, beta)
        if residual <= tol:
            return SOLVED, correction, residual
        if not residual < math.inf or (correction > 3 and residual > 0.5 * last):
            return FAILED, correction, residual
        for x in range(nb * B):
            d[x] = 0.0
        for i in range(n):
            if state[i] == 0:
                add_transposed(row_start[i], row_start[i + 1], row_block, J, -k[i] * w[i], d)
        forward_blocks(L, d, nb, order, start, rows)
        for j in range(m):
            i = bounded[j]
            dz[j] = 0.0
            bias[j] = w[i]
            low[j], high[j] = lower[i] - z[i], upper[i] - z[i]
        for t in range(nb):  # bias += J_c H^-1 d, of which U^-T is already done on both sides
            if filled[t] != 0:
                for c in range(B):
                    y = d[order[t] * B + c]
                    for j in range(m):
                        bias[j] += Y[(t * B + c) * m + j] * y
        for j in range(m):
            if correction == 0 and at_rest:
                # A cold start: a row is free unless its own velocity keeps it at its bound.
                active[j] = 0
                if low[j] == 0.0 and bias[j] > 0.0:
                    active[j] = -1
                elif high[j] == 0.0 and bias[j] < 0.0:
                    active[j] = 1
        code, _pivots = direct(S, bias, low, high, dz, active, m, work, 100)
        if code != 0:
            return FAILED, correction, residual
        for t in range(nb):
            if filled[t] != 0:
                for c in range(B):
                    for j in range(m):
                        d[order[t] * B + c] += Y[(t * B + c) * m + j] * dz[j]
        backward_blocks(L, d, nb, order, start, rows)
        for i in range(n):
            if state[i] == 0:
                z[i] -= k[i] * (w[i] + row_times(row_start[i], row_start[i + 1], row_block, J, d))
        for j in range(m):
            i = bounded[j]
            z[i] = min(max(z[i] + dz[j], lower[i]), upper[i])
            if active[j] < 0:
                z[i] = lower[i]
            elif active[j] > 0:
                z[i] = upper[i]
    return FAILED, CORRECTIONS, residual
