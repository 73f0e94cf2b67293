"""Drag of a body, ``-k |v - wind| (v+ - wind)``, ``k = 1/2 rho c_d A``.

v, v+: velocity of the centre of mass at the start and the end of the step; rho: density of the air; c_d:
drag coefficient; A: frontal area; wind: velocity of the air.
"""

import math

from mlcp.jit import kernel

from ...kernels.records import WRENCHES


@kernel
def impulse(it, run, m):
    """Add the drag impulse of force element m, ``-c (v+ - wind)`` with c = h k |v - wind|, to the body's
    mass block (c) and momentum (c wind); h: step length.

    Stores c for :func:`work`.
    """
    v, B, M, K = run.velocity, run.momentum, run.mass_block, run.force_wrench
    w, o, wind = WRENCHES * m, 6 * it.target, it.vector
    dx, dy, dz = v[o] - wind[0], v[o + 1] - wind[1], v[o + 2] - wind[2]
    K[w] = run.clock.step * it.coefficient * math.sqrt(dx * dx + dy * dy + dz * dz)
    for i in range(3):
        M[6 * o + 7 * i] += K[w]
        B[o + i] += K[w] * wind[i]


@kernel
def work(it, run, m, place):
    """Add the work of force element m in the step to ``work_done[place]`` [J]."""
    v0, v1, K = run.velocity_start, run.velocity, run.force_wrench
    u, w = 0.0, WRENCHES * m
    for k in range(3):
        v = v1[6 * it.target + k]
        u -= K[w] * (v - it.vector[k]) * (v0[6 * it.target + k] + v)
    run.work_done[place] += 0.5 * u
