"""Scalar kernels of the ground's shape: height and slope at a point."""

from __future__ import annotations

import math

from mlcp.jit import kernel

PLANE, STEP, SINE, FIELD = 0, 1, 2, 3
TERRAIN_FLOATS = 8


@kernel
def _cubic(a, b, c, d, t):
    """Catmull-Rom through b, c: value and slope at t in [0, 1]."""
    m_0, m_1, rise = 0.5 * (c - a), 0.5 * (d - b), c - b
    p, q = 3.0 * rise - 2.0 * m_0 - m_1, m_0 + m_1 - 2.0 * rise
    return b + t * (m_0 + t * (p + t * q)), m_0 + t * (2.0 * p + 3.0 * t * q)


@kernel
def _field(p, grid, x, y):
    """Bicubic height field, p: origin x, y, spacing x, y; constant beyond its edges."""
    rows, columns = grid.shape
    u = min(max((x - p[0]) / p[2], 0.0), columns - 1.0)
    v = min(max((y - p[1]) / p[3], 0.0), rows - 1.0)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    s, t = u - i, v - j
    z_0, z_1, z_2, z_3 = 0.0, 0.0, 0.0, 0.0
    d_0, d_1, d_2, d_3 = 0.0, 0.0, 0.0, 0.0
    for k in range(4):
        row = min(max(j + k - 1, 0), rows - 1)
        value, slope = _cubic(
            grid[row, max(i - 1, 0)], grid[row, i], grid[row, i + 1],
            grid[row, min(i + 2, columns - 1)], s,
        )  # fmt: skip
        if k == 0:
            z_0, d_0 = value, slope
        elif k == 1:
            z_1, d_1 = value, slope
        elif k == 2:
            z_2, d_2 = value, slope
        else:
            z_3, d_3 = value, slope
    height, along_y = _cubic(z_0, z_1, z_2, z_3, t)
    along_x, _ = _cubic(d_0, d_1, d_2, d_3, t)
    inside_x = 0.0 < (x - p[0]) / p[2] < columns - 1.0
    inside_y = 0.0 < (y - p[1]) / p[3] < rows - 1.0
    return height, along_x / p[2] if inside_x else 0.0, along_y / p[3] if inside_y else 0.0


@kernel
def terrain_at(kind, p, grid, x, y):
    """``(z, dz/dx, dz/dy)`` of the ground at x, y [m]."""
    if kind == STEP:  # smoothstep from 0 to the rise over the length
        t = min(max((x - p[0]) / p[2], 0.0), 1.0)
        return p[1] * t * t * (3.0 - 2.0 * t), p[1] * 6.0 * t * (1.0 - t) / p[2], 0.0
    if kind == SINE:
        along = p[2] * x + p[3] * y + p[4]
        rate = p[0] * math.cos(along)
        return p[0] * math.sin(along), rate * p[2], rate * p[3]
    if kind == FIELD:
        return _field(p, grid, x, y)
    return p[0] + p[1] * x + p[2] * y, p[1], p[2]
