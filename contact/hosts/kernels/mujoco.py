"""Compiled part of the MuJoCo adapter: the mobility of one of its steps, from its own memory.

MuJoCo solves for the acceleration against quadratic rows, ``(M + E) a = f + J_e' D a_ref`` with
``E = J_e' D J_e`` over the active rows, and then takes damping implicitly:

    (M + h D_v) a' = M a,    v+ = v + h a'

so the mobility is ``(M + h D_v)^-1 M (M + E)^-1``. With ``Z = M (M + h D_v)^-1 A'`` the channels see
``B = Z' (M + E)^-1 A'``: one factor L D L' of M + E and forward substitutions only.
"""

from __future__ import annotations

import ctypes
import functools

from numba import carray, types

from contact.kernels import layout as at
from mlcp.jit import c_entry, kernel, part

from . import layout as L
from . import mujoco_layout as H
from .algebra import through
from .elimination import PIVOT_FLOOR, backward, eliminate, forward
from .ground import at_array
from .mujoco_rows import add_active_rows, add_square, gather
from .pointers import call_ground, floats_at, ints_at, longs_at, naturals_at


@kernel
def place_wheels(xpos, xmat, wheels, places, position, axis):
    """Wheel centres and spin axes in the world, from where they sit in their bodies."""
    for i in range(wheels.shape[0]):
        b = wheels[i, 0]
        for r in range(3):
            centre, left = xpos[b, r], 0.0
            for c in range(3):
                centre += xmat[b, 3 * r + c] * places[i, c]
                left += xmat[b, 3 * r + c] * places[i, 3 + c]
            position[3 * i + r], axis[3 * i + r] = centre, left


@kernel
def twist_rows(rows, wheels, position, cdof, subtree_com, parent, A):
    """The channels' rows over MuJoCo's freedoms: walk from each wheel to the root of its tree.

    ``wheels`` (W, 3): body, last freedom, root body. ``cdof``: rotation, then velocity of the point
    that sits at the root's centre of mass.
    """
    A[:] = 0.0
    for i in range(wheels.shape[0]):
        k, root = wheels[i, 1], wheels[i, 2]
        dx = position[3 * i] - subtree_com[root, 0]
        dy = position[3 * i + 1] - subtree_com[root, 1]
        dz = position[3 * i + 2] - subtree_com[root, 2]
        while k >= 0:
            x, y, z = cdof[k, 0], cdof[k, 1], cdof[k, 2]
            vx = cdof[k, 3] + y * dz - z * dy
            vy = cdof[k, 4] + z * dx - x * dz
            vz = cdof[k, 5] + x * dy - y * dx
            for c in range(at.CHANNELS * i, at.CHANNELS * (i + 1)):
                m = 6 * c
                A[c, k] = (
                    rows[m] * vx + rows[m + 1] * vy + rows[m + 2] * vz
                    + rows[m + 3] * x + rows[m + 4] * y + rows[m + 5] * z
                )  # fmt: skip
            k = parent[k]


@part
def add_damping(P, V, slot, values, places):
    """``D_v`` into V: joints, and what tendons and actuators have within the pattern of M."""
    n = P[H.FREEDOMS]
    damping = carray(floats_at(P[H.DAMPING]), (n,))
    for k in range(n):
        V[slot[k * n + k]] = damping[k]
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
        o = H.HANDED - 2 * H.SOURCE + H.SOURCE * kind
        count = carray(ints_at(P[o + 1]), (r + 1,))[r]
        first = carray(ints_at(P[o + 2]), (r + 1,))[r]
        J = carray(floats_at(P[o]), (first + count,))
        col = carray(ints_at(P[o + 3]), (first + count,))
        count = gather(J, first, count, n, True, col, values, places)
        add_square(V, slot, n, terms[t, 0], values, places, count)


@kernel
def work_size(n, C, size):
    """Numbers of working memory: V, D, K, a row's values, least, Y, X, in this order."""
    return 3 * size + 2 * n + n * (2 * C + 1) + n * C


@part
def mobility(h, P, F, N, A, v, places):
    """Factor and forward substitution; writes B, u, u_free. Returns -1, -2 outside the pattern, or the
    freedom whose pivot fails."""
    n, C, size, entries = P[H.FREEDOMS], A.shape[0], P[H.SIZE], P[H.M_SIZE]
    smooth, last = carray(floats_at(P[H.SMOOTH]), (n,)), carray(floats_at(P[H.LAST]), (n,))
    order, first = carray(longs_at(P[H.ORDER]), (2 * n,)), carray(longs_at(P[H.FIRST]), (n + 1,))
    place = order[n:]
    row, into = (
        carray(longs_at(P[H.ROW]), (size - n - 1,)),
        carray(naturals_at(P[H.INTO]), (P[H.UPDATES],)),
    )
    start = carray(longs_at(P[H.START_AT]), (size - n,))
    slot, m_slot = (
        carray(naturals_at(P[H.SLOT]), (2 * n * n,)),
        carray(naturals_at(P[H.M_SLOT]), (entries,)),
    )
    M = carray(floats_at(P[H.MASS]), (entries,))
    work = carray(floats_at(P[H.WORK]), (work_size(n, C, size),))
    V, D, K = work[:size], work[size : 2 * size], work[2 * size : 3 * size]
    o = 3 * size
    values, least = work[o : o + n], work[o + n : o + 2 * n]
    o += 2 * n
    damped = P[H.DAMPED] == 1
    wide = 2 * C + 1 if damped else C + 1
    Y = work[o : o + n * wide].reshape((n, wide))
    o += n * (2 * C + 1)
    X = work[o : o + n * C].reshape((n, C))
    V[:] = 0.0
    for m in range(entries):
        V[m_slot[m]] = M[m]
    for k in range(n):
        f = order[k]
        for c in range(C):
            Y[k, c] = A[c, f]
        Y[k, wide - 1] = smooth[f]
        least[k] = max(0.0, PIVOT_FLOOR * V[k])  # rows and dampers only make pivots larger
    if damped:  # Z = M (M + h D)^-1 A' = A' - h D (M + h D)^-1 A'
        D[:] = 0.0
        add_damping(P, D, slot[n * n :], values, places)
        for k in range(size - 1):
            K[k] = V[k] + h * D[k]
        # The halves of a body that was split for a loop can cancel in M; the loop's rows, which are
        # not in here, are what moves them, and no damper does.
        eliminate(K, n, first, row, start, into, least, True)
        for k in range(n):
            for c in range(C):
                X[k, c] = Y[k, c]
                Y[k, C + c] = Y[k, c]
        forward(K, n, first, row, X, C)
        for k in range(n):
            for c in range(C):
                X[k, c] *= K[k]
        backward(K, n, first, row, X, C)
        for k in range(n):
            if D[k] != 0.0:
                for c in range(C):
                    Y[k, C + c] -= h * D[k] * X[k, c]
            for m in range(first[k], first[k + 1]):
                f, r = h * D[n + m], row[m]
                if f != 0.0:
                    for c in range(C):
                        Y[k, C + c] -= f * X[r, c]
                        Y[r, C + c] -= f * X[k, c]
    if P[H.ROWS] > 0:
        add_active_rows(P, last, V, slot, place, Y, wide - 1)
        if V[size - 1] != 0.0:
            return -2
    code = eliminate(V, n, first, row, start, into, least, False)
    if code >= 0:
        return order[code]
    forward(V, n, first, row, Y, wide)
    B = at_array(F, N, L.B).reshape((C, C))
    u, u_free = at_array(F, N, L.U), at_array(F, N, L.U_FREE)
    through(A, n, C, v, u)
    z = C if damped else 0
    for r in range(C):
        total = 0.0
        for c in range(C):
            B[r, c] = 0.0
        for k in range(n):
            f = Y[k, z + r] * V[k]
            if f != 0.0:
                total += f * Y[k, wide - 1]
                for c in range(C):
                    B[r, c] += f * Y[k, c]
        u_free[r] = u[r] + h * total
    return -1


@part
def push(h, P, F, N, A, stages):
    """The ground's generalised force; and the acceleration that MuJoCo's solver may start from."""
    n, C, size = P[H.FREEDOMS], A.shape[0], P[H.SIZE]
    force, q = carray(floats_at(P[H.PUSH]), (n,)), at_array(F, N, L.FIRST_ROW_ARRAY + 11)
    for k in range(n):
        total = 0.0
        for c in range(C):
            total += A[c, k] * q[c]
        force[k] = total / h
    if stages & H.APPLY:
        applied, own = carray(floats_at(P[H.APPLIED]), (n,)), carray(floats_at(P[H.OWN]), (n,))
        for k in range(n):
            own[k] = applied[k]
            applied[k] += force[k]
    if P[H.ROWS] > 0 and stages & H.START:
        last, order = carray(floats_at(P[H.LAST]), (n,)), carray(longs_at(P[H.ORDER]), (n,))
        first, row = (
            carray(longs_at(P[H.FIRST]), (n + 1,)),
            carray(longs_at(P[H.ROW]), (size - n - 1,)),
        )
        work = carray(floats_at(P[H.WORK]), (work_size(n, C, size),))
        wide, o = 2 * C + 1 if P[H.DAMPED] == 1 else C + 1, 3 * size + 2 * n
        V, Y = work[:size], work[o : o + n * wide].reshape((n, wide))
        x = work[o + n * (2 * C + 1) :][:n].reshape((n, 1))
        for k in range(n):
            total = Y[k, wide - 1]
            for c in range(C):
                total += Y[k, c] * q[c] / h
            x[k, 0] = total * V[k]
        backward(V, n, first, row, x, 1)
        for k in range(n):
            last[order[k]] = x[k, 0]


@part
def step(P, stages):
    """Read MuJoCo's step, solve the ground, write its generalised force; returns a code.

    Codes of ``layout``, GREW, or 100 + the freedom whose pivot fails. ``stages``: DETECT alone stops
    before the mobility, SOLVE goes to the end.
    """
    n, W, C = P[H.FREEDOMS], P[H.COUNT], at.CHANNELS * P[H.COUNT]
    N = carray(longs_at(P[H.INTS]), (L.TABLE + 2 * L.ARRAYS,))
    F = carray(floats_at(P[H.FLOATS]), (N[L.FLOATS],))
    xpos, xmat = (
        carray(floats_at(P[H.XPOS]), (P[H.BODIES], 3)),
        carray(floats_at(P[H.XMAT]), (P[H.BODIES], 9)),
    )
    wheels, places = carray(longs_at(P[H.WHEELS]), (W, 3)), carray(floats_at(P[H.PLACES]), (W, 6))
    position = at_array(F, N, L.POSITION)
    place_wheels(xpos, xmat, wheels, places, position, at_array(F, N, L.AXIS))
    code = call_ground(P[H.GROUND], P[H.FLOATS], P[H.INTS], L.DETECT)
    if code != L.DONE:
        return code
    A = carray(floats_at(P[H.A_ROWS]), (C, n))
    v = carray(floats_at(P[H.QVEL]), (n,))
    cdof = carray(floats_at(P[H.CDOF]), (n, 6))
    com = carray(floats_at(P[H.SUBTREE_COM]), (P[H.BODIES], 3))
    parent = carray(ints_at(P[H.PARENT]), (n,))
    twist_rows(at_array(F, N, L.MAP), wheels, position, cdof, com, parent, A)
    h = at_array(F, N, L.STEP)[0]
    found = carray(longs_at(P[H.ORDER]), (3 * n,))[2 * n :]
    code = mobility(h, P, F, N, A, v, found)
    if code == -2:
        return H.GREW
    if code >= 0:
        return 100 + code
    code = call_ground(P[H.GROUND], P[H.FLOATS], P[H.INTS], stages)
    if code == L.DONE and stages & L.SOLVE:
        push(h, P, F, N, A, stages)
    return code


def make(key):
    """The function to compile; ``key`` holds the hash of all kernel sources, for Numba's cache."""

    def mujoco_step(handed, stages):
        key
        return step(carray(handed, (H.HANDED,)), stages)

    return mujoco_step


@functools.cache
def compiled():
    """``int64_t mujoco_step(int64_t *handed, int64_t stages)``; its life is the process's."""
    signature = types.int64(types.CPointer(types.int64), types.int64)
    return c_entry(make, signature, "mlcp", "contact")


@functools.cache
def entry():
    """The function as Python calls it: ``entry()(handed.ctypes.data, stages)``."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(compiled().address)
