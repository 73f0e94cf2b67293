"""What a joint error will be at the end of a step although every row holds its velocity.

Rows are linear in the velocities, poses move along circles. Where two bodies spin at different rates
about a common axis n while n itself turns with the angular velocity a (across n), their axes part:
each moves by ``h (S(x) a x n + C(x) a)``, x the angle it spins, ``S = sin x / x`` and
``C = (1 - cos x) / x`` (first order in h |a|). A crankshaft in a pitching vehicle loses 1e-6 rad so in
every millisecond. Foreseen, it is taken out within the step, by the velocities.
"""

from __future__ import annotations

import math

from mlcp.compiled.lanes import every, where
from mlcp.jit import kernel

from .rotation import perpendicular

SMALL = 0.1  # [rad] below it the series are exact to 1e-10 of the drift


@kernel
def along_and_aside(x):
    """``sin x / x`` and ``(1 - cos x) / x``."""
    y, small = x * x, abs(x) < SMALL
    ahead = 1.0 - y * (1.0 / 6.0 - y / 120.0)
    aside = x * (0.5 - y * (1.0 / 24.0 - y / 720.0))
    if every(small):
        return ahead, aside
    angle = where(small, 1.0, x)
    ahead = where(small, ahead, math.sin(angle) / angle)
    return ahead, where(small, aside, (1.0 - math.cos(angle)) / angle)


@kernel
def foresee_bend(v, a, b, nx, ny, nz, h, B, r):
    """Add to the bias of two rows that keep the axes of bodies a and b parallel what they will lack."""
    ax, ay, az = v[6 * a + 3], v[6 * a + 4], v[6 * a + 5]
    bx, by, bz = v[6 * b + 3], v[6 * b + 4], v[6 * b + 5]
    spin_a, spin_b = nx * ax + ny * ay + nz * az, nx * bx + ny * by + nz * bz
    ahead_a, aside_a = along_and_aside(h * spin_a)
    ahead_b, aside_b = along_and_aside(h * spin_b)
    ahead, aside = ahead_b - ahead_a, aside_b - aside_a
    cx, cy, cz = ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax
    tx, ty, tz, ux, uy, uz = perpendicular(nx, ny, nz)
    B[r] += ahead * (tx * ax + ty * ay + tz * az) + aside * (tx * cx + ty * cy + tz * cz)
    B[r + 1] += ahead * (ux * ax + uy * ay + uz * az) + aside * (ux * cx + uy * cy + uz * cz)
