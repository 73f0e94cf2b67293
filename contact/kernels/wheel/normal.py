"""Scalar kernel of the normal force: tyre and soil in series, from a table."""

import math

from mlcp.compiled.branches import every, split, where
from mlcp.jit import kernel


@kernel
def compression_force(points, compression_max, compression):
    """Normal force [N] of tyre and soil in series at a total ``compression`` [m].

    ``points`` (2n) holds force [N] and its slope [N per table interval], n times, at compressions
    ``compression_max (k / (n - 1))^2``: dense near zero, where the force is a fractional power.
    The force is a cubic Hermite between the points, and linear with the last slope beyond the table.
    """
    pressed = compression > 0.0
    last = points.shape[0] // 2 - 1
    place = math.sqrt(where(pressed, compression, 0.0) / compression_max) * last
    within = place < last
    k, t = split(where(within, place, 0.0))
    f_0, s_0, f_1, s_1 = points[2 * k], points[2 * k + 1], points[2 * k + 2], points[2 * k + 3]
    rise = f_1 - f_0
    force = f_0 + t * (s_0 + t * (3.0 * rise - 2.0 * s_0 - s_1 + t * (s_0 + s_1 - 2.0 * rise)))
    if not every(within):
        # line through the last point with its slope [N per interval] times d place / d compression [1/m]
        beyond = (
            points[2 * last] + points[2 * last + 1] * last * (compression / compression_max - 1.0) / 2.0
        )
        force = where(within, force, beyond)
    return where(pressed, force, 0.0)
