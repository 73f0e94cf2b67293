"""Geometry of rigid contact: gap and normal of a point above a surface, contact points of a shape."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel

PLANE, HEIGHT_FIELD, BALL = 0, 1, 2  # kinds of surfaces
SPHERE, BOX, CYLINDER = 0, 1, 2  # kinds of shapes


@kernel
def height(D, o, nx, ny, x, y):
    """``(z, dz/dx, dz/dy)`` at x, y [m] of the height field recorded at ``D[o:]``.

    Record: origin x, y and spacing x, y [m], then nx rows of ny heights [m]. Outside, the border cell is
    continued.
    """
    u = (x - D[o]) / D[o + 2]
    w = (y - D[o + 1]) / D[o + 3]
    i = min(max(math.floor(u), 0), nx - 2)
    j = min(max(math.floor(w), 0), ny - 2)
    u -= i
    w -= j
    k = o + 4 + i * ny + j
    a, b, c, d = D[k], D[k + 1], D[k + ny], D[k + ny + 1]
    z = (1.0 - u) * ((1.0 - w) * a + w * b) + u * ((1.0 - w) * c + w * d)
    sx = ((1.0 - w) * (c - a) + w * (d - b)) / D[o + 2]
    sy = ((1.0 - u) * (b - a) + u * (d - c)) / D[o + 3]
    return z, sx, sy


class SurfaceBody(NamedTuple):
    """Poses of all bodies, and the number of the body with the surface."""

    rotation: Any  # nine numbers per body: rotation matrix to world axes, row by row
    position: Any  # origins of the bodies' axes in world axes [m], three numbers per body
    body: int


@kernel
def from_origin(surface, owner, x, y, z):
    """Vector [m] in world axes to the world point x, y, z [m] from a plane's point or a ball's centre,
    which is first in the surface's record; ``owner``: the ``SurfaceBody``."""
    D, o, R, X, b = surface.record, surface.place, owner.rotation, owner.position, owner.body
    r = 9 * b
    px = X[3 * b] + R[r] * D[o] + R[r + 1] * D[o + 1] + R[r + 2] * D[o + 2]
    py = X[3 * b + 1] + R[r + 3] * D[o] + R[r + 4] * D[o + 1] + R[r + 5] * D[o + 2]
    pz = X[3 * b + 2] + R[r + 6] * D[o] + R[r + 7] * D[o + 1] + R[r + 8] * D[o + 2]
    return x - px, y - py, z - pz


@kernel
def above_plane(surface, owner, x, y, z):
    """Result of ``gap_and_normal`` for a plane."""
    D, o, R, r = surface.record, surface.place, owner.rotation, 9 * owner.body
    dx, dy, dz = from_origin(surface, owner, x, y, z)
    mx = R[r] * D[o + 3] + R[r + 1] * D[o + 4] + R[r + 2] * D[o + 5]
    my = R[r + 3] * D[o + 3] + R[r + 4] * D[o + 4] + R[r + 5] * D[o + 5]
    mz = R[r + 6] * D[o + 3] + R[r + 7] * D[o + 4] + R[r + 8] * D[o + 5]
    return mx * dx + my * dy + mz * dz, mx, my, mz


@kernel
def gap_and_normal(surface, owner, x, y, z):
    """Gap [m] of the world point x, y, z [m] above a rigid surface, and the surface's outward normal.

    Arguments: surface, a ``section.GroundShape``: height field, or plane or ball recorded in the axes of
    their body; owner: ``SurfaceBody``. Returns: gap, nx, ny, nz in world axes.
    """
    D, o, kind = surface.record, surface.place, surface.kind
    if kind == HEIGHT_FIELD:
        h, sx, sy = height(D, o, surface.rows, surface.columns, x, y)
        k = 1.0 / math.sqrt(1.0 + sx * sx + sy * sy)
        return k * (z - h), -k * sx, -k * sy, k
    if kind == PLANE:
        return above_plane(surface, owner, x, y, z)
    dx, dy, dz = from_origin(surface, owner, x, y, z)
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    k = 1.0 / max(distance, 1e-30)
    return distance - D[o + 3], k * dx, k * dy, k * dz


@kernel
def box_corner(S, k, c, w):
    """World position [m] of corner k of a box, on the positive side of axis x, y, z if bit 0, 1, 2 of k
    is set.

    S: half edges [m]; c: centre [m]; w: rotation matrix from the box's to world axes, row by row.
    """
    x = S[0] if k & 1 else -S[0]
    y = S[1] if k & 2 else -S[1]
    z = S[2] if k & 4 else -S[2]
    return (
        c[0] + w[0] * x + w[1] * y + w[2] * z,
        c[1] + w[3] * x + w[4] * y + w[5] * z,
        c[2] + w[6] * x + w[7] * y + w[8] * z,
    )


@kernel
def rim_point(S, side, third, c, w, nx, ny, nz):
    """World position [m] of a point on a cylinder's rim: the rim's farthest point along -n, turned by
    ``third`` (-1, 0 or 1) thirds of a turn about the cylinder's axis; n: normal of the other surface.

    S: radius, half length [m]; side: end of the cylinder, -1 or +1; c: centre [m]; w: rotation matrix to
    world axes, row by row, its third column along the cylinder.
    """
    ax, ay, az = w[2], w[5], w[8]
    k = ax * nx + ay * ny + az * nz
    dx, dy, dz = k * ax - nx, k * ay - ny, k * az - nz
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    # cylinder along the normal: all rim points are equally deep, so that on the first axis is taken
    if length < 1e-6:
        dx, dy, dz, length = w[0], w[3], w[6], 1.0
    dx, dy, dz = dx / length, dy / length, dz / length
    ex, ey, ez = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
    co = 1.0 if third == 0 else -0.5
    si = 0.8660254037844386 * third
    r, s = S[0], side * S[1]
    return (
        c[0] + s * ax + r * (co * dx + si * ex),
        c[1] + s * ay + r * (co * dy + si * ey),
        c[2] + s * az + r * (co * dz + si * ez),
    )
