"""What MuJoCo's integrators make of damping: a correction of the mobility.

After its constraints MuJoCo solves ``(M + h D) a' = M a``, so the channels see ``A K^-1 M`` of an
acceleration instead of A, with K = M + h D. Since ``K^-1 M = 1 - K^-1 h D``, only the freedoms that
D touches come in: of K^-1 A' and of the response without damping.
"""

from __future__ import annotations

import numpy as np
from numba import carray

from mlcp.jit import kernel, part

from . import mujoco_layout as H
from .elimination import (
    PIVOT_FLOOR,
    add_products,
    add_seen,
    backward_panel,
    eliminate,
    forward_panel,
    lay_channels,
)
from .mujoco_memory import planned
from .pointers import floats_at, ints_at, longs_at
from .vector import WIDTH, load, plus, store


@kernel
def add_damper(D, n, table, scale, first, count, J, col):
    """``scale g g'`` of one row g into the entries of D that the table names."""
    for m in range(first, first + count):
        g = scale * J[m]
        for p in range(first, first + count):
            if col[p] <= col[m]:
                D[table[col[m] * n + col[p]]] += g * J[p]


@part
def read_dampers(P, D):
    """D of joints, and what tendons and actuators have within the pattern of M.

    Returns whether all of it is listed in the plan; what MuJoCo drops goes to the last place but one.
    """
    n, table = P[H.FREEDOMS], planned(P, H.DAMPER_AT)
    damping = carray(floats_at(P[H.DAMPING]), (n,))
    D[:] = 0.0
    for k in range(n):
        D[table[k * n + k]] += damping[k]
    terms, rows = (
        carray(floats_at(P[H.TERM]), (P[H.TERMS], 3)),
        carray(longs_at(P[H.TERM_ROW]), (P[H.TERMS], 2)),
    )
    for t in range(P[H.TERMS]):
        kind, r = rows[t, 0], rows[t, 1]
        if kind == 1:
            force = carray(floats_at(P[H.FORCE]), (r + 1,))[r]
            if not (force > terms[t, 1] and force < terms[t, 2]):
                continue
        o = H.SOURCES + H.SOURCE * kind
        count = carray(ints_at(P[o + 1]), (r + 1,))[r]
        first = carray(ints_at(P[o + 2]), (r + 1,))[r]
        J = carray(floats_at(P[o]), (first + count,))
        col = carray(ints_at(P[o + 3]), (first + count,))
        add_damper(D, n, table, terms[t, 0], first, count, J, col)
    return D[D.shape[0] - 1] == 0.0


@kernel
def damped_response(
    h, n, W, M, m_slot, D, slot, K, least, first, row, start, into, path_at, path,
    path_place, reach_at, reach, needed, A, Y, Z, X,
):  # fmt: skip
    """``X = (M + h D)^-1 A'`` at the places ``needed``."""
    K[:] = 0.0
    for m in range(M.shape[0]):
        K[np.uint64(m_slot[np.uint64(m)])] = M[m]
    for k in range(n):
        least[k] = PIVOT_FLOOR * K[k]
    for e in range(slot.shape[0]):
        K[slot[e]] += h * D[e]
    # The halves of a body that was split for a loop can cancel in M; the loop's rows, which are
    # not in here, are what moves them, and no damper does.
    eliminate(K, n, first, row, start, into, least, True)
    lay_channels(n, W, path_at, path, path_place, reach_at, reach, A, Y)
    for p in range((W + 1) // 2):
        base = WIDTH * n * p
        forward_panel(K, n, first, row, reach, reach_at[p], reach_at[p + 1], Y, Z, base)
        backward_panel(K, n, first, row, needed, Z, X, base)


@kernel
def damper_forces(h, n, W, D, rows, cols, support, Q, free, T, t):
    """``T = - h D Q`` and ``t = - h D a`` at the damped freedoms."""
    T[:] = 0.0
    t[:] = 0.0
    count = support.shape[0]
    for e in range(rows.shape[0]):
        r, c, f = rows[e], cols[e], -h * D[e]
        k, m = support[r], support[c]
        t[r] += f * free[m]
        if r != c:
            t[c] += f * free[k]
        for p in range((W + 1) // 2):
            to, at = WIDTH * count * p, WIDTH * n * p
            store(T, to + WIDTH * r, plus(load(T, to + WIDTH * r), f, load(Q, at + WIDTH * m)))
            if r != c:
                store(T, to + WIDTH * c, plus(load(T, to + WIDTH * c), f, load(Q, at + WIDTH * k)))


@kernel
def damp(n, W, X, support, T, t, counting, B, a):
    """``B += X' T``, ``a += X' t``."""
    panels, count = (W + 1) // 2, support.shape[0]
    wide = WIDTH * panels
    for i in range(panels):
        left = WIDTH * n * i
        for j in range(panels):
            right, to = WIDTH * count * j, WIDTH * (wide * i + j)
            add_products(X, left, support, T, right, counting, 0, count, B, to, wide)
        add_seen(X, left, support, 0, count, t, counting, a, WIDTH * i)
