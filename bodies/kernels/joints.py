"""Jacobian rows and position errors of the joints.

Signs: the error of a row is "b minus a", so that ``d error/dt = J v``. Errors at the moved pose
are measured along the row directions of the start of the step, which are read back from the
Jacobian: projection is then SHAKE, multipliers along the old Jacobian.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel

from . import codes
from . import layout as L
from .drift import foresee_bend
from .rotation import perpendicular, rotate
from .rows import about, along, point, spin


@kernel
def column(R, m, D, d, c):
    """Column c of the world frame ``R F`` of a joint, F row-major at ``D[d:d+9]``."""
    return rotate(R, m, D[d + c], D[d + 3 + c], D[d + 6 + c])


@kernel
def joint_rows(kind, D, d, a, b, x, R, J, ja, jb):
    """Write the rows of one joint to ``J[ja:]`` (block of body a) and ``J[jb:]`` (body b)."""
    ax, ay, az = rotate(R, 9 * a, D[d], D[d + 1], D[d + 2])
    bx, by, bz = rotate(R, 9 * b, D[d + 3], D[d + 4], D[d + 5])
    if holds_a_point(kind):
        point(J, ja, -1.0, ax, ay, az)
        point(J, jb, 1.0, bx, by, bz)
        if kind == codes.FIXED:
            spin(J, ja + 18, -1.0)
            spin(J, jb + 18, 1.0)
        elif kind == codes.REVOLUTE:
            nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
            align(J, ja + 18, jb + 18, nx, ny, nz)
        elif kind == codes.UNIVERSAL:
            nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
            mx, my, mz = column(R, 9 * b, D, d + 15, 2)
            cx, cy, cz = ny * mz - nz * my, nz * mx - nx * mz, nx * my - ny * mx
            about(J, ja + 18, 1.0, cx, cy, cz)
            about(J, jb + 18, -1.0, cx, cy, cz)
        elif kind == codes.CONSTANT_VELOCITY:
            nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
            mx, my, mz = column(R, 9 * b, D, d + 15, 2)
            k = 1.0 / (1.0 + nx * mx + ny * my + nz * mz)
            cx, cy, cz = k * (nx + mx), k * (ny + my), k * (nz + mz)
            about(J, ja + 18, -1.0, cx, cy, cz)
            about(J, jb + 18, 1.0, cx, cy, cz)
        return
    # the others measure along directions that move with a: the arm on a reaches the point of b
    px = x[3 * b] + bx - x[3 * a]
    py = x[3 * b + 1] + by - x[3 * a + 1]
    pz = x[3 * b + 2] + bz - x[3 * a + 2]
    if kind == codes.DISTANCE:
        dx, dy, dz = px - ax, py - ay, pz - az
        k = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
        along(J, ja, -1.0, k * dx, k * dy, k * dz, ax, ay, az)
        along(J, jb, 1.0, k * dx, k * dy, k * dz, bx, by, bz)
        return
    nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
    if kind == codes.PLANAR:
        along(J, ja, -1.0, nx, ny, nz, px, py, pz)
        along(J, jb, 1.0, nx, ny, nz, bx, by, bz)
        align(J, ja + 6, jb + 6, nx, ny, nz)
        return
    if kind == codes.BUSHING:
        for c in range(3):
            nx, ny, nz = column(R, 9 * a, D, d + 6, c)
            along(J, ja + 6 * c, -1.0, nx, ny, nz, px, py, pz)
            along(J, jb + 6 * c, 1.0, nx, ny, nz, bx, by, bz)
            about(J, ja + 18 + 6 * c, -1.0, nx, ny, nz)
            about(J, jb + 18 + 6 * c, 1.0, nx, ny, nz)
        return
    tx, ty, tz, ux, uy, uz = perpendicular(nx, ny, nz)
    along(J, ja, -1.0, tx, ty, tz, px, py, pz)
    along(J, jb, 1.0, tx, ty, tz, bx, by, bz)
    along(J, ja + 6, -1.0, ux, uy, uz, px, py, pz)
    along(J, jb + 6, 1.0, ux, uy, uz, bx, by, bz)
    if kind == codes.PRISMATIC:
        spin(J, ja + 12, -1.0)
        spin(J, jb + 12, 1.0)
    elif kind == codes.CYLINDRICAL:
        align(J, ja + 12, jb + 12, nx, ny, nz)


@kernel
def holds_a_point(kind):
    """Whether the first three rows of the joint hold one point of b on one of a."""
    return (
        kind <= codes.REVOLUTE
        or kind == codes.SPHERICAL
        or kind == codes.UNIVERSAL
        or kind == codes.CONSTANT_VELOCITY
    )


@kernel
def twist(a, b, D, d, R):
    """Angle of b against a about the shaft once the bend between the two shafts is taken out.

    Swing and twist: ``atan2(v_a . u_b - u_a . v_b, u_a . u_b + v_a . v_b)``, u and v the first two
    axes of the joint's frames. Its rate is ``w . (n_a + n_b) / (1 + n_a . n_b)``.
    """
    ux, uy, uz = column(R, 9 * a, D, d + 6, 0)
    vx, vy, vz = column(R, 9 * a, D, d + 6, 1)
    px, py, pz = column(R, 9 * b, D, d + 15, 0)
    qx, qy, qz = column(R, 9 * b, D, d + 15, 1)
    sine = vx * px + vy * py + vz * pz - ux * qx - uy * qy - uz * qz
    return math.atan2(sine, ux * px + uy * py + uz * pz + vx * qx + vy * qy + vz * qz)


@kernel
def align(J, ja, jb, nx, ny, nz):
    """Two rows that keep an axis parallel to n: angular velocity about t_1 and t_2."""
    tx, ty, tz, ux, uy, uz = perpendicular(nx, ny, nz)
    about(J, ja, -1.0, tx, ty, tz)
    about(J, jb, 1.0, tx, ty, tz)
    about(J, ja + 6, -1.0, ux, uy, uz)
    about(J, jb + 6, 1.0, ux, uy, uz)


@kernel
def align_error(J, jb, a, b, D, d, R, e, r):
    """``t_i . (n_a x n_b)`` with the row directions of the block at ``J[jb:]``."""
    nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
    mx, my, mz = column(R, 9 * b, D, d + 15, 2)
    cx, cy, cz = ny * mz - nz * my, nz * mx - nx * mz, nx * my - ny * mx
    e[r] = J[jb + 3] * cx + J[jb + 4] * cy + J[jb + 5] * cz
    e[r + 1] = J[jb + 9] * cx + J[jb + 10] * cy + J[jb + 11] * cz


@kernel
def turn_error(a, b, D, d, R):
    """``1/2 sum_i a_i x b_i`` over the frame axes: sin(angle) times the axis of the rotation."""
    ex, ey, ez = 0.0, 0.0, 0.0
    for c in range(3):
        nx, ny, nz = column(R, 9 * a, D, d + 6, c)
        mx, my, mz = column(R, 9 * b, D, d + 15, c)
        ex += 0.5 * (ny * mz - nz * my)
        ey += 0.5 * (nz * mx - nx * mz)
        ez += 0.5 * (nx * my - ny * mx)
    return ex, ey, ez


@kernel
def joint_error(kind, D, d, a, b, x, R, J, jb, e, r):
    """Write the position errors of one joint to ``e[r:]`` (m, rad)."""
    ax, ay, az = rotate(R, 9 * a, D[d], D[d + 1], D[d + 2])
    bx, by, bz = rotate(R, 9 * b, D[d + 3], D[d + 4], D[d + 5])
    dx = x[3 * b] + bx - x[3 * a] - ax
    dy = x[3 * b + 1] + by - x[3 * a + 1] - ay
    dz = x[3 * b + 2] + bz - x[3 * a + 2] - az
    if holds_a_point(kind):
        e[r] = dx
        e[r + 1] = dy
        e[r + 2] = dz
        if kind == codes.FIXED:
            e[r + 3], e[r + 4], e[r + 5] = turn_error(a, b, D, d, R)
        elif kind == codes.REVOLUTE:
            align_error(J, jb + 18, a, b, D, d, R, e, r + 3)
        elif kind == codes.UNIVERSAL:
            nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
            mx, my, mz = column(R, 9 * b, D, d + 15, 2)
            e[r + 3] = nx * mx + ny * my + nz * mz
        elif kind == codes.CONSTANT_VELOCITY:
            e[r + 3] = twist(a, b, D, d, R)
        return
    if kind == codes.DISTANCE:
        e[r] = math.sqrt(dx * dx + dy * dy + dz * dz) - D[d + 24]
        return
    nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
    k = dx * nx + dy * ny + dz * nz
    if kind == codes.PLANAR:
        e[r] = k
        align_error(J, jb + 6, a, b, D, d, R, e, r + 1)
        return
    # off the line: what is left of d without its part along the axis
    dx, dy, dz = dx - k * nx, dy - k * ny, dz - k * nz
    e[r] = J[jb] * dx + J[jb + 1] * dy + J[jb + 2] * dz
    e[r + 1] = J[jb + 6] * dx + J[jb + 7] * dy + J[jb + 8] * dz
    if kind == codes.PRISMATIC:
        e[r + 2], e[r + 3], e[r + 4] = turn_error(a, b, D, d, R)
    elif kind == codes.CYLINDRICAL:
        align_error(J, jb + 12, a, b, D, d, R, e, r + 2)


@kernel
def bushing_row(D, d, a, b, x, v, R, J, ja, jb, h, E, B, r):
    """Compliance and bias of the six implicit spring-damper rows of a bushing."""
    ax, ay, az = rotate(R, 9 * a, D[d], D[d + 1], D[d + 2])
    bx, by, bz = rotate(R, 9 * b, D[d + 3], D[d + 4], D[d + 5])
    dx = x[3 * b] + bx - x[3 * a] - ax
    dy = x[3 * b + 1] + by - x[3 * a + 1] - ay
    dz = x[3 * b + 2] + bz - x[3 * a + 2] - az
    ex, ey, ez = turn_error(a, b, D, d, R)
    for c in range(3):
        nx, ny, nz = column(R, 9 * a, D, d + 6, c)
        for part in range(2):
            k, g = D[d + 24 + 6 * part + c], D[d + 27 + 6 * part + c]
            value = nx * dx + ny * dy + nz * dz
            if part == 1:
                value = nx * ex + ny * ey + nz * ez
            s = h * k + g
            i = r + 3 * part + c
            if s > 0.0:
                E[i] = 1.0 / (h * s)
                B[i] = k * value / s
            else:  # a free direction carries nothing: a row of zeros with e = 1
                o = 18 * part + 6 * c
                for m in range(6):
                    J[ja + o + m] = 0.0
                    J[jb + o + m] = 0.0
                E[i] = 1.0
                B[i] = 0.0


@kernel
def assemble_joints(F, N):
    """Jacobian, compliance and bias of every joint at the pose of the start of the step."""
    n = L.ints(N, L.COUNT_I)[L.JOINTS]
    T = L.ints(N, L.JOINT_I)
    D = L.floats(F, N, L.JOINT_DATA)
    x, v = L.floats(F, N, L.POSITION), L.floats(F, N, L.VELOCITY)
    R, J = L.floats(F, N, L.ROTATION), L.floats(F, N, L.JACOBIAN)
    E, B = L.floats(F, N, L.COMPLIANCE), L.floats(F, N, L.BIAS)
    h = L.floats(F, N, L.SCALAR)[L.STEP]
    for j in range(n):
        t, d = L.JOINT_INTS * j, L.JOINT_FLOATS * j
        a, b, ja, jb = T[t + 1], T[t + 2], T[t + 3], T[t + 4]
        joint_rows(T[t], D, d, a, b, x, R, J, ja, jb)
        if T[t] == codes.BUSHING:
            bushing_row(D, d, a, b, x, v, R, J, ja, jb, h, E, B, T[t + 5])
        elif T[t] == codes.REVOLUTE:
            nx, ny, nz = column(R, 9 * a, D, d + 6, 2)
            foresee_bend(v, a, b, nx, ny, nz, h, B, T[t + 5] + 3)


@kernel
def measure_joints(F, N):
    """Position error of every joint at the current pose, along the assembled rows."""
    n = L.ints(N, L.COUNT_I)[L.JOINTS]
    T = L.ints(N, L.JOINT_I)
    D = L.floats(F, N, L.JOINT_DATA)
    x, R = L.floats(F, N, L.POSITION), L.floats(F, N, L.ROTATION)
    J, e = L.floats(F, N, L.JACOBIAN), L.floats(F, N, L.ERROR)
    for j in range(n):
        t = L.JOINT_INTS * j
        if T[t] != codes.BUSHING:
            joint_error(T[t], D, L.JOINT_FLOATS * j, T[t + 1], T[t + 2], x, R, J, T[t + 4], e, T[t + 5])
