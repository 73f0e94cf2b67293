"""Structured problems with few bounded rows: eliminate the bilateral rows, pivot on the rest.

With weights k_b = 1 / (e_b + delta) on the bilateral rows b and H = I + Y_b' k_b Y_b, one correction
of (z, v) with w = Y v + e z + b reads

    S = Y_c H^-1 Y_c',    dv = H^-1 (Y_c' dz_c - Y_b' k_b w_b),    dz_b = -k_b (w_b + Y_b dv)

so the bounded rows c are left with a small dense problem

    (S + e_c) dz_c + w_c - Y_c H^-1 Y_b' k_b w_b  complementary to  z_c + dz_c  in its box,

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
    backward_blocks,
    factor_blocks,
    forward_blocks,
    unit_blocks,
)
from mlcp.kernels.dense_problem import Limits, Problem
from mlcp.kernels.direct import direct
from mlcp.kernels.proximal_newton import unit_beta, unit_residual
from mlcp.kernels.unit_mass import add_transposed, row_times, velocities

SOLVED = 0
FAILED = 3

DELTA = 1e-9  # proximal weight of the bilateral rows
CORRECTIONS = 12


@kernel
def forward_many(L, X, m, P, filled):
    """X <- U^-T X for m right-hand sides; X (6 nb, m) by position, filled marks nonzero blocks."""
    for t in range(P.nb):
        if filled[t] == 0:
            continue
        at = t * BB
        for c in range(B):
            here = (t * B + c) * m
            for q in range(c):
                factor = L[np.uint64(at + q * B + c)]
                there = (t * B + q) * m
                for i in range(m):
                    X[np.uint64(here + i)] -= factor * X[np.uint64(there + i)]
            inverse = L[np.uint64(at + c * B + c)]
            for i in range(m):
                X[np.uint64(here + i)] *= inverse
        for r in range(P.start[t], P.start[t + 1]):
            block, p = (P.nb + r) * BB, P.rows[r]
            filled[p] = 1
            for c in range(B):
                here = (t * B + c) * m
                for a in range(B):
                    factor = L[np.uint64(block + c * B + a)]
                    if factor != 0.0:
                        there = (p * B + a) * m
                        for i in range(m):
                            X[np.uint64(there + i)] -= factor * X[np.uint64(here + i)]


@kernel
def delassus_of_bounded(R, P, L, X, S, bounded, filled):
    """S (m, m) <- Y_c H^-1 Y_c' + e_c of the m bounded rows; X <- U^-T Y_c'."""
    m = bounded.shape[0]
    for x in range(P.nb * B * m):
        X[np.uint64(x)] = 0.0
    for t in range(P.nb):
        filled[t] = 0
    for j in range(m):
        i = bounded[j]
        for x in range(R.start[i], R.start[i + 1]):
            t = P.position[R.block[x]]
            filled[t] = 1
            for c in range(B):
                X[(t * B + c) * m + j] = R.Y[x * B + c]
    forward_many(L, X, m, P, filled)
    for x in range(m * m):
        S[x] = 0.0
    for t in range(P.nb):
        if filled[t] != 0:
            for c in range(t * B, t * B + B):
                for i in range(m):
                    factor = X[np.uint64(c * m + i)]
                    if factor != 0.0:
                        for j in range(m):
                            S[np.uint64(i * m + j)] += factor * X[np.uint64(c * m + j)]
    for j in range(m):
        S[j * m + j] += R.e[bounded[j]]


@kernel
def reduced_solve(R, P, Z, W, limits):
    """Solve by eliminating the bilateral rows; arguments as ``proximal_newton``, and W a ``Reduced``,

    W.active being the start of the pivoting and its result.
    Returns: (code, corrections, residual); FAILED leaves z as the best effort.
    """
    z, w, v, state, tol = Z.z, Z.w, Z.v, Z.state, limits.tolerance
    bounded, X, small, active, filled = W.bounded, W.X, W.small, W.active, W.filled
    L, real, body = W.L, W.real, W.body
    n, m = R.n, bounded.shape[0]
    unit_beta(R, z)  # puts z inside its bounds
    for i in range(n):
        state[i] = 0
    for j in range(m):
        state[bounded[j]] = 1
    k, d = real[:n], body[: P.nb * B]
    size, hand, reach = real[2 * n : 3 * n], real[3 * n : 4 * n], body[P.nb * B : P.nb * B + 2 * P.nb]
    S = small[: m * m].reshape((m, m))
    bias, low, high = small[m * m : m * m + m], small[m * m + m : m * m + 2 * m], real[n : n + m]
    dz, work = small[m * m + 2 * m : m * m + 3 * m], small[m * m + 3 * m :]
    unit_blocks(L, P.nb, P.blocks)
    at_rest = True
    for i in range(n):
        if state[i] == 0:
            k[i] = 1.0 / (R.e[i] + DELTA)
            add_row(L, k[i], i, R, P)
        if z[i] != 0.0:
            at_rest = False
    if not factor_blocks(L, P):
        return FAILED, 0, math.inf
    delassus_of_bounded(R, P, L, X, small, bounded, filled)
    for j in range(m):
        i = bounded[j]
        active[j] = 0
        if z[i] <= R.lower[i]:
            active[j] = -1
        elif z[i] >= R.upper[i]:
            active[j] = 1
    residual = math.inf
    velocities(R, z, v)
    for correction in range(CORRECTIONS):
        for x in range(P.nb * B):
            d[x] = 0.0
        last = residual
        for i in range(n):
            first, end = R.start[i], R.start[i + 1]
            w[i] = R.b[i]
            if not at_rest:
                w[i] += row_times(first, end, R.block, R.Y, v) + R.e[i] * z[i]
            if state[i] == 0:
                add_transposed(first, end, R.block, R.Y, -k[i] * w[i], d)
        residual = unit_residual(R, z, w, size, hand, reach)
        if residual <= tol:
            return SOLVED, correction, residual
        if not residual < math.inf or (correction > 3 and residual > 0.5 * last):
            return FAILED, correction, residual
        forward_blocks(L, d, P)
        for j in range(m):
            i = bounded[j]
            dz[j] = 0.0
            bias[j] = w[i]
            low[j], high[j] = R.lower[i] - z[i], R.upper[i] - z[i]
        for t in range(P.nb):  # bias += Y_c H^-1 d, of which U^-T is already done on both sides
            if filled[t] != 0:
                for c in range(B):
                    y = d[P.order[t] * B + c]
                    for j in range(m):
                        bias[j] += X[(t * B + c) * m + j] * y
        for j in range(m):
            if correction == 0 and at_rest:
                # A cold start: a row is free unless its own velocity keeps it at its bound.
                active[j] = 0
                if low[j] == 0.0 and bias[j] > 0.0:
                    active[j] = -1
                elif high[j] == 0.0 and bias[j] < 0.0:
                    active[j] = 1
        ends = Limits(0.0, 100, limits.deadline, 0.0)
        code, _pivots = direct(Problem(S, bias, low, high, m), dz, active, work, ends)
        if code != 0:
            return FAILED, correction, residual
        for t in range(P.nb):
            if filled[t] != 0:
                for c in range(B):
                    for j in range(m):
                        d[P.order[t] * B + c] += X[(t * B + c) * m + j] * dz[j]
        backward_blocks(L, d, P)
        for i in range(n):
            if state[i] == 0:
                first, end = R.start[i], R.start[i + 1]
                step = -k[i] * (w[i] + row_times(first, end, R.block, R.Y, d))
                z[i] += step
                add_transposed(first, end, R.block, R.Y, step, v)
        for j in range(m):
            i = bounded[j]
            before = z[i]
            z[i] = min(max(z[i] + dz[j], R.lower[i]), R.upper[i])
            if active[j] < 0:
                z[i] = R.lower[i]
            elif active[j] > 0:
                z[i] = R.upper[i]
            add_transposed(R.start[i], R.start[i + 1], R.block, R.Y, z[i] - before, v)
        at_rest = False
    return FAILED, CORRECTIONS, residual
