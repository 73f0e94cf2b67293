"""Quaternions (scalar first) and rotation matrices (row-major), body axes to world axes."""

import math

from mlcp.compiled.branches import every, where
from mlcp.jit import kernel
from mlcp.kernels.elementary import sin_cos


@kernel
def rotation_matrix(q, o, R, m):
    """Write the rotation matrix of the unit quaternion ``q[o:o+4]`` to ``R[m:m+9]``."""
    w, x, y, z = q[o], q[o + 1], q[o + 2], q[o + 3]
    R[m] = 1.0 - 2.0 * (y * y + z * z)
    R[m + 1] = 2.0 * (x * y - w * z)
    R[m + 2] = 2.0 * (x * z + w * y)
    R[m + 3] = 2.0 * (x * y + w * z)
    R[m + 4] = 1.0 - 2.0 * (x * x + z * z)
    R[m + 5] = 2.0 * (y * z - w * x)
    R[m + 6] = 2.0 * (x * z - w * y)
    R[m + 7] = 2.0 * (y * z + w * x)
    R[m + 8] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def turn(q, o, rx, ry, rz, moved):
    """Turn ``q[o:o+4]`` by the rotation vector r in world axes: ``q <- exp(r/2) q``, normalised.

    Where ``moved`` is false q is unchanged. Below 1e-4 rad sine and cosine of the half angle are
    computed by power series, whose sixth-order term is below round-off.
    """
    a2 = 0.25 * (rx * rx + ry * ry + rz * rz)
    small = a2 < 2.5e-9
    c = 1.0 - a2 * (0.5 - a2 * (1.0 / 24.0))
    s = 0.5 * (1.0 - a2 * (1.0 / 6.0 - a2 * (1.0 / 120.0)))
    if not every(small):
        a = where(small, 1.0, math.sqrt(a2))
        sine, cosine = sin_cos(a)
        c = where(small, c, cosine)
        s = where(small, s, 0.5 * sine / a)
    x, y, z = s * rx, s * ry, s * rz
    qw, qx, qy, qz = q[o], q[o + 1], q[o + 2], q[o + 3]
    nw = c * qw - x * qx - y * qy - z * qz
    nx = c * qx + x * qw + y * qz - z * qy
    ny = c * qy - x * qz + y * qw + z * qx
    nz = c * qz + x * qy - y * qx + z * qw
    k = 1.0 / math.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
    q[o] = where(moved, k * nw, qw)
    q[o + 1] = where(moved, k * nx, qx)
    q[o + 2] = where(moved, k * ny, qy)
    q[o + 3] = where(moved, k * nz, qz)


@kernel
def rotate(R, m, x, y, z):
    """``R v`` of v = (x, y, z) for the matrix at ``R[m:m+9]``: from body to world axes."""
    return (
        R[m] * x + R[m + 1] * y + R[m + 2] * z,
        R[m + 3] * x + R[m + 4] * y + R[m + 5] * z,
        R[m + 6] * x + R[m + 7] * y + R[m + 8] * z,
    )


@kernel
def rotate_back(R, m, x, y, z):
    """``R' v`` of v = (x, y, z) for the matrix at ``R[m:m+9]``: from world to body axes."""
    return (
        R[m] * x + R[m + 3] * y + R[m + 6] * z,
        R[m + 1] * x + R[m + 4] * y + R[m + 7] * z,
        R[m + 2] * x + R[m + 5] * y + R[m + 8] * z,
    )


@kernel
def perpendicular(x, y, z):
    """Two unit vectors that complete the unit vector (x, y, z) to a right-handed frame.

    Duff et al., Building an orthonormal basis, revisited, JCGT 6(1), 2017, listing 3.
    """
    s = math.copysign(1.0, z)
    a = -1.0 / (s + z)
    b = x * y * a
    return 1.0 + s * x * x * a, s * b, -s * x, b, s + y * y * a, -y
