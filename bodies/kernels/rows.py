"""The building blocks of which every joint is made: each writes rows of one Jacobian block.

A block holds k rows of six numbers, the velocity of the centre of mass and then the angular
velocity, world axes. ``s`` is the vector from the centre of mass to the joint point.
"""

from __future__ import annotations

from mlcp.jit import kernel


@kernel
def along(J, o, k, nx, ny, nz, sx, sy, sz):
    """One row: velocity of the point along n, ``k (n . v + (s x n) . w)``."""
    J[o] = k * nx
    J[o + 1] = k * ny
    J[o + 2] = k * nz
    J[o + 3] = k * (sy * nz - sz * ny)
    J[o + 4] = k * (sz * nx - sx * nz)
    J[o + 5] = k * (sx * ny - sy * nx)


@kernel
def about(J, o, k, nx, ny, nz):
    """One row: angular velocity about n, ``k n . w``."""
    J[o] = 0.0
    J[o + 1] = 0.0
    J[o + 2] = 0.0
    J[o + 3] = k * nx
    J[o + 4] = k * ny
    J[o + 5] = k * nz


@kernel
def point(J, o, k, sx, sy, sz):
    """Three rows: velocity of the point, ``k (v + w x s)``."""
    along(J, o, k, 1.0, 0.0, 0.0, sx, sy, sz)
    along(J, o + 6, k, 0.0, 1.0, 0.0, sx, sy, sz)
    along(J, o + 12, k, 0.0, 0.0, 1.0, sx, sy, sz)


@kernel
def spin(J, o, k):
    """Three rows: angular velocity, ``k w``."""
    about(J, o, k, 1.0, 0.0, 0.0)
    about(J, o + 6, k, 0.0, 1.0, 0.0)
    about(J, o + 12, k, 0.0, 0.0, 1.0)
