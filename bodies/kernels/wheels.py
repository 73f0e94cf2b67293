"""Wheels: from the pose of a wheel body to its channels and the numbers a ground law needs."""

from __future__ import annotations

from contact.kernels import rigid
from contact.kernels.section import BILINEAR, Ground
from contact.kernels.wheel_frame import heading, on_plane, touching
from mlcp.jit import kernel

from . import layout as L
from .rotation import rotate
from .rows import along
from .slip_angle import LOAD_FLOOR, lateral_compliance, speed_ahead

TERRAIN = 16  # kinds of surface from here on are terrain


@kernel
def wheel_frame(D, d, i, X, R, ground, W, w):
    """Centre, contact point and axes of one wheel, written to ``W[w:]``.

    Layout: 0 centre, 3 contact point, 6 normal, 9 forward, 12 left, 15 gap (3 numbers each, the
    gap one; the normal as ``touching`` has it, of length 1 on a plane). A kind of ground below 0 is the
    plane of rigid contact. Returns the share of the way from the centre to the contact point at
    which the normal force acts.
    """
    x, y, z = rotate(R, 9 * i, D[d], D[d + 1], D[d + 2])
    cx, cy, cz = X[3 * i] + x, X[3 * i + 1] + y, X[3 * i + 2] + z
    ax, ay, az = rotate(R, 9 * i, D[d + 3], D[d + 4], D[d + 5])
    r = D[d + 6]
    if ground.kind < 0:
        G, o, b = ground.record, ground.place, X.size // 3 - 1
        distance, nx, ny, nz = rigid.gap_and_normal(rigid.PLANE, G, o, 0, 0, R, 9 * b, X, b, cx, cy, cz)
        gap, nx, ny, nz, dx, dy, dz, share = on_plane(nx, ny, nz, distance, ax, ay, az, r)
    else:
        gap, nx, ny, nz, dx, dy, dz, share = touching(ground, cx, cy, cz, ax, ay, az, r)
    fx, fy, fz, lx, ly, lz = heading(ax, ay, az, nx, ny, nz)
    W[w], W[w + 1], W[w + 2] = cx, cy, cz
    W[w + 3], W[w + 4], W[w + 5] = cx + dx, cy + dy, cz + dz
    W[w + 6], W[w + 7], W[w + 8] = nx, ny, nz
    W[w + 9], W[w + 10], W[w + 11] = fx, fy, fz
    W[w + 12], W[w + 13], W[w + 14] = lx, ly, lz
    W[w + 15] = gap
    return share


@kernel
def detect_wheels(F, N):
    """Frames, Jacobian rows and kinematics of every wheel; rows of a hard, springy ground.

    The contact point is taken on the ground (the rim's lowest point moved along the normal by the
    penetration), so that the sliding velocity belongs to the loaded radius. On soft ground the
    slip belongs to the effective radius, and the contact point is the rim's lowest.
    """
    n = L.ints(N, L.COUNT_I)[L.WHEELS]
    if n == 0:
        return
    T, D = L.ints(N, L.WHEEL_I), L.floats(F, N, L.WHEEL_DATA)
    G, T2 = L.floats(F, N, L.SURFACE_DATA), L.ints(N, L.SURFACE_I)
    X, v, R = L.floats(F, N, L.POSITION), L.floats(F, N, L.VELOCITY), L.floats(F, N, L.ROTATION)
    J, W, S = L.floats(F, N, L.JACOBIAN), L.floats(F, N, L.WHEEL_STATE), L.floats(F, N, L.SCALAR)
    e, b = L.floats(F, N, L.CHANNEL_COMPLIANCE), L.floats(F, N, L.CHANNEL_BIAS)
    live = L.ints(N, L.CHANNEL_LIVE_I)
    h, soft = S[L.STEP], L.ints(N, L.COUNT_I)[L.SOIL_WHEELS]
    for m in range(n):
        t, d, w = L.WHEEL_INTS * m, L.WHEEL_FLOATS * m, L.WHEEL_STATE_FLOATS * m
        i, surface, row, j = T[t], L.SURFACE_INTS * T[t + 1], T[t + 2], T[t + 3]
        channels = T[t + 4]
        kind = T2[surface] - TERRAIN
        if kind < 0:  # of a surface of rigid contact
            kind = BILINEAR if T2[surface] == rigid.HEIGHT_FIELD else -1
        ground = Ground(kind, G, T2[surface + 1], T2[surface + 2], T2[surface + 3])
        share = wheel_frame(D, d, i, X, R, ground, W, w)
        gap = W[w + 15]
        lift = 0.0 if m < soft else min(gap, 0.0)  # wheels on soil come first
        lift /= W[w + 6] * W[w + 6] + W[w + 7] * W[w + 7] + W[w + 8] * W[w + 8]
        sx = W[w + 3] - lift * W[w + 6] - X[3 * i]
        sy = W[w + 4] - lift * W[w + 7] - X[3 * i + 1]
        sz = W[w + 5] - lift * W[w + 8] - X[3 * i + 2]
        rx, ry, rz = W[w] - X[3 * i], W[w + 1] - X[3 * i + 1], W[w + 2] - X[3 * i + 2]  # of the centre
        px = rx + share * (W[w + 3] - W[w])
        py = ry + share * (W[w + 4] - W[w + 1])
        pz = rz + share * (W[w + 5] - W[w + 2])
        along(J, j, 1.0, W[w + 6], W[w + 7], W[w + 8], px, py, pz)
        along(J, j + 6, 1.0, W[w + 9], W[w + 10], W[w + 11], sx, sy, sz)
        along(J, j + 12, 1.0, W[w + 12], W[w + 13], W[w + 14], sx, sy, sz)
        if channels > 3:
            along(J, j + 18, 1.0, W[w + 9], W[w + 10], W[w + 11], rx, ry, rz)
        for k in range(channels):
            u = 0.0
            for q in range(6):
                u += J[j + 6 * k + q] * v[6 * i + q]
            W[w + 16 + k] = u  # channel velocities at the start of the step
            e[row + k] = 0.0
            b[row + k] = 0.0
            live[row + k] = 1
        s = h * D[d + 10] + D[d + 11]
        e[row] = 1.0 / (h * s)
        b[row] = D[d + 10] * gap / s
        if m >= soft and D[d + 12] > 0.0 and D[d + 8] > 0.0:
            load = max(-D[d + 10] * gap - D[d + 11] * W[w + 16], LOAD_FLOOR * D[d + 10] * D[d + 6])
            v_x = speed_ahead(v, i, X, W, w)
            e[row + 2] = lateral_compliance(v_x, W[w + 18], D[d + 8] * load, D[d + 12]) / h


@kernel
def release_wheels(F, N):
    """Leave out hard wheels that cannot reach the ground in this step: ``gap + h u_free > 0``.

    Without this the damper of the normal row would push across an open gap.
    """
    n = L.ints(N, L.COUNT_I)[L.WHEELS]
    T, W, S = L.ints(N, L.WHEEL_I), L.floats(F, N, L.WHEEL_STATE), L.floats(F, N, L.SCALAR)
    free, live = L.floats(F, N, L.FREE), L.ints(N, L.CHANNEL_LIVE_I)
    for m in range(L.ints(N, L.COUNT_I)[L.SOIL_WHEELS], n):
        row, channels = T[L.WHEEL_INTS * m + 2], T[L.WHEEL_INTS * m + 4]
        if W[L.WHEEL_STATE_FLOATS * m + 15] + S[L.STEP] * free[row] > 0.0:
            for k in range(channels):
                live[row + k] = 0
