"""Structured problems with few bounded rows: eliminate the bilateral rows, pivot on the bounded ones.

Y is J in velocities v scaled to unit masses (``unit_mass``). Indices: b for the bilateral rows, c for
the bounded ones. With weights k_b = 1 / (e_b + delta), a small proximal weight delta and
H = I + Y_b' k_b Y_b = U'U, one correction of (z, v) with w = Y v + e z + b reads

    S = Y_c H^-1 Y_c',    dv = H^-1 (Y_c' dz_c - Y_b' k_b w_b),    dz_b = -k_b (w_b + Y_b dv)

so the bounded rows are left with a small dense problem

    (S + e_c) dz_c + w_c - Y_c H^-1 Y_b' k_b w_b  complementary to  z_c + dz_c  in its box,

solved exactly by ``direct``. As w is recomputed from Y, v and z each time, delta and rounding only
set how fast the corrections shrink, not the result: two or three corrections suffice. Arguments of the
kernels: R (``BodyRows``), P (``BodyOrder``), Z (``Iterate``: z, w, v, state), W (``Reduced``).
"""

import math

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.codes import FAILED, SOLVED
from mlcp.kernels.dense.direct import direct
from mlcp.kernels.dense_problem import Limits, Problem
from mlcp.kernels.structured.blocks import (
    BB,
    B,
    add_row,
    backward_blocks,
    factor_blocks,
    forward_blocks,
    unit_blocks,
)
from mlcp.kernels.structured.proximal_newton import unit_beta, unit_residual
from mlcp.kernels.structured.unit_mass import add_transposed, row_times, velocities

CORRECTIONS = 12


@kernel
def forward_many(L, X, m, P, filled):
    """Replace X (6 nb, m), with bodies in elimination order, by U^-T X.

    filled (nb,): 1 for bodies with nonzero rows of X, else 0; updated.
    """
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
    """Write Y_c H^-1 Y_c' + e_c of the m bounded rows to S (m, m), and U^-T Y_c' to X (6 nb, m)."""
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
def eliminate_free(R, P, state, W, k):
    """Compute the factor of H, the weights k (n,) of the bilateral rows (state 0), W.small = S + e_c.

    Returns: False if H is not positive definite.
    """
    unit_blocks(W.work.L, P.nb, P.blocks)
    for i in range(R.n):
        if state[i] == 0:
            k[i] = 1.0 / (R.e[i] + 1e-9)  # 1 / (e + delta), delta = 1e-9
            add_row(W.work.L, k[i], i, R, P)
    if not factor_blocks(W.work.L, P):
        return False
    delassus_of_bounded(R, P, W.work.L, W.work.X, W.small, W.bounded, W.filled)
    return True


@kernel
def start_sides(R, z, W):
    """Set W.active to the active set of the bounded rows at z: -1 at lower, 0 free, 1 at upper."""
    for j in range(W.bounded.shape[0]):
        i = W.bounded[j]
        W.active[j] = 0
        if z[i] <= R.lower[i]:
            W.active[j] = -1
        elif z[i] >= R.upper[i]:
            W.active[j] = 1


@kernel
def set_reduced_problem(R, P, Z, W, d, left, cold):
    """Set b and bounds of the problem ``left`` of the bounded rows' step dz: left.b = w_c + Y_c H^-1 d.

    X and d are already multiplied by U^-T. cold: a row is free at the start, unless it is at a bound and
    its velocity has the sign that keeps it there.
    """
    z, X, bias, low, high = Z.z, W.work.X, left.b, left.lower, left.upper
    m = left.n
    for j in range(m):
        i = W.bounded[j]
        bias[j] = Z.w[i]
        low[j], high[j] = R.lower[i] - z[i], R.upper[i] - z[i]
    for t in range(P.nb):
        if W.filled[t] != 0:
            for c in range(B):
                y = d[P.order[t] * B + c]
                for j in range(m):
                    bias[j] += X[(t * B + c) * m + j] * y
    for j in range(m if cold else 0):
        W.active[j] = 0
        if low[j] == 0.0 and bias[j] > 0.0:
            W.active[j] = -1
        elif high[j] == 0.0 and bias[j] < 0.0:
            W.active[j] = 1


@kernel
def step_free(R, Z, k, d):
    """Add the bilateral rows' step dz_b to z, and its effect on the velocities to v; d: step dv."""
    z, w, v = Z.z, Z.w, Z.v
    for i in range(R.n):
        if Z.state[i] == 0:
            first, end = R.start[i], R.start[i + 1]
            step = -k[i] * (w[i] + row_times(first, end, R.block, R.Y, d))
            z[i] += step
            add_transposed(first, end, R.block, R.Y, step, v)


@kernel
def step_bounded(R, Z, W, dz):
    """Add the bounded rows' step dz to z and v; a row at a bound in W.active gets exactly its bound."""
    z, active = Z.z, W.active
    for j in range(W.bounded.shape[0]):
        i = W.bounded[j]
        before = z[i]
        z[i] = min(max(z[i] + dz[j], R.lower[i]), R.upper[i])
        if active[j] < 0:
            z[i] = R.lower[i]
        elif active[j] > 0:
            z[i] = R.upper[i]
        add_transposed(R.start[i], R.start[i + 1], R.block, R.Y, z[i] - before, Z.v)


@kernel
def right_hand_side(R, Z, k, d, at_rest):
    """Compute Z.w = A z + b, and d = -Y_b' k_b w_b over the bilateral rows; at_rest: z is zero."""
    w = Z.w
    for x in range(d.shape[0]):
        d[x] = 0.0
    for i in range(R.n):
        first, end = R.start[i], R.start[i + 1]
        w[i] = R.b[i]
        if not at_rest:
            w[i] += row_times(first, end, R.block, R.Y, Z.v) + R.e[i] * Z.z[i]
        if Z.state[i] == 0:
            add_transposed(first, end, R.block, R.Y, -k[i] * w[i], d)


@kernel
def reduced_solve(R, P, Z, W, limits):
    """Solve by eliminating the bilateral rows.

    Arguments: R, P, Z and limits as of ``proximal_newton``; W: a ``Reduced``; W.active is the active set
        of the last pivoting.
    Returns: (code, corrections, residual); after FAILED z is the last point.
    """
    z, v, state, small, k, d = Z.z, Z.v, Z.state, W.small, W.work.k, W.work.d
    n, m, sizes = R.n, W.bounded.shape[0], W.work.sizes
    unit_beta(R, z)  # clips z to the bounds; the returned scale is not needed
    at_rest = True
    for i in range(n):
        state[i] = 0
        at_rest = at_rest and z[i] == 0.0
    for j in range(m):
        state[W.bounded[j]] = 1
    S, mm = small[: m * m].reshape((m, m)), m * m
    low, high, dz = small[mm + m : mm + 2 * m], small[mm + 2 * m : mm + 3 * m], small[mm + 3 * m :][:m]
    left, work = Problem(S, small[mm : mm + m], low, high, m), small[mm + 4 * m :]
    if not eliminate_free(R, P, state, W, k):
        return FAILED, 0, math.inf
    start_sides(R, z, W)
    residual = math.inf
    velocities(R, z, v)
    for correction in range(CORRECTIONS):
        last = residual
        right_hand_side(R, Z, k, d, at_rest)
        residual = unit_residual(R, z, Z.w, sizes.size, sizes.effective, sizes.reach)
        if residual <= limits.tolerance:
            return SOLVED, correction, residual
        if not residual < math.inf or (correction > 3 and residual > 0.5 * last):
            return FAILED, correction, residual
        forward_blocks(W.work.L, d, P)
        set_reduced_problem(R, P, Z, W, d, left, correction == 0 and at_rest)
        for j in range(m):
            dz[j] = 0.0
        ends = Limits(0.0, 100, limits.deadline, 0.0)
        code, _pivots = direct(left, dz, W.active, work, ends)
        if code != SOLVED:
            return FAILED, correction, residual
        for t in range(P.nb):
            if W.filled[t] != 0:
                for c in range(B):
                    for j in range(m):
                        d[P.order[t] * B + c] += W.work.X[(t * B + c) * m + j] * dz[j]
        backward_blocks(W.work.L, d, P)
        step_free(R, Z, k, d)
        step_bounded(R, Z, W, dz)
        at_rest = False
    return FAILED, CORRECTIONS, residual
