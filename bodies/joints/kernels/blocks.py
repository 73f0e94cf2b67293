"""Blocks of rows from which the joints are built, each with a function for its position error.

``i``: number of the block's first row within the joint. A row has six numbers in the Jacobian for each
body. p: joint points; n: joint axis; t_1, t_2: directions perpendicular to it; index a, b: body.
"""

from mlcp.jit import kernel

from ...kernels.ends import arm_a, arm_b, axis_a, axis_b, cross, reach, separation
from ...kernels.rotation import perpendicular
from ...kernels.rows import about, along


@kernel
def along_both(joint, run, i, n):
    """Write one row: velocity of b's joint point relative to a's along a direction n fixed to body a."""
    x, R, J = run.position, run.rotation, run.jacobian
    along(J, joint.jac_a + 6 * i, -1.0, n, reach(joint.ends, x, R))
    along(J, joint.jac_b + 6 * i, 1.0, n, arm_b(joint.ends, R))


@kernel
def about_both(joint, run, i, n):
    """Write one row: angular velocity of body b relative to body a about n."""
    J = run.jacobian
    about(J, joint.jac_a + 6 * i, -1.0, n)
    about(J, joint.jac_b + 6 * i, 1.0, n)


@kernel
def point(J, o, k, arm):
    """Write three rows of one body: velocity of the joint point times k, ``k (v + w x arm)``.

    v, w: velocity of the centre of mass and angular velocity; ``arm``: from this centre to the point.
    """
    along(J, o, k, (1.0, 0.0, 0.0), arm)
    along(J, o + 6, k, (0.0, 1.0, 0.0), arm)
    along(J, o + 12, k, (0.0, 0.0, 1.0), arm)


@kernel
def point_rows(joint, run):
    """Write the first three rows of a joint: ``p_b - p_a = 0``."""
    R, J = run.rotation, run.jacobian
    point(J, joint.jac_a, -1.0, arm_a(joint.ends, R))
    point(J, joint.jac_b, 1.0, arm_b(joint.ends, R))


@kernel
def point_error(joint, run):
    """Write the error ``p_b - p_a`` [m] of the first three rows."""
    e, r = run.error, joint.row
    e[r], e[r + 1], e[r + 2] = separation(joint.ends, run.position, run.rotation)


@kernel
def line_rows(joint, run):
    """Write the first two rows of a joint: b's point is on a's axis, ``t_i . (p_b - p_a) = 0``."""
    n = axis_a(joint.ends, run.rotation, 2)
    tx, ty, tz, ux, uy, uz = perpendicular(n[0], n[1], n[2])
    along_both(joint, run, 0, (tx, ty, tz))
    along_both(joint, run, 1, (ux, uy, uz))


@kernel
def block_of_directions(joint, run):
    """Start of a joint's block of the Jacobian with its rows' directions, and their sign there.

    It is the block of body b. All joints of the ground write the ground's block, so if b is the ground,
    it is the block of body a, with the opposite sign.
    """
    if joint.ends.b == run.count.bodies:
        return joint.jac_a, -1.0
    return joint.jac_b, 1.0


@kernel
def line_error(joint, run):
    """Write the errors ``t_i . d`` [m]; d: component of ``p_b - p_a`` perpendicular to the axis."""
    J, e, r = run.jacobian, run.error, joint.row
    o, sign = block_of_directions(joint, run)
    nx, ny, nz = axis_a(joint.ends, run.rotation, 2)
    dx, dy, dz = separation(joint.ends, run.position, run.rotation)
    k = dx * nx + dy * ny + dz * nz
    dx, dy, dz = dx - k * nx, dy - k * ny, dz - k * nz
    e[r] = sign * (J[o] * dx + J[o + 1] * dy + J[o + 2] * dz)
    e[r + 1] = sign * (J[o + 6] * dx + J[o + 7] * dy + J[o + 8] * dz)


@kernel
def axis_rows(joint, run, i):
    """Write two rows of parallel axes: angular velocity about t_1 and t_2."""
    n = axis_a(joint.ends, run.rotation, 2)
    tx, ty, tz, ux, uy, uz = perpendicular(n[0], n[1], n[2])
    about_both(joint, run, i, (tx, ty, tz))
    about_both(joint, run, i + 1, (ux, uy, uz))


@kernel
def axis_error(joint, run, i):
    """Write the errors of parallel axes, ``t_i . (n_a x n_b)`` [rad]."""
    R, J, e, r = run.rotation, run.jacobian, run.error, joint.row + i
    o, sign = block_of_directions(joint, run)
    o += 6 * i
    cx, cy, cz = cross(axis_a(joint.ends, R, 2), axis_b(joint.ends, R, 2))
    e[r] = sign * (J[o + 3] * cx + J[o + 4] * cy + J[o + 5] * cz)
    e[r + 1] = sign * (J[o + 9] * cx + J[o + 10] * cy + J[o + 11] * cz)


@kernel
def rotation_rows(joint, run, i):
    """Write three rows of equal orientation: angular velocity about the world axes."""
    about_both(joint, run, i, (1.0, 0.0, 0.0))
    about_both(joint, run, i + 1, (0.0, 1.0, 0.0))
    about_both(joint, run, i + 2, (0.0, 0.0, 1.0))


@kernel
def rotation_error(ends, R):
    """``1/2 sum_i a_i x b_i`` of the axes of both joint frames: axis of the relative rotation times the
    sine of its angle."""
    ex, ey, ez = 0.0, 0.0, 0.0
    for c in range(3):
        cx, cy, cz = cross(axis_a(ends, R, c), axis_b(ends, R, c))
        ex += 0.5 * cx
        ey += 0.5 * cy
        ez += 0.5 * cz
    return ex, ey, ez


@kernel
def turn_error(joint, run, i):
    """Write the rotation vector from frame a to frame b [rad], world axes, to second order in its
    angle."""
    e, r = run.error, joint.row + i
    e[r], e[r + 1], e[r + 2] = rotation_error(joint.ends, run.rotation)
