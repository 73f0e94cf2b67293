"""Joint coordinates: value, rate and Jacobian of angles, translations and lengths."""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import codes
from . import layout as L
from .joints import column
from .rotation import rotate
from .rows import about, along


@kernel
def coordinate_value(kind, D, d, a, b, x, R, expected):
    """Value of one coordinate; an angle is unwound to the branch nearest ``expected``."""
    nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
    if kind == codes.ANGLE:
        ux, uy, uz = column(R, 9 * a, D, d + 6, 0)
        wx, wy, wz = column(R, 9 * b, D, d + 15, 0)
        s = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx)
        angle = math.atan2(s, ux * wx + uy * wy + uz * wz)
        turns = math.floor((expected - angle) / (2.0 * math.pi) + 0.5)
        return angle + 2.0 * math.pi * turns
    ax, ay, az = rotate(R, 9 * a, D[d], D[d + 1], D[d + 2])
    bx, by, bz = rotate(R, 9 * b, D[d + 3], D[d + 4], D[d + 5])
    dx = x[3 * b] + bx - x[3 * a] - ax
    dy = x[3 * b + 1] + by - x[3 * a + 1] - ay
    dz = x[3 * b + 2] + bz - x[3 * a + 2] - az
    if kind == codes.TRANSLATION:
        return nx * dx + ny * dy + nz * dz
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel
def coordinate_row(kind, D, d, a, b, x, R, J, o):
    """Jacobian of one coordinate: six numbers for body a at ``J[o:]``, six for b after them."""
    nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
    if kind == codes.ANGLE:
        about(J, o, -1.0, nx, ny, nz)
        about(J, o + 6, 1.0, nx, ny, nz)
        return
    bx, by, bz = rotate(R, 9 * b, D[d + 3], D[d + 4], D[d + 5])
    px = x[3 * b] + bx - x[3 * a]
    py = x[3 * b + 1] + by - x[3 * a + 1]
    pz = x[3 * b + 2] + bz - x[3 * a + 2]
    if kind == codes.LENGTH:
        ax, ay, az = rotate(R, 9 * a, D[d], D[d + 1], D[d + 2])
        nx, ny, nz = px - ax, py - ay, pz - az
        k = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = k * nx, k * ny, k * nz
    along(J, o, -1.0, nx, ny, nz, px, py, pz)
    along(J, o + 6, 1.0, nx, ny, nz, bx, by, bz)


@kernel
def coordinate_rate(J, o, v, a, b):
    """``J v`` of the coordinate whose Jacobian is at ``J[o:o+12]``."""
    rate = 0.0
    for k in range(6):
        rate += J[o + k] * v[6 * a + k] + J[o + 6 + k] * v[6 * b + k]
    return rate


@kernel
def assemble_coordinates(F, N):
    """Value, Jacobian and rate, at the start of the step, of the coordinates that rows use."""
    n = L.ints(N, L.COUNT_I)[L.COORDINATES]
    T, D = L.ints(N, L.COORDINATE_I), L.floats(F, N, L.COORDINATE_DATA)
    x, v, R = L.floats(F, N, L.POSITION), L.floats(F, N, L.VELOCITY), L.floats(F, N, L.ROTATION)
    q, J = L.floats(F, N, L.COORDINATE), L.floats(F, N, L.COORDINATE_JAC)
    rate = L.floats(F, N, L.COORDINATE_RATE)
    for c in range(n):
        t, d = L.COORDINATE_INTS * c, L.COORDINATE_FLOATS * c
        if T[t + 3] == L.WATCHED:
            continue
        kind, a, b = T[t], T[t + 1], T[t + 2]
        q[c] = coordinate_value(kind, D, d, a, b, x, R, q[c])
        coordinate_row(kind, D, d, a, b, x, R, J, 12 * c)
        rate[c] = coordinate_rate(J, 12 * c, v, a, b)


@kernel
def predict_coordinates(F, N):
    """Move every coordinate by its speed over the step.

    An angle is then unwound to the branch nearest to this prediction, so that a wheel may turn by
    more than half a turn in a step.
    """
    n = L.ints(N, L.COUNT_I)[L.COORDINATES]
    T, D = L.ints(N, L.COORDINATE_I), L.floats(F, N, L.COORDINATE_DATA)
    v, R, q = L.floats(F, N, L.VELOCITY), L.floats(F, N, L.ROTATION), L.floats(F, N, L.COORDINATE)
    h = L.floats(F, N, L.SCALAR)[L.STEP]
    for c in range(n):
        t = L.COORDINATE_INTS * c
        if T[t] == codes.ANGLE:
            a, b = T[t + 1], T[t + 2]
            nx, ny, nz = column(R, 9 * a, D, L.COORDINATE_FLOATS * c + 6, 2)
            q[c] += h * (
                nx * (v[6 * b + 3] - v[6 * a + 3])
                + ny * (v[6 * b + 4] - v[6 * a + 4])
                + nz * (v[6 * b + 5] - v[6 * a + 5])
            )


@kernel
def measure_coordinates(F, N, least, most):
    """Value at the moved pose of the coordinates whose use is between least and most."""
    n = L.ints(N, L.COUNT_I)[L.COORDINATES]
    T, D = L.ints(N, L.COORDINATE_I), L.floats(F, N, L.COORDINATE_DATA)
    x, q, R = L.floats(F, N, L.POSITION), L.floats(F, N, L.COORDINATE), L.floats(F, N, L.ROTATION)
    for c in range(n):
        t = L.COORDINATE_INTS * c
        if least <= T[t + 3] <= most:
            q[c] = coordinate_value(T[t], D, L.COORDINATE_FLOATS * c, T[t + 1], T[t + 2], x, R, q[c])
