"""Rotation matrices and mass blocks of all bodies at their poses; motion of the poses in a step."""

from mlcp.compiled.branches import where
from mlcp.jit import kernel

from .rotation import rotation_matrix, turn


@kernel
def update_rotations(run):
    """Write the rotation matrix of every body; that of the ground stays the identity."""
    n = run.count.bodies
    q, R = run.quaternion, run.rotation
    for i in range(n):
        rotation_matrix(q, 4 * i, R, 9 * i)


@kernel
def keep_pose(run):
    """Store the poses of the start of the step, at which the step's Jacobian is evaluated."""
    n = run.count.bodies
    x, q = run.position, run.quaternion
    x0, q0 = run.position_start, run.quaternion_start
    for k in range(3 * n):
        x0[k] = x[k]
    for k in range(4 * n):
        q0[k] = q[k]


@kernel
def assemble_mass(run):
    """Write the nonzero entries of the mass blocks ``diag(m 1, R I R')``, 6 x 6 row-major per body.

    m: mass; I: inertia in body axes; R: rotation matrix.
    """
    n = run.count.bodies
    mass, inertia, R = run.mass, run.inertia, run.rotation
    M = run.mass_block
    for i in range(n):
        m = 9 * i
        for r in range(3):
            M[36 * i + 7 * r] = mass[i]
            a = R[m + 3 * r]
            b = R[m + 3 * r + 1]
            c = R[m + 3 * r + 2]
            u = a * inertia[m] + b * inertia[m + 3] + c * inertia[m + 6]
            v = a * inertia[m + 1] + b * inertia[m + 4] + c * inertia[m + 7]
            w = a * inertia[m + 2] + b * inertia[m + 5] + c * inertia[m + 8]
            for k in range(r, 3):
                y = u * R[m + 3 * k] + v * R[m + 3 * k + 1] + w * R[m + 3 * k + 2]
                M[36 * i + 6 * (3 + r) + 3 + k] = y
                M[36 * i + 6 * (3 + k) + 3 + r] = y


@kernel
def move(run, v, h, moved):
    """Move every pose (centre x, quaternion q) by the velocities (v, w) over the time h: ``x += h v``,
    ``q <- exp(h w/2) q``.

    ``moved``: true for the lanes (vehicles) to move; the poses of the others are unchanged to the bit.
    """
    n = run.count.bodies
    x, q = run.position, run.quaternion
    for i in range(n):
        for k in range(3):
            x[3 * i + k] = where(moved, x[3 * i + k] + h * v[6 * i + k], x[3 * i + k])
        turn(q, 4 * i, h * v[6 * i + 3], h * v[6 * i + 4], h * v[6 * i + 5], moved)
