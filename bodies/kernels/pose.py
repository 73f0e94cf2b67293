"""What follows from the pose: rotation matrices, mass blocks, and how poses move."""

from __future__ import annotations

from mlcp.jit import kernel

from . import layout as L
from .rotation import rotation_matrix, turn


@kernel
def update_rotations(F, N):
    """Rotation matrix of every body; the ground's stays the identity."""
    n = L.ints(N, L.COUNT_I)[L.BODIES]
    q, R = L.floats(F, N, L.QUATERNION), L.floats(F, N, L.ROTATION)
    for i in range(n):
        rotation_matrix(q, 4 * i, R, 9 * i)


@kernel
def keep_pose(F, N):
    """Keep the poses of the start of the step: the impulses' Jacobian belongs to them."""
    n = L.ints(N, L.COUNT_I)[L.BODIES]
    x, q = L.floats(F, N, L.POSITION), L.floats(F, N, L.QUATERNION)
    x0, q0 = L.floats(F, N, L.POSITION_START), L.floats(F, N, L.QUATERNION_START)
    for k in range(3 * n):
        x0[k] = x[k]
    for k in range(4 * n):
        q0[k] = q[k]


@kernel
def assemble_mass(F, N):
    """Mass blocks ``diag(m 1, R I R')``, 6 x 6 row-major per body; zeros stay from the start."""
    n = L.ints(N, L.COUNT_I)[L.BODIES]
    mass, inertia, R = L.floats(F, N, L.MASS), L.floats(F, N, L.INERTIA), L.floats(F, N, L.ROTATION)
    M = L.floats(F, N, L.MASS_BLOCK)
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
def move(F, N, v, h):
    """Move every pose by the twists v over the time h: ``x += h v``, ``q <- exp(h w) q``."""
    n = L.ints(N, L.COUNT_I)[L.BODIES]
    x, q = L.floats(F, N, L.POSITION), L.floats(F, N, L.QUATERNION)
    for i in range(n):
        x[3 * i] += h * v[6 * i]
        x[3 * i + 1] += h * v[6 * i + 1]
        x[3 * i + 2] += h * v[6 * i + 2]
        turn(q, 4 * i, h * v[6 * i + 3], h * v[6 * i + 4], h * v[6 * i + 5])
