"""Compiled part of the MuJoCo adapter: the mobility of one of its steps, from its own memory.

MuJoCo solves for the acceleration against quadratic rows, ``(M + E) a = f + J_e' D a_ref`` with
``E = J_e' D J_e`` over the active rows, and then takes damping implicitly:

    (M + h D_v) a' = M a,    v+ = v + h a'

so the mobility is ``(M + h D_v)^-1 M (M + E)^-1``. M + E is factored, sparsely; a wheel's rows touch
the few freedoms between it and the root, so its forward substitution visits a fifth of the factor, and
two wheels share a few places only. What damping changes is in ``mujoco_damping``. The integrator
``discrete`` has no second stage: it solves with M and all springs and dampers at once, ``add_metric``.
"""

from __future__ import annotations

import ctypes
import functools

import numpy as np
from numba import carray, types

from contact.kernels import layout as at
from mlcp.jit import c_entry, kernel, part

from . import layout as L
from . import mujoco_layout as H
from .elimination import (
    PIVOT_FLOOR,
    add_products,
    add_seen,
    backward,
    backward_panel,
    backward_some,
    eliminate,
    forward,
    forward_panel,
    lay_channels,
    panel,
)
from .ground import at_array
from .mujoco_damping import damp, damped_response, damper_forces, read_dampers
from .mujoco_memory import planned, working
from .mujoco_rows import add_active_rows
from .pointers import call_ground, floats_at, ints_at, longs_at
from .vector import WIDTH


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
def twist_rows(rows, wheels, position, cdof, subtree_com, path_at, path, A):
    """The channels' rows over MuJoCo's freedoms: those on the way from each wheel to its root.

    ``wheels`` (W, 3): body, last freedom, root body. ``cdof``: rotation, then velocity of the point
    that sits at the root's centre of mass.
    """
    for i in range(wheels.shape[0]):
        root = wheels[i, 2]
        dx = position[3 * i] - subtree_com[root, 0]
        dy = position[3 * i + 1] - subtree_com[root, 1]
        dz = position[3 * i + 2] - subtree_com[root, 2]
        for p in range(path_at[i], path_at[i + 1]):
            k = path[p]
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


@part
def add_metric(P, order, V, free):
    """What the integrator ``discrete`` adds to M: springs and dampers of joints and tendons, all of them
    implicit, and their force at the start of the step. Returns 0 or GREW."""
    n, slot = P[H.FREEDOMS], planned(P, H.SLOT)
    diagonal, shift = (
        carray(floats_at(P[H.METRIC_DIAGONAL]), (n,)),
        carray(floats_at(P[H.METRIC_FORCE]), (n,)),
    )
    for k in range(n):
        V[k] += diagonal[order[k]]
        free[k] += shift[order[k]]
    count = P[H.METRIC_TENDONS]
    tendons = carray(ints_at(P[H.METRIC_TENDON]), (count,))
    scales = carray(floats_at(P[H.METRIC_SCALE]), (count,))
    for t in range(count):
        r = tendons[t]
        entries = carray(ints_at(P[H.SOURCES + 1]), (r + 1,))[r]
        first = carray(ints_at(P[H.SOURCES + 2]), (r + 1,))[r]
        J = carray(floats_at(P[H.SOURCES]), (first + entries,))
        col = carray(ints_at(P[H.SOURCES + 3]), (first + entries,))
        for m in range(first, first + entries):
            for p in range(first, m + 1):
                to = slot[col[m] * n + col[p]]
                if to == V.shape[0] - 1:
                    return H.GREW
                V[to] += scales[t] * J[m] * J[p]
    return 0


@part
def mobility(h, P, A, v, B, u, u_free):
    """What the channels see of the step: B, u, u_free. Returns 0, a code, or 100 + a freedom."""
    n, W, C = P[H.FREEDOMS], P[H.COUNT], at.CHANNELS * P[H.COUNT]
    smooth, last = carray(floats_at(P[H.SMOOTH]), (n,)), carray(floats_at(P[H.LAST]), (n,))
    M, damped = carray(floats_at(P[H.MASS]), (P[H.M_SIZE],)), P[H.DAMPED] == 1
    path_at, path = planned(P, H.PATH_AT), planned(P, H.PATH)
    least, X = working(P, H.LEAST), working(P, H.X)
    if damped:
        D = working(P, H.DAMPERS)
        if not read_dampers(P, D):
            return H.GREW
        damped_response(
            h, n, W, M, planned(P, H.M_SLOT_K), D, planned(P, H.DAMPER_SLOT_K), working(P, H.K),
            least, planned(P, H.FIRST_K), planned(P, H.ROW_K), planned(P, H.START_K),
            planned(P, H.INTO_K), path_at, path,
            planned(P, H.PATH_PLACE_K), planned(P, H.REACH_AT_K), planned(P, H.REACH_K),
            planned(P, H.NEEDED_K), A, working(P, H.Y_K), working(P, H.Z_K), X,
        )  # fmt: skip
    V, free = working(P, H.V), working(P, H.FREE)
    order, m_slot = planned(P, H.ORDER), planned(P, H.M_SLOT)
    V[:] = 0.0
    for m in range(M.shape[0]):
        V[np.uint64(m_slot[np.uint64(m)])] = M[m]
    for k in range(n):
        free[k] = smooth[np.uint64(order[k])]
        least[k] = max(0.0, PIVOT_FLOOR * V[k])  # rows only make pivots larger
    if P[H.METRIC] == 1:
        code = add_metric(P, order, V, free)
        if code != 0:
            return code
    if P[H.ROWS] > 0:
        code = add_active_rows(P, last, V, free)
        if code != 0:
            return code
    first, row = planned(P, H.FIRST), planned(P, H.ROW)
    code = eliminate(
        V,
        n,
        first,
        row,
        planned(P, H.START_AT),
        planned(P, H.INTO),
        least,
        False,
    )
    if code >= 0:
        return 100 + order[code]
    Y, Z = working(P, H.Y), working(P, H.Z)
    reach_at, reach = planned(P, H.REACH_AT), planned(P, H.REACH)
    lay_channels(n, W, path_at, path, planned(P, H.PATH_PLACE), reach_at, reach, A, Y)
    seen, seen_free = working(P, H.SEEN), working(P, H.SEEN_FREE)
    undamped(V, n, W, first, row, reach_at, reach, Y, Z, free, seen, seen_free,
             planned(P, H.SHARED_AT), planned(P, H.SHARED))  # fmt: skip
    if damped:
        Q, some, needed = working(P, H.Q), working(P, H.FREE_SOME), planned(P, H.NEEDED)
        for i in range(0, W, 2):
            backward_panel(V, n, first, row, needed, Z, Q, panel(n, i))
        backward_some(V, n, first, row, needed, free, some)
        T, t = working(P, H.T), working(P, H.T_FREE)
        damper_forces(h, n, W, D, planned(P, H.DAMPER_ROW), planned(P, H.DAMPER_COL),
                      planned(P, H.SUPPORT), Q, some, T, t)  # fmt: skip
        damp(n, W, X, planned(P, H.SUPPORT_K), T, t, planned(P, H.COUNTING), seen, seen_free)
    wide = 2 * at.CHANNELS * ((W + 1) // 2)
    for r in range(C):
        for c in range(C):
            B[np.uint64(r * C + c)] = seen[np.uint64(r * wide + c)]
    for i in range(W):
        for c in range(at.CHANNELS * i, at.CHANNELS * (i + 1)):
            total = 0.0
            for m in range(path_at[i], path_at[i + 1]):
                total += A[c, path[m]] * v[path[m]]
            u[c] = total
            u_free[c] = total + h * seen_free[c]
    return 0


@kernel
def undamped(V, n, W, first, row, reach_at, reach, Y, Z, free, B, a, shared_at, shared):
    """Without damping: mobility B, free acceleration a of the channels, D^-1 L^-1 of the forces."""
    panels, pair = (W + 1) // 2, 0
    wide = WIDTH * panels
    B[:] = 0.0
    a[:] = 0.0
    forward(V, n, first, row, free)
    for k in range(n):
        free[k] *= V[k]
    for i in range(panels):
        base, begin, end = WIDTH * n * i, reach_at[i], reach_at[i + 1]
        forward_panel(V, n, first, row, reach, begin, end, Y, Z, base)
        add_seen(Y, base, reach, begin, end, free, reach, a, WIDTH * i)
        for j in range(i + 1):
            add_products(
                Y, base, shared, Z, WIDTH * n * j, shared, shared_at[pair], shared_at[pair + 1],
                B, WIDTH * (wide * i + j), wide,
            )  # fmt: skip
            pair += 1
        for r in range(WIDTH * i, WIDTH * (i + 1)):
            for c in range(WIDTH * i):
                B[np.uint64(c * wide + r)] = B[np.uint64(r * wide + c)]


@part
def push(h, P, A, q, stages):
    """The ground's generalised force; and the acceleration that MuJoCo's solver may start from."""
    n, W = P[H.FREEDOMS], P[H.COUNT]
    path_at, path = planned(P, H.PATH_AT), planned(P, H.PATH)
    force = carray(floats_at(P[H.PUSH]), (n,))
    force[:] = 0.0
    for i in range(W):
        c = at.CHANNELS * i
        for m in range(path_at[i], path_at[i + 1]):
            k = path[m]
            force[k] += (
                A[c, k] * q[c] + A[c + 1, k] * q[c + 1] + A[c + 2, k] * q[c + 2]
                + A[c + 3, k] * q[c + 3]
            ) / h  # fmt: skip
    if stages & H.APPLY:
        applied, own = carray(floats_at(P[H.APPLIED]), (n,)), carray(floats_at(P[H.OWN]), (n,))
        for k in range(n):
            own[k] = applied[k]
            applied[k] += force[k]
    if P[H.ROWS] > 0 and stages & H.START:
        last, order = carray(floats_at(P[H.LAST]), (n,)), planned(P, H.ORDER)
        x, Z, V = working(P, H.FREE), working(P, H.Z), working(P, H.V)
        reach_at, reach = planned(P, H.REACH_AT), planned(P, H.REACH)
        for i in range(W):
            base, c = panel(n, i), at.CHANNELS * i
            for m in range(reach_at[i // 2], reach_at[i // 2 + 1]):
                o = base + WIDTH * reach[m]
                x[reach[m]] += (
                    Z[o] * q[c] + Z[o + 1] * q[c + 1] + Z[o + 2] * q[c + 2] + Z[o + 3] * q[c + 3]
                ) / h
        backward(V, n, planned(P, H.FIRST), planned(P, H.ROW), x)
        for k in range(n):
            last[np.uint64(order[k])] = x[k]


@part
def step(P, stages):
    """Read MuJoCo's step, solve the ground, write its generalised force; returns a code.

    Codes of ``layout``, GREW, CROWDED, or 100 + the freedom whose pivot fails. ``stages``: without
    SOLVE it stops after the mobility.
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
    twist_rows(
        at_array(F, N, L.MAP), wheels, position, cdof, com, planned(P, H.PATH_AT),
        planned(P, H.PATH), A,
    )  # fmt: skip
    h = at_array(F, N, L.STEP)[0]
    B, u, u_free = at_array(F, N, L.B), at_array(F, N, L.U), at_array(F, N, L.U_FREE)
    code = mobility(h, P, A, v, B, u, u_free)
    if code != 0:
        return code
    code = call_ground(P[H.GROUND], P[H.FLOATS], P[H.INTS], stages)
    if code == L.DONE and stages & L.SOLVE:
        push(h, P, A, at_array(F, N, L.FIRST_ROW_ARRAY + 11), stages)
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
