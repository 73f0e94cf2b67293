"""Compiled part of the MuJoCo adapter: the mobility of one of its steps, from its own memory.

MuJoCo solves for the acceleration against quadratic rows, ``(M + E) a = f + J_e' D a_ref`` with
``E = J_e' D J_e`` over the active rows, and takes joint damping implicitly in one of two ways:

    integrator discrete             (M + h D_v + h^2 K + E) a = ...,      v+ = v + h a
    Euler, implicit, implicitfast   (M + E) a = ...,  (M + h D_v) a' = M a,  v+ = v + h a'

so the mobility is ``(M + h D_v + h^2 K + E)^-1`` or ``(M + h D_v)^-1 M (M + E)^-1``.
"""

from __future__ import annotations

import ctypes
import functools
import math

from numba import carray, cfunc, types

from contact.kernels import layout as at
from mlcp.jit import _EntryCompiler, kernel, part, source_hash

from . import layout as L
from .algebra import factor, seen, solve_rows, through
from .ground import at_array
from .pointers import call_ground, floats_at, ints_at, longs_at

# Kinds of rows, as MuJoCo numbers them (mjtConstraint).
EQUALITY, FRICTION_DOF, FRICTION_TENDON = 0, 1, 2

# What the adapter hands over: sizes, then addresses. One array of int64.
(
    FREEDOMS, BODIES, COUNT, MERGED, ROWS, SPARSE,
    GROUND, FLOATS, INTS,
    XPOS, XMAT, CDOF, SUBTREE_COM, MASS, QVEL, SMOOTH, LAST, APPLIED,
    EFC_J, EFC_D, EFC_AREF, EFC_FLOSS, EFC_TYPE, EFC_NNZ, EFC_ADR, EFC_COL, ENTRIES,
    DAMPING, STIFFNESS, PARENT, M_NNZ, M_ADR, M_COL, M_SIZE, WHEELS, PLACES, WORK,
) = range(37)  # fmt: skip
HANDED = 37


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
def add_active_rows(P, a, H, X, C):
    """Add every active row's ``D J'J`` to H and its force at a = 0 to column C of X.

    Active as at the last acceleration a: equalities always, unilateral rows when violated, dry
    friction while it sticks; sliding friction is a known force.
    """
    n, nefc, sparse = P[FREEDOMS], P[ROWS], P[SPARSE] == 1
    J = carray(floats_at(P[EFC_J]), (P[ENTRIES],))
    D, aref = carray(floats_at(P[EFC_D]), (nefc,)), carray(floats_at(P[EFC_AREF]), (nefc,))
    floss, kinds = carray(floats_at(P[EFC_FLOSS]), (nefc,)), carray(ints_at(P[EFC_TYPE]), (nefc,))
    nnz, adr = carray(ints_at(P[EFC_NNZ]), (nefc,)), carray(ints_at(P[EFC_ADR]), (nefc,))
    col = carray(ints_at(P[EFC_COL]), (P[ENTRIES],))
    for r in range(nefc):
        first = adr[r] if sparse else r * n
        count = nnz[r] if sparse else n
        kind, weight, goal = kinds[r], D[r], aref[r]
        if kind != EQUALITY:
            excess = -goal
            for m in range(count):
                excess += J[first + m] * a[col[first + m] if sparse else m]
            if kind == FRICTION_DOF or kind == FRICTION_TENDON:
                if weight * abs(excess) > floss[r]:
                    force = math.copysign(floss[r], -excess)
                    for m in range(count):
                        X[col[first + m] if sparse else m, C] += J[first + m] * force
                    continue
            elif excess >= 0.0:
                continue
        for m in range(count):
            f = weight * J[first + m]
            if f != 0.0:
                k = col[first + m] if sparse else m
                X[k, C] += f * goal
                for p in range(count):
                    j = col[first + p] if sparse else p
                    if j <= k:
                        H[k, j] += f * J[first + p]


@part
def mobility(h, P, v, A, X, v_free, K, H, Y):
    """Response X (n, C + 1) to the channels (the last column: to all other forces) and v_free.

    Returns -1, or the freedom whose pivot fails.
    """
    n, C = P[FREEDOMS], A.shape[0]
    damping, stiffness = carray(floats_at(P[DAMPING]), (n,)), carray(floats_at(P[STIFFNESS]), (n,))
    smooth, last = carray(floats_at(P[SMOOTH]), (n,)), carray(floats_at(P[LAST]), (n,))
    nnz, adr = carray(ints_at(P[M_NNZ]), (n,)), carray(ints_at(P[M_ADR]), (n,))
    M, col = carray(floats_at(P[MASS]), (P[M_SIZE],)), carray(ints_at(P[M_COL]), (P[M_SIZE],))
    damped = False
    for k in range(n):
        for j in range(k + 1):
            H[k, j] = 0.0
        for m in range(adr[k], adr[k] + nnz[k]):
            H[k, col[m]] = M[m]
        for c in range(C):
            X[k, c] = A[c, k]
        X[k, C] = smooth[k]
        if P[MERGED] == 1:
            H[k, k] += h * damping[k] + h * h * stiffness[k]
            X[k, C] -= h * stiffness[k] * v[k]
        elif damping[k] != 0.0:
            damped = True
    if damped:
        for k in range(n):
            for j in range(k + 1):
                K[k, j] = H[k, j]
            K[k, k] += h * damping[k]
    if P[ROWS] > 0:
        add_active_rows(P, last, H, X, C)
    code = factor(H, n)
    if code >= 0:
        return code
    solve_rows(H, n, X, C + 1)
    if damped:  # (M + h D)^-1 M X = X - (M + h D)^-1 h D X
        code = factor(K, n)
        if code >= 0:
            return code
        for k in range(n):
            for c in range(C + 1):
                Y[k, c] = h * damping[k] * X[k, c]
        solve_rows(K, n, Y, C + 1)
        for k in range(n):
            for c in range(C + 1):
                X[k, c] -= Y[k, c]
    for k in range(n):
        v_free[k] = v[k] + h * X[k, C]
    return -1


@kernel
def work_size(n, C):
    """Numbers of working memory: A, X, v_free, force, H, K, Y, in this order."""
    return C * n + 2 * n * (C + 1) + 2 * n + 2 * n * n


@part
def step(P, stages):
    """Read MuJoCo's step, solve the ground, write its generalised force; returns a code.

    Codes of ``layout``, or 100 + the freedom whose pivot fails. ``stages``: DETECT alone stops
    before the mobility, SOLVE goes to the end.
    """
    n, W, C = P[FREEDOMS], P[COUNT], at.CHANNELS * P[COUNT]
    N = carray(longs_at(P[INTS]), (L.TABLE + 2 * L.ARRAYS,))
    F = carray(floats_at(P[FLOATS]), (N[L.FLOATS],))
    xpos, xmat = (
        carray(floats_at(P[XPOS]), (P[BODIES], 3)),
        carray(floats_at(P[XMAT]), (P[BODIES], 9)),
    )
    wheels, places = carray(longs_at(P[WHEELS]), (W, 3)), carray(floats_at(P[PLACES]), (W, 6))
    position = at_array(F, N, L.POSITION)
    place_wheels(xpos, xmat, wheels, places, position, at_array(F, N, L.AXIS))
    code = call_ground(P[GROUND], P[FLOATS], P[INTS], L.DETECT)
    if code != L.DONE:
        return code
    work = carray(floats_at(P[WORK]), (work_size(n, C),))
    A = work[: C * n].reshape((C, n))
    o = C * n
    X = work[o : o + n * (C + 1)].reshape((n, C + 1))
    o += n * (C + 1)
    v_free = work[o : o + n]
    o += n
    force = work[o : o + n]
    o += n
    H = work[o : o + n * n].reshape((n, n))
    o += n * n
    K = work[o : o + n * n].reshape((n, n))
    o += n * n
    Y = work[o : o + n * (C + 1)].reshape((n, C + 1))
    v = carray(floats_at(P[QVEL]), (n,))
    cdof = carray(floats_at(P[CDOF]), (n, 6))
    com = carray(floats_at(P[SUBTREE_COM]), (P[BODIES], 3))
    parent = carray(ints_at(P[PARENT]), (n,))
    twist_rows(at_array(F, N, L.MAP), wheels, position, cdof, com, parent, A)
    h = at_array(F, N, L.STEP)[0]
    code = mobility(h, P, v, A, X, v_free, K, H, Y)
    if code >= 0:
        return 100 + code
    seen(A, n, X, C, at_array(F, N, L.B).reshape((C, C)))
    through(A, n, C, v, at_array(F, N, L.U))
    through(A, n, C, v_free, at_array(F, N, L.U_FREE))
    code = call_ground(P[GROUND], P[FLOATS], P[INTS], stages)
    if code != L.DONE:
        return code
    if stages & L.SOLVE:
        q = at_array(F, N, L.FIRST_ROW_ARRAY + 11)
        for k in range(n):
            total = 0.0
            for c in range(C):
                total += A[c, k] * q[c]
            force[k] = total / h
    return code


def make(key):
    """The function to compile; ``key`` holds the hash of all kernel sources, for Numba's cache."""

    def mujoco_step(handed, stages):
        key
        return step(carray(handed, (HANDED,)), stages)

    return mujoco_step


@functools.cache
def compiled():
    """``int64_t mujoco_step(int64_t *handed, int64_t stages)``; its life is the process's."""
    signature = types.int64(types.CPointer(types.int64), types.int64)
    made = make(source_hash("mlcp", "contact"))
    return cfunc(signature, cache=True, pipeline_class=_EntryCompiler, error_model="numpy")(made)


@functools.cache
def entry():
    """The function as Python calls it: ``entry()(handed.ctypes.data, stages)``."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(compiled().address)
