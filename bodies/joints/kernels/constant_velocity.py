"""A constant-velocity joint: a coincident point, and no twist between the two shafts."""

from mlcp.jit import kernel
from mlcp.kernels.elementary import atan2

from ...kernels.ends import axis_a, axis_b
from .blocks import about_both, point_error, point_rows


@kernel
def rows(joint, run):
    """Write three rows of the coincident point, and one row: the rate of :func:`twist`.

    The rate is ``w . (n_a + n_b) / (1 + n_a . n_b)``; w: angular velocity of body b relative to a; n_a,
    n_b: directions of the shafts.
    """
    R = run.rotation
    point_rows(joint, run)
    nx, ny, nz = axis_a(joint.ends, R, 2)
    mx, my, mz = axis_b(joint.ends, R, 2)
    k = 1.0 / (1.0 + nx * mx + ny * my + nz * mz)
    about_both(joint, run, 3, (k * (nx + mx), k * (ny + my), k * (nz + mz)))


@kernel
def twist(ends, R):
    """Twist [rad] of body b relative to a: the relative rotation without the bend between the shafts.

    ``atan2(v_a . u_b - u_a . v_b, u_a . u_b + v_a . v_b)``; u, v: first two axes of the joint's frames.
    """
    ux, uy, uz = axis_a(ends, R, 0)
    vx, vy, vz = axis_a(ends, R, 1)
    px, py, pz = axis_b(ends, R, 0)
    qx, qy, qz = axis_b(ends, R, 1)
    sine = vx * px + vy * py + vz * pz - ux * qx - uy * qy - uz * qz
    return atan2(sine, ux * px + uy * py + uz * pz + vx * qx + vy * qy + vz * qz)


@kernel
def error(joint, run):
    """Write the errors: separation of the points [m] and twist [rad]."""
    point_error(joint, run)
    run.error[joint.row + 3] = twist(joint.ends, run.rotation)
