"""Jacobian rows and position errors of the joints.

Signs: the error of a row is "b minus a", so that ``d error/dt = J v``. Errors at the moved pose
are measured along the row directions of the start of the step, which are read back from the
Jacobian: projection is then SHAKE, multipliers along the old Jacobian.
"""

from __future__ import annotations

import math

from mlcp.compiled.lanes import every, where
from mlcp.jit import kernel

from . import codes
from .drift import foresee_bend
from .rotation import perpendicular, rotate
from .rows import about, along, point, spin


@kernel
def column(R, m, axes, c):
    """Column c of the world frame ``R F`` of a joint, F row by row in ``axes``."""
    return rotate(R, m, axes[c], axes[3 + c], axes[6 + c])


@kernel
def point_of(R, m, point):
    """A point of a body [m] from its centre of mass, in world axes."""
    return rotate(R, m, point[0], point[1], point[2])


@kernel
def joint_rows(joint, x, R, J):
    """Write the rows of one joint to the blocks of its bodies in the Jacobian."""
    kind, a, b, ja, jb = joint.kind, joint.a, joint.b, joint.jac_a, joint.jac_b
    frames = joint.frames
    ax, ay, az = point_of(R, 9 * a, frames.point_a)
    bx, by, bz = point_of(R, 9 * b, frames.point_b)
    if holds_a_point(kind):
        point(J, ja, -1.0, ax, ay, az)
        point(J, jb, 1.0, bx, by, bz)
        if kind == codes.FIXED:
            spin(J, ja + 18, -1.0)
            spin(J, jb + 18, 1.0)
        elif kind == codes.REVOLUTE:
            nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
            align(J, ja + 18, jb + 18, nx, ny, nz)
        elif kind == codes.UNIVERSAL:
            nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
            mx, my, mz = column(R, 9 * b, frames.axes_b, 2)
            cx, cy, cz = ny * mz - nz * my, nz * mx - nx * mz, nx * my - ny * mx
            about(J, ja + 18, 1.0, cx, cy, cz)
            about(J, jb + 18, -1.0, cx, cy, cz)
        elif kind == codes.CONSTANT_VELOCITY:
            nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
            mx, my, mz = column(R, 9 * b, frames.axes_b, 2)
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
    nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
    if kind == codes.PLANAR:
        along(J, ja, -1.0, nx, ny, nz, px, py, pz)
        along(J, jb, 1.0, nx, ny, nz, bx, by, bz)
        align(J, ja + 6, jb + 6, nx, ny, nz)
        return
    if kind == codes.BUSHING:
        for c in range(3):
            nx, ny, nz = column(R, 9 * a, frames.axes_a, c)
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
def twist(a, b, frames, R):
    """Angle of b against a about the shaft once the bend between the two shafts is taken out.

    Swing and twist: ``atan2(v_a . u_b - u_a . v_b, u_a . u_b + v_a . v_b)``, u and v the first two
    axes of the joint's frames. Its rate is ``w . (n_a + n_b) / (1 + n_a . n_b)``.
    """
    ux, uy, uz = column(R, 9 * a, frames.axes_a, 0)
    vx, vy, vz = column(R, 9 * a, frames.axes_a, 1)
    px, py, pz = column(R, 9 * b, frames.axes_b, 0)
    qx, qy, qz = column(R, 9 * b, frames.axes_b, 1)
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
def align_error(J, jb, a, b, frames, R, e, r):
    """``t_i . (n_a x n_b)`` with the row directions of the block at ``J[jb:]``."""
    nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
    mx, my, mz = column(R, 9 * b, frames.axes_b, 2)
    cx, cy, cz = ny * mz - nz * my, nz * mx - nx * mz, nx * my - ny * mx
    e[r] = J[jb + 3] * cx + J[jb + 4] * cy + J[jb + 5] * cz
    e[r + 1] = J[jb + 9] * cx + J[jb + 10] * cy + J[jb + 11] * cz


@kernel
def turn_error(a, b, frames, R):
    """``1/2 sum_i a_i x b_i`` over the frame axes: sin(angle) times the axis of the rotation."""
    ex, ey, ez = 0.0, 0.0, 0.0
    for c in range(3):
        nx, ny, nz = column(R, 9 * a, frames.axes_a, c)
        mx, my, mz = column(R, 9 * b, frames.axes_b, c)
        ex += 0.5 * (ny * mz - nz * my)
        ey += 0.5 * (nz * mx - nx * mz)
        ez += 0.5 * (nx * my - ny * mx)
    return ex, ey, ez


@kernel
def joint_error(joint, x, R, J, e):
    """Write the position errors of one joint (m, rad) to those of its rows."""
    kind, a, b, jb, r = joint.kind, joint.a, joint.b, joint.jac_b, joint.row
    frames = joint.frames
    ax, ay, az = point_of(R, 9 * a, frames.point_a)
    bx, by, bz = point_of(R, 9 * b, frames.point_b)
    dx = x[3 * b] + bx - x[3 * a] - ax
    dy = x[3 * b + 1] + by - x[3 * a + 1] - ay
    dz = x[3 * b + 2] + bz - x[3 * a + 2] - az
    if holds_a_point(kind):
        e[r] = dx
        e[r + 1] = dy
        e[r + 2] = dz
        if kind == codes.FIXED:
            e[r + 3], e[r + 4], e[r + 5] = turn_error(a, b, frames, R)
        elif kind == codes.REVOLUTE:
            align_error(J, jb + 18, a, b, frames, R, e, r + 3)
        elif kind == codes.UNIVERSAL:
            nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
            mx, my, mz = column(R, 9 * b, frames.axes_b, 2)
            e[r + 3] = nx * mx + ny * my + nz * mz
        elif kind == codes.CONSTANT_VELOCITY:
            e[r + 3] = twist(a, b, frames, R)
        return
    if kind == codes.DISTANCE:
        e[r] = math.sqrt(dx * dx + dy * dy + dz * dz) - joint.extra[0]
        return
    nx, ny, nz = column(R, 9 * a, frames.axes_a, 2)
    k = dx * nx + dy * ny + dz * nz
    if kind == codes.PLANAR:
        e[r] = k
        align_error(J, jb + 6, a, b, frames, R, e, r + 1)
        return
    # off the line: what is left of d without its part along the axis
    dx, dy, dz = dx - k * nx, dy - k * ny, dz - k * nz
    e[r] = J[jb] * dx + J[jb + 1] * dy + J[jb + 2] * dz
    e[r + 1] = J[jb + 6] * dx + J[jb + 7] * dy + J[jb + 8] * dz
    if kind == codes.PRISMATIC:
        e[r + 2], e[r + 3], e[r + 4] = turn_error(a, b, frames, R)
    elif kind == codes.CYLINDRICAL:
        align_error(J, jb + 12, a, b, frames, R, e, r + 2)


@kernel
def bushing_row(joint, x, R, J, h, E, B):
    """Compliance and bias of the six implicit spring-damper rows of a bushing."""
    a, b, ja, jb, r = joint.a, joint.b, joint.jac_a, joint.jac_b, joint.row
    frames = joint.frames
    ax, ay, az = point_of(R, 9 * a, frames.point_a)
    bx, by, bz = point_of(R, 9 * b, frames.point_b)
    dx = x[3 * b] + bx - x[3 * a] - ax
    dy = x[3 * b + 1] + by - x[3 * a + 1] - ay
    dz = x[3 * b + 2] + bz - x[3 * a + 2] - az
    ex, ey, ez = turn_error(a, b, frames, R)
    for c in range(3):
        nx, ny, nz = column(R, 9 * a, frames.axes_a, c)
        for part in range(2):
            k, g = joint.extra[6 * part + c], joint.extra[6 * part + 3 + c]
            value = nx * dx + ny * dy + nz * dz
            if part == 1:
                value = nx * ex + ny * ey + nz * ez
            s = h * k + g
            i, o = r + 3 * part + c, 18 * part + 6 * c
            held = s > 0.0
            some_s = where(held, s, 1.0)
            E[i] = where(held, 1.0 / (h * some_s), 1.0)
            B[i] = where(held, k * value / some_s, 0.0)
            if not every(held):  # a free direction carries nothing: a row of zeros with e = 1
                for m in range(6):
                    J[ja + o + m] = where(held, J[ja + o + m], 0.0)
                    J[jb + o + m] = where(held, J[jb + o + m], 0.0)


@kernel
def assemble_joints(run):
    """Jacobian, compliance and bias of every joint at the pose of the start of the step."""
    x, R, J = run.position, run.rotation, run.jacobian
    E, B, h = run.compliance, run.bias, run.clock.step
    joints = run.joints
    for j in range(len(joints)):
        joint = joints[j]
        joint_rows(joint, x, R, J)
        if joint.kind == codes.BUSHING:
            bushing_row(joint, x, R, J, h, E, B)
        elif joint.kind == codes.REVOLUTE:
            nx, ny, nz = column(R, 9 * joint.a, joint.frames.axes_a, 2)
            foresee_bend(run.velocity, joint.a, joint.b, nx, ny, nz, h, B, joint.row + 3)


@kernel
def measure_joints(run):
    """Position error of every joint at the current pose, along the assembled rows."""
    x, R, J, e = run.position, run.rotation, run.jacobian, run.error
    joints = run.joints
    for j in range(len(joints)):
        if joints[j].kind != codes.BUSHING:
            joint_error(joints[j], x, R, J, e)
