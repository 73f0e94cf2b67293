"""Scalar kernels of the ground's shape: height and slope at a point."""

from mlcp.jit import kernel
from mlcp.kernels.elementary import sin_cos

PLANE, STEP, SINE, FIELD = 0, 1, 2, 3  # kinds of terrain
TERRAIN_FLOATS = 8  # length of the parameters of a terrain, before the heights of a field


@kernel
def _cubic(a, b, c, d, t):
    """Value and slope at t in [0, 1] of the Catmull-Rom cubic from b to c, with neighbours a and d."""
    m_0, m_1, rise = 0.5 * (c - a), 0.5 * (d - b), c - b
    p, q = 3.0 * rise - 2.0 * m_0 - m_1, m_0 + m_1 - 2.0 * rise
    return b + t * (m_0 + t * (p + t * q)), m_0 + t * (2.0 * p + 3.0 * t * q)


@kernel
def _field(D, o, rows, columns, x, y):
    """``(z, dz/dx, dz/dy)`` at x, y [m] of a bicubic height field, constant beyond its edges.

    Record at D[o:], TERRAIN_FLOATS numbers: origin x, y and spacing x, y [m], bounds of the field's
    curvature [1/m] and slope [-]; then the heights [m], row by row along y.
    """
    u = min(max((x - D[o]) / D[o + 2], 0.0), columns - 1.0)
    v = min(max((y - D[o + 1]) / D[o + 3], 0.0), rows - 1.0)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    s, t = u - i, v - j
    before, after = max(i - 1, 0), min(i + 2, columns - 1)
    z_0, z_1, z_2, z_3 = 0.0, 0.0, 0.0, 0.0
    d_0, d_1, d_2, d_3 = 0.0, 0.0, 0.0, 0.0
    for k in range(4):
        row = o + TERRAIN_FLOATS + min(max(j + k - 1, 0), rows - 1) * columns
        value, slope = _cubic(D[row + before], D[row + i], D[row + i + 1], D[row + after], s)
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
    inside_x = 0.0 < (x - D[o]) / D[o + 2] < columns - 1.0
    inside_y = 0.0 < (y - D[o + 1]) / D[o + 3] < rows - 1.0
    return height, along_x / D[o + 2] if inside_x else 0.0, along_y / D[o + 3] if inside_y else 0.0


@kernel
def terrain_at(kind, D, o, rows, columns, x, y):
    """``(z, dz/dx, dz/dy)`` of the ground at x, y [m].

    Record at ``D[o:]``: TERRAIN_FLOATS parameters, then the heights of a field, row by row along y.
    """
    if kind == STEP:  # smoothstep from 0 to the rise over the length
        t = min(max((x - D[o]) / D[o + 2], 0.0), 1.0)
        return D[o + 1] * t * t * (3.0 - 2.0 * t), D[o + 1] * 6.0 * t * (1.0 - t) / D[o + 2], 0.0
    if kind == SINE:
        along = D[o + 2] * x + D[o + 3] * y + D[o + 4]
        sine, cosine = sin_cos(along)
        rate = D[o] * cosine
        return D[o] * sine, rate * D[o + 2], rate * D[o + 3]
    if kind == FIELD:
        return _field(D, o, rows, columns, x, y)
    return D[o] + D[o + 1] * x + D[o + 2] * y, D[o + 1], D[o + 2]
