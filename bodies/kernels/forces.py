"""Right-hand side of the mass rows: ``M v + h f``, gyroscopic torque included implicitly."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import codes
from . import layout as L
from .rotation import rotate, rotate_back
from .tables import look_up

LONG_STEP = 0.005  # [s] above it the gyroscopic term is backward Euler (damped), below midpoint


@kernel
def gyroscopic_impulse(A, m, wx, wy, wz, h):
    """Angular impulse ``-I y`` of the gyroscopic torque over a step, body axes.

    ``(I + s h ([w] I - [I w])) y = h w x I w``, s = 1/2 (midpoint) for short steps, 1 (backward
    Euler) above ``LONG_STEP``. One Newton step of the implicit equation; an explicit term lets a
    free spinning wheel gain energy at any step.
    Source: Catto, Numerical methods, GDC 2015 (s = 1). Differs: midpoint for short steps.
    """
    lx = A[m] * wx + A[m + 1] * wy + A[m + 2] * wz
    ly = A[m + 3] * wx + A[m + 4] * wy + A[m + 5] * wz
    lz = A[m + 6] * wx + A[m + 7] * wy + A[m + 8] * wz
    s = h if h > LONG_STEP else 0.5 * h
    # K = I + s ([w] I - [l])
    k00 = A[m] + s * (wy * A[m + 6] - wz * A[m + 3])
    k01 = A[m + 1] + s * (wy * A[m + 7] - wz * A[m + 4] + lz)
    k02 = A[m + 2] + s * (wy * A[m + 8] - wz * A[m + 5] - ly)
    k10 = A[m + 3] + s * (wz * A[m] - wx * A[m + 6] - lz)
    k11 = A[m + 4] + s * (wz * A[m + 1] - wx * A[m + 7])
    k12 = A[m + 5] + s * (wz * A[m + 2] - wx * A[m + 8] + lx)
    k20 = A[m + 6] + s * (wx * A[m + 3] - wy * A[m] + ly)
    k21 = A[m + 7] + s * (wx * A[m + 4] - wy * A[m + 1] - lx)
    k22 = A[m + 8] + s * (wx * A[m + 5] - wy * A[m + 2])
    gx, gy, gz = h * (wy * lz - wz * ly), h * (wz * lx - wx * lz), h * (wx * ly - wy * lx)
    c0, c1, c2 = k11 * k22 - k12 * k21, k12 * k20 - k10 * k22, k10 * k21 - k11 * k20
    d = 1.0 / (k00 * c0 + k01 * c1 + k02 * c2)
    y0 = d * (gx * c0 + gy * (k02 * k21 - k01 * k22) + gz * (k01 * k12 - k02 * k11))
    y1 = d * (gx * c1 + gy * (k00 * k22 - k02 * k20) + gz * (k02 * k10 - k00 * k12))
    y2 = d * (gx * c2 + gy * (k01 * k20 - k00 * k21) + gz * (k00 * k11 - k01 * k10))
    return (-(A[m] * y0 + A[m + 1] * y1 + A[m + 2] * y2),
            -(A[m + 3] * y0 + A[m + 4] * y1 + A[m + 5] * y2),
            -(A[m + 6] * y0 + A[m + 7] * y1 + A[m + 8] * y2))


@kernel
def assemble_momentum(F, N):
    """``M v + h f`` of gravity, applied wrenches and gyroscopic torque for every body."""
    n = L.ints(N, L.COUNT_I)[L.BODIES]
    mass, inertia = L.floats(F, N, L.MASS), L.floats(F, N, L.INERTIA)
    R, v = L.floats(F, N, L.ROTATION), L.floats(F, N, L.VELOCITY)
    f, P = L.floats(F, N, L.APPLIED), L.floats(F, N, L.MOMENTUM)
    M, S = L.floats(F, N, L.MASS_BLOCK), L.floats(F, N, L.SCALAR)
    h = S[L.STEP]
    for i in range(n):
        o, m = 6 * i, 9 * i
        for k in range(3):
            P[o + k] = mass[i] * (v[o + k] + h * S[L.GX + k]) + h * f[o + k]
        wx, wy, wz = v[o + 3], v[o + 4], v[o + 5]
        bx, by, bz = rotate_back(R, m, wx, wy, wz)
        gx, gy, gz = gyroscopic_impulse(inertia, m, bx, by, bz, h)
        gx, gy, gz = rotate(R, m, gx, gy, gz)
        a = 36 * i + 21
        P[o + 3] = M[a] * wx + M[a + 1] * wy + M[a + 2] * wz + gx + h * f[o + 3]
        P[o + 4] = M[a + 6] * wx + M[a + 7] * wy + M[a + 8] * wz + gy + h * f[o + 4]
        P[o + 5] = M[a + 12] * wx + M[a + 13] * wy + M[a + 14] * wz + gz + h * f[o + 5]


@kernel
def effort(T, t, P, p, tables, X, Y, u, rate):
    """Effort of a force element on its coordinate [N m or N]."""
    if T[t] == codes.FORCE_ON_COORDINATE:
        return u
    throttle = min(max(u, 0.0), 1.0)
    full = look_up(X, Y, tables[2 * T[t + 3]], tables[2 * T[t + 3] + 1], rate)[0]
    drag = 0.0
    if T[t + 4] >= 0:
        drag = look_up(X, Y, tables[2 * T[t + 4]], tables[2 * T[t + 4] + 1], rate)[0]
    return throttle * full - (1.0 - throttle) * drag


@kernel
def add_forces(F, N):
    """Add the impulses of the force elements to the momentum; keep each for the books."""
    n = L.ints(N, L.COUNT_I)[L.FORCES]
    T, P = L.ints(N, L.FORCE_I), L.floats(F, N, L.FORCE_DATA)
    tables, X, Y = L.ints(N, L.TABLE_I), L.floats(F, N, L.TABLE_X), L.floats(F, N, L.TABLE_Y)
    C, rate = L.floats(F, N, L.COORDINATE_JAC), L.floats(F, N, L.COORDINATE_RATE)
    of, u = L.ints(N, L.COORDINATE_I), L.floats(F, N, L.INPUT)
    v, B = L.floats(F, N, L.VELOCITY), L.floats(F, N, L.MOMENTUM)
    h = L.floats(F, N, L.SCALAR)[L.STEP]
    nb, K = L.ints(N, L.COUNT_I)[L.BODIES], L.floats(F, N, L.FORCE_WRENCH)
    for m in range(n):
        t, p, w = L.FORCE_INTS * m, L.FORCE_FLOATS * m, L.FORCE_WRENCHES * m
        target = T[t + 1]
        if T[t] == codes.DRAG:
            o = 6 * target
            dx, dy, dz = v[o] - P[p + 1], v[o + 1] - P[p + 2], v[o + 2] - P[p + 3]
            k = -h * P[p] * math.sqrt(dx * dx + dy * dy + dz * dz)
            K[w], K[w + 1], K[w + 2] = k * dx, k * dy, k * dz
            for i in range(3):
                B[o + i] += K[w + i]
            continue
        impulse = h * effort(T, t, P, p, tables, X, Y, u[T[t + 2]], rate[target])
        a, b = of[L.COORDINATE_INTS * target + 1], of[L.COORDINATE_INTS * target + 2]
        for k in range(6):
            K[w + k] = impulse * C[12 * target + k]
            K[w + 6 + k] = impulse * C[12 * target + 6 + k]
            if a < nb:
                B[6 * a + k] += K[w + k]
            if b < nb:
                B[6 * b + k] += K[w + 6 + k]
