"""Right-hand side of the mass rows: ``M v + h f``, gyroscopic torque included implicitly."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import codes
from . import layout as L
from .gyroscopic import conserving_impulse, gyroscopic_impulse
from .rotation import rotate, rotate_back


@kernel
def assemble_momentum(F, N):
    """``M v + h f`` of gravity, applied wrenches and gyroscopic torque for every body."""
    n = L.ints(N, L.COUNT_I)[L.BODIES]
    mass, inertia = L.floats(F, N, L.MASS), L.floats(F, N, L.INERTIA)
    R, v = L.floats(F, N, L.ROTATION), L.floats(F, N, L.VELOCITY)
    f, P = L.floats(F, N, L.APPLIED), L.floats(F, N, L.MOMENTUM)
    M, S = L.floats(F, N, L.MASS_BLOCK), L.floats(F, N, L.SCALAR)
    free = L.ints(N, L.BODY_FREE_I)
    h = S[L.STEP]
    for i in range(n):
        o, m = 6 * i, 9 * i
        for k in range(3):
            P[o + k] = mass[i] * (v[o + k] + h * S[L.GX + k]) + h * f[o + k]
        wx, wy, wz = v[o + 3], v[o + 4], v[o + 5]
        bx, by, bz = rotate_back(R, m, wx, wy, wz)
        if free[i] == 1:
            gx, gy, gz = conserving_impulse(inertia, m, bx, by, bz, h)
        else:
            gx, gy, gz = gyroscopic_impulse(inertia, m, bx, by, bz, h)
        gx, gy, gz = rotate(R, m, gx, gy, gz)
        a = 36 * i + 21
        P[o + 3] = M[a] * wx + M[a + 1] * wy + M[a + 2] * wz + gx + h * f[o + 3]
        P[o + 4] = M[a + 6] * wx + M[a + 7] * wy + M[a + 8] * wz + gy + h * f[o + 4]
        P[o + 5] = M[a + 12] * wx + M[a + 13] * wy + M[a + 14] * wz + gz + h * f[o + 5]


@kernel
def add_forces(F, N):
    """Add the impulses of the force elements to the momentum; keep each for the books.

    Drag is linear in the velocity at the end of the step, ``-h k |v - wind| (v+ - wind)``: its factor
    stands in the mass block.
    """
    n = L.ints(N, L.COUNT_I)[L.FORCES]
    T, P = L.ints(N, L.FORCE_I), L.floats(F, N, L.FORCE_DATA)
    C = L.floats(F, N, L.COORDINATE_JAC)
    of, u = L.ints(N, L.COORDINATE_I), L.floats(F, N, L.INPUT)
    v, B, M = L.floats(F, N, L.VELOCITY), L.floats(F, N, L.MOMENTUM), L.floats(F, N, L.MASS_BLOCK)
    h = L.floats(F, N, L.SCALAR)[L.STEP]
    nb, K = L.ints(N, L.COUNT_I)[L.BODIES], L.floats(F, N, L.FORCE_WRENCH)
    for m in range(n):
        t, p, w = L.FORCE_INTS * m, L.FORCE_FLOATS * m, L.FORCE_WRENCHES * m
        target = T[t + 1]
        if T[t] == codes.DRAG:
            o = 6 * target
            dx, dy, dz = v[o] - P[p + 1], v[o + 1] - P[p + 2], v[o + 2] - P[p + 3]
            K[w] = h * P[p] * math.sqrt(dx * dx + dy * dy + dz * dz)  # impulse -K (v+ - wind)
            for i in range(3):
                M[6 * o + 7 * i] += K[w]
                B[o + i] += K[w] * P[p + 1 + i]
            continue
        impulse = h * u[T[t + 2]]
        a, b = of[L.COORDINATE_INTS * target + 1], of[L.COORDINATE_INTS * target + 2]
        for k in range(6):
            K[w + k] = impulse * C[12 * target + k]
            K[w + 6 + k] = impulse * C[12 * target + 6 + k]
            if a < nb:
                B[6 * a + k] += K[w + k]
            if b < nb:
                B[6 * b + k] += K[w + 6 + k]
