"""Rows over joint coordinates: gears, drives, springs, engines (bilateral), brakes, stops (bounded)."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import codes
from . import layout as L
from .engine import admittance, engine_line
from .tables import look_up

FLOOR = 1e-9  # [N s/m] least h k + c of a row of force, so that a flat stretch of a table is a row


@kernel
def spring_force(P, p, T, t, tables, X, Y, x, v):
    """Force f(x, v), stiffness and damping of one spring coupling (linear part plus tables)."""
    k, c = P[p + 4], P[p + 5]
    s = x - P[p + 6]
    f = k * s + c * v
    if T[t + 5] >= 0:
        y, slope = look_up(X, Y, tables[2 * T[t + 5]], tables[2 * T[t + 5] + 1], s)
        f += y
        k += slope
    if T[t + 6] >= 0:
        y, slope = look_up(X, Y, tables[2 * T[t + 6]], tables[2 * T[t + 6] + 1], v)
        f += y
        c += slope
    return f, k, c


@kernel
def force_row(f, k, c, v, h):
    """``(e, b)`` of a force f at the start of the step, resisting, with slopes k and c.

    ``p = -h (f + h k v+ + c (v+ - v))``. A slope below 0, which drives, is left out: that part of the
    force is the one at the start of the step.
    """
    k = max(k, 0.0)
    c = max(c, FLOOR - h * k, 0.0)
    s = h * k + c
    return 1.0 / (h * s), (f - c * v) / s


@kernel
def gear_ratio(T, t, tables, X, Y, P, p, gear):
    """Ratio of the engaged gear, 0 in neutral."""
    g = math.floor(gear + 0.5)
    g = min(max(g, -1.0), P[p + 4])
    return look_up(X, Y, tables[2 * T[t + 5]], tables[2 * T[t + 5] + 1], g)[0]


@kernel
def gap_bias(gap, h, recovery):
    """Bias of a unilateral row: an open gap may just close, a penetration recovers by a share."""
    return gap / h if gap > 0.0 else recovery * gap / h


@kernel
def assemble_couplings(F, N):
    """Jacobian, compliance, bias and bounds of every coupling."""
    n = L.ints(N, L.COUNT_I)[L.COUPLINGS]
    T, P = L.ints(N, L.COUPLING_I), L.floats(F, N, L.COUPLING_DATA)
    tables, X, Y = L.ints(N, L.TABLE_I), L.floats(F, N, L.TABLE_X), L.floats(F, N, L.TABLE_Y)
    q, rate = L.floats(F, N, L.COORDINATE), L.floats(F, N, L.COORDINATE_RATE)
    C, J, u = L.floats(F, N, L.COORDINATE_JAC), L.floats(F, N, L.JACOBIAN), L.floats(F, N, L.INPUT)
    E, B = L.floats(F, N, L.COMPLIANCE), L.floats(F, N, L.BIAS)
    e, b = L.floats(F, N, L.CHANNEL_COMPLIANCE), L.floats(F, N, L.CHANNEL_BIAS)
    lower, upper = L.floats(F, N, L.CHANNEL_LOWER), L.floats(F, N, L.CHANNEL_UPPER)
    of, M, nb = L.ints(N, L.COORDINATE_I), L.floats(F, N, L.MASS_BLOCK), L.ints(N, L.COUNT_I)[L.BODIES]
    S = L.floats(F, N, L.SCALAR)
    h, recovery = S[L.STEP], S[L.RECOVERY]
    for m in range(n):
        t, p = L.COUPLING_INTS * m, L.COUPLING_FLOATS * m
        code, row = T[t], T[t + 2]
        scale = 1.0
        for k in range(T[t + 8]):
            J[T[t + 7] + k] = 0.0
        x = 0.0
        v = 0.0
        if code == codes.GEARBOX:
            scale = gear_ratio(T, t, tables, X, Y, P, p, u[T[t + 3]])
            E[row] = 0.0
            if scale == 0.0:  # neutral: a row of zeros with e = 1 carries nothing
                E[row] = 1.0
                continue
        for k in range(T[t + 1]):
            o = t + 9 + 3 * k
            c = P[p + k]
            if k == 1:
                c *= scale
            x += c * q[T[o]]
            v += c * rate[T[o]]
            for i in range(6):
                J[T[o + 1] + i] += c * C[12 * T[o] + i]
                J[T[o + 2] + i] += c * C[12 * T[o] + 6 + i]
        if code == codes.SPRING:
            f, k, c = spring_force(P, p, T, t, tables, X, Y, x, v)
            E[row], B[row] = force_row(f, k, c, v, h)
        elif code == codes.ENGINE:
            o = 12 * T[t + 9]
            turn = 0.0
            for i in range(2):
                body = of[L.COORDINATE_INTS * T[t + 9] + 1 + i]
                if body < nb:
                    turn += h * admittance(C, o + 6 * i, M, 36 * body)
            throttle = min(max(u[T[t + 3]], 0.0), 1.0)
            f, c = engine_line(tables, T[t + 5], T[t + 6], X, Y, throttle, v, turn)
            E[row], B[row] = force_row(-f, 0.0, c, v, h)
        elif code == codes.DRIVE_SPEED:
            B[row] = -u[T[t + 3]]
        elif code == codes.DRIVE_POSITION:
            B[row] = (x - P[p + 3] - u[T[t + 3]]) / h
        elif code == codes.BRAKE or code == codes.CLUTCH:
            bound = h * P[p + 4] * min(max(u[T[t + 3]], 0.0), 1.0)
            e[row] = 0.0
            b[row] = 0.0
            lower[row] = -bound
            upper[row] = bound
        elif code == codes.MOTOR_SPEED:
            e[row] = 0.0
            b[row] = -u[T[t + 3]]
            lower[row] = -h * P[p + 4]
            upper[row] = h * P[p + 4]
        elif code == codes.LIMIT:
            e[row] = 0.0
            if x - P[p + 4] <= P[p + 5] - x:  # nearer to the lower stop: pushes up
                b[row] = gap_bias(x - P[p + 4], h, recovery)
                lower[row] = 0.0
                upper[row] = math.inf
            else:
                b[row] = -gap_bias(P[p + 5] - x, h, recovery)
                lower[row] = -math.inf
                upper[row] = 0.0


@kernel
def measure_couplings(F, N):
    """Position error of the bilateral couplings that have one (gears and position drives)."""
    n = L.ints(N, L.COUNT_I)[L.COUPLINGS]
    T, P = L.ints(N, L.COUPLING_I), L.floats(F, N, L.COUPLING_DATA)
    q, u, error = L.floats(F, N, L.COORDINATE), L.floats(F, N, L.INPUT), L.floats(F, N, L.ERROR)
    for m in range(n):
        t, p = L.COUPLING_INTS * m, L.COUPLING_FLOATS * m
        if T[t] == codes.GEAR or T[t] == codes.DRIVE_POSITION:
            x = -P[p + 3]
            for k in range(T[t + 1]):
                x += P[p + k] * q[T[t + 9 + 3 * k]]
            if T[t] == codes.DRIVE_POSITION:
                x -= u[T[t + 3]]
            error[T[t + 2]] = x
