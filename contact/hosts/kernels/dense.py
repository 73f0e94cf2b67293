"""Compiled part of the generic host: from M, J, v to what the channels see, the solve, and back.

One call a step on the memory that ``GenericHost`` keeps: two numbers to unpack, not twenty arrays.
"""

from __future__ import annotations

import ctypes
import functools
import math

from numba import carray, types

from contact.kernels import layout as at
from mlcp.jit import c_entry, kernel, part

from . import layout as L
from .algebra import channel_rows, constrain, factor, seen, solve_rows, through
from .ground import at_array
from .pointers import call_ground, floats_at, longs_at

# What is handed over: sizes, then addresses. One array of int64.
(
    FREEDOMS, COUNT, CONSTRAINTS, GROUND, FLOATS, INTS,
    J, M, E, SOFT, V, V_FREE, CHANNELS, FACTOR, MOBILITY, Y, S, T, IMPULSE, CHANGE,
    FORCE, HANDED,
) = range(22)  # fmt: skip

RESPOND = 1 << 16  # a stage of ours: what the impulses do to the host's velocities
FREE = 1 << 17  # another: v_free from the forces, ``v + h M^-1 f``
NOT_FINITE, REPEATED = 98, 99  # codes: numbers of the host; rows of E. From 100 on: 100 + a freedom


@kernel
def prepare(
    rows, jacobian, mass, E, soft, v, v_free, force, A, H, X, Y, S, T, B, u, u_free, h, by_force
):  # fmt: skip
    """``B = A M^-1 A'`` with the rows E taken out, ``u = A v``, ``u_free = A v_free``. A code.

    ``by_force``: v_free is made here, ``v + h M^-1 force``. Of M only the lower triangle is read.
    """
    n, count, ne = v.shape[0], A.shape[0], E.shape[0]
    total = 0.0
    for k in range(n):
        total += v[k] + (force[k] if by_force else v_free[k])
        for j in range(n):
            total += mass[k, j]
            H[k, j] = mass[k, j]
    for r in range(6 * (count // 4)):
        for k in range(n):
            total += jacobian[r, k]
    if not math.isfinite(total):
        return NOT_FINITE
    code = factor(H, n)
    if code >= 0:
        return 100 + code
    if by_force:
        for k in range(n):
            X[k, 0] = h * force[k]
        solve_rows(H, n, X, 1)
        for k in range(n):
            v_free[k] = v[k] + X[k, 0]
    channel_rows(rows, jacobian, n, count, A)
    for k in range(n):
        for c in range(count):
            X[k, c] = A[c, k]
    solve_rows(H, n, X, count)
    if ne > 0:
        for k in range(n):
            for c in range(ne):
                Y[k, c] = E[c, k]
        solve_rows(H, n, Y, ne)
        if constrain(E, soft, n, ne, X, count, Y, S, T) >= 0:
            return REPEATED
    seen(A, n, X, count, B)
    through(A, n, count, v, u)
    through(A, n, count, v_free, u_free)
    return L.DONE


@kernel
def respond(A, X, q, impulse, change):
    """Generalised impulse ``A' q`` and change of the velocities ``X q``."""
    for k in range(impulse.shape[0]):
        total, moved = 0.0, 0.0
        for c in range(q.shape[0]):
            total += A[c, k] * q[c]
            moved += X[k, c] * q[c]
        impulse[k], change[k] = total, moved


@part
def step(P, stages):
    """Contact points, mobility, solve and response, as far as ``stages`` says; returns a code."""
    n, W, C, ne = P[FREEDOMS], P[COUNT], at.CHANNELS * P[COUNT], P[CONSTRAINTS]
    N = carray(longs_at(P[INTS]), (L.TABLE + 2 * L.ARRAYS,))
    F = carray(floats_at(P[FLOATS]), (N[L.FLOATS],))
    A, X = carray(floats_at(P[CHANNELS]), (C, n)), carray(floats_at(P[MOBILITY]), (n, C))
    if stages & L.DETECT:
        code = call_ground(P[GROUND], P[FLOATS], P[INTS], L.DETECT)
        if code != L.DONE:
            return code
        code = prepare(
            at_array(F, N, L.MAP).reshape((C, 6)),
            carray(floats_at(P[J]), (6 * W, n)), carray(floats_at(P[M]), (n, n)),
            carray(floats_at(P[E]), (ne, n)), carray(floats_at(P[SOFT]), (ne,)),
            carray(floats_at(P[V]), (n,)), carray(floats_at(P[V_FREE]), (n,)),
            carray(floats_at(P[FORCE]), (n,)), A,
            carray(floats_at(P[FACTOR]), (n, n)), X, carray(floats_at(P[Y]), (n, ne)),
            carray(floats_at(P[S]), (ne, ne)), carray(floats_at(P[T]), (ne, C)),
            at_array(F, N, L.B).reshape((C, C)), at_array(F, N, L.U), at_array(F, N, L.U_FREE),
            at_array(F, N, L.STEP)[0], stages & FREE != 0,
        )  # fmt: skip
        if code != L.DONE:
            return code
    code = call_ground(P[GROUND], P[FLOATS], P[INTS], stages & (L.CHECK | L.SOLVE | L.REPORT))
    if code == L.DONE and stages & RESPOND:
        respond(A, X, at_array(F, N, L.FIRST_ROW_ARRAY + 11),
                carray(floats_at(P[IMPULSE]), (n,)), carray(floats_at(P[CHANGE]), (n,)))  # fmt: skip
    return code


def make(key):
    """The function to compile; ``key`` holds the hash of all kernel sources, for Numba's cache."""

    def generic_step(handed, stages):
        key
        return step(carray(handed, (HANDED,)), stages)

    return generic_step


@functools.cache
def compiled():
    """``int64_t generic_step(int64_t *handed, int64_t stages)``; its life is the process's."""
    signature = types.int64(types.CPointer(types.int64), types.int64)
    return c_entry(make, signature, "mlcp", "contact")


@functools.cache
def entry():
    """The function as Python calls it: ``entry()(handed.ctypes.data, stages)``."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(compiled().address)
