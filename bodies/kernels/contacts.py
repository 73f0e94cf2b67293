"""Contact points of rigid contacts: geometry to Jacobian rows and biases."""

from __future__ import annotations

import math

from contact.kernels import rigid
from mlcp.jit import kernel

from . import layout as L
from .rotation import perpendicular, rotate
from .rows import along


@kernel
def shape_frame(D, d, a, X, R, c, w):
    """World centre c and axes w of the shape recorded at ``D[d:]`` on body a."""
    x, y, z = rotate(R, 9 * a, D[d], D[d + 1], D[d + 2])
    c[0], c[1], c[2] = X[3 * a] + x, X[3 * a + 1] + y, X[3 * a + 2] + z
    for k in range(3):
        w[k], w[3 + k], w[6 + k] = rotate(R, 9 * a, D[d + 3 + k], D[d + 6 + k], D[d + 9 + k])


@kernel
def write_point(P, o, x, y, z, gap, nx, ny, nz):
    """Record of a contact point: position, gap, normal."""
    P[o], P[o + 1], P[o + 2], P[o + 3] = x, y, z, gap
    P[o + 4], P[o + 5], P[o + 6] = nx, ny, nz


@kernel
def find_points(shape, S, c, w, kind, D, o, gx, gy, R, b, X, P, p):
    """Write the contact points of one shape to ``P[p:]``, POINT_FLOATS numbers each."""
    gap, nx, ny, nz = rigid.gap_and_normal(kind, D, o, gx, gy, R, 9 * b, X, b, c[0], c[1], c[2])
    if shape == rigid.SPHERE:
        r = S[0]
        write_point(P, p, c[0] - r * nx, c[1] - r * ny, c[2] - r * nz, gap - r, nx, ny, nz)
        return
    if shape == rigid.CYLINDER:
        gaps0 = 0.0
        low = -1.0
        for k in range(2):
            side = 2.0 * k - 1.0
            x, y, z = rigid.rim_point(S, side, 0, c, w, nx, ny, nz)
            gap, mx, my, mz = rigid.gap_and_normal(kind, D, o, gx, gy, R, 9 * b, X, b, x, y, z)
            write_point(P, p + L.POINT_FLOATS * k, x, y, z, gap, mx, my, mz)
            if k == 0:
                gaps0 = gap
            elif gap < gaps0:
                low = 1.0
        for k in range(2):
            x, y, z = rigid.rim_point(S, low, 2 * k - 1, c, w, nx, ny, nz)
            gap, mx, my, mz = rigid.gap_and_normal(kind, D, o, gx, gy, R, 9 * b, X, b, x, y, z)
            write_point(P, p + L.POINT_FLOATS * (2 + k), x, y, z, gap, mx, my, mz)
        return
    taken = 0
    for m in range(4):  # the four nearest corners, nearest first
        best, least = -1, math.inf
        for k in range(8):
            if taken & (1 << k):
                continue
            x, y, z = rigid.box_corner(S, k, c, w)
            gap = rigid.gap_and_normal(kind, D, o, gx, gy, R, 9 * b, X, b, x, y, z)[0]
            # ties go to the lower corner, so that round-off does not reorder a box at rest
            if gap < least - 1e-9:
                best, least = k, gap
        taken |= 1 << best
        x, y, z = rigid.box_corner(S, best, c, w)
        gap, nx, ny, nz = rigid.gap_and_normal(kind, D, o, gx, gy, R, 9 * b, X, b, x, y, z)
        write_point(P, p + L.POINT_FLOATS * m, x, y, z, gap, nx, ny, nz)


@kernel
def point_velocity(v, X, b, x, y, z):
    """Velocity of the point of body b that is now at (x, y, z)."""
    sx, sy, sz = x - X[3 * b], y - X[3 * b + 1], z - X[3 * b + 2]
    wx, wy, wz = v[6 * b + 3], v[6 * b + 4], v[6 * b + 5]
    return (
        v[6 * b] + wy * sz - wz * sy,
        v[6 * b + 1] + wz * sx - wx * sz,
        v[6 * b + 2] + wx * sy - wy * sx,
    )


@kernel
def contact_rows(J, ja, jb, X, a, b, x, y, z, nx, ny, nz, tx, ty, tz):
    """Three rows of a contact point: normal, first tangent, second tangent; a minus b."""
    ux, uy, uz = ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx
    sx, sy, sz = x - X[3 * a], y - X[3 * a + 1], z - X[3 * a + 2]
    along(J, ja, 1.0, nx, ny, nz, sx, sy, sz)
    along(J, ja + 6, 1.0, tx, ty, tz, sx, sy, sz)
    along(J, ja + 12, 1.0, ux, uy, uz, sx, sy, sz)
    sx, sy, sz = x - X[3 * b], y - X[3 * b + 1], z - X[3 * b + 2]
    along(J, jb, -1.0, nx, ny, nz, sx, sy, sz)
    along(J, jb + 6, -1.0, tx, ty, tz, sx, sy, sz)
    along(J, jb + 12, -1.0, ux, uy, uz, sx, sy, sz)


@kernel
def normal_bias(gap, vn, h, restitution, S):
    """Bias of the normal row: restitution on impact, else an open gap may just close."""
    if restitution > 0.0 and vn < -S[L.BOUNCE_SPEED] and gap + h * vn <= 0.0:
        return restitution * vn
    if gap > 0.0:
        return gap / h
    return S[L.RECOVERY] * gap / h


@kernel
def detect_rigid(F, N):
    """Points, Jacobian rows and biases of every rigid contact."""
    n = L.ints(N, L.COUNT_I)[L.CONTACTS]
    if n == 0:
        return
    T, places = L.ints(N, L.CONTACT_I), L.ints(N, L.PLACE_I)
    D, T2 = L.floats(F, N, L.CONTACT_DATA), L.ints(N, L.SURFACE_I)
    G = L.floats(F, N, L.SURFACE_DATA)
    X, v, R = L.floats(F, N, L.POSITION), L.floats(F, N, L.VELOCITY), L.floats(F, N, L.ROTATION)
    J, P, S = L.floats(F, N, L.JACOBIAN), L.floats(F, N, L.POINT), L.floats(F, N, L.SCALAR)
    e, b = L.floats(F, N, L.CHANNEL_COMPLIANCE), L.floats(F, N, L.CHANNEL_BIAS)
    live = L.ints(N, L.CHANNEL_LIVE_I)
    frame = L.floats(F, N, L.FRAME)
    h = S[L.STEP]
    fall = 4.0 * h * h * math.sqrt(S[L.GX] ** 2 + S[L.GY] ** 2 + S[L.GZ] ** 2)
    for m in range(n):
        t, d = L.CONTACT_INTS * m, L.CONTACT_FLOATS * m
        a, o, surface = T[t + 1], T[t + 2], L.SURFACE_INTS * T[t + 3]
        c, w = frame[0:3], frame[3:12]
        shape_frame(D, d, a, X, R, c, w)
        find_points(
            T[t],
            D[d + 12 : d + 15],
            c,
            w,
            T2[surface],
            G,
            T2[surface + 1],
            T2[surface + 2],
            T2[surface + 3],
            R,
            o,
            X,
            P,
            L.POINT_FLOATS * T[t + 6],
        )
        for k in range(T[t + 4]):
            p, row = L.POINT_FLOATS * (T[t + 6] + k), T[t + 5] + 3 * k
            ja, jb = places[2 * (T[t + 6] + k)], places[2 * (T[t + 6] + k) + 1]
            x, y, z, gap = P[p], P[p + 1], P[p + 2], P[p + 3]
            nx, ny, nz = P[p + 4], P[p + 5], P[p + 6]
            ax, ay, az = point_velocity(v, X, a, x, y, z)
            bx, by, bz = point_velocity(v, X, o, x, y, z)
            vx, vy, vz = ax - bx, ay - by, az - bz
            vn = vx * nx + vy * ny + vz * nz
            near = gap <= 2.0 * h * abs(vn) + fall + 1e-3 * D[d + 12]
            for i in range(3):
                live[row + i] = 1 if near else 0
            if not near:
                for i in range(18):
                    J[ja + i] = 0.0
                    J[jb + i] = 0.0
                continue
            tx, ty, tz, _ux, _uy, _uz = perpendicular(nx, ny, nz)
            if T[t + 7] == 0:  # box friction: first side along the sliding direction
                sx, sy, sz = vx - vn * nx, vy - vn * ny, vz - vn * nz
                speed = math.sqrt(sx * sx + sy * sy + sz * sz)
                if speed > 1e-6:
                    tx, ty, tz = sx / speed, sy / speed, sz / speed
            contact_rows(J, ja, jb, X, a, o, x, y, z, nx, ny, nz, tx, ty, tz)
            e[row], e[row + 1], e[row + 2] = 0.0, 0.0, 0.0
            b[row] = normal_bias(gap, vn, h, D[d + 16], S)
            b[row + 1], b[row + 2] = 0.0, 0.0
