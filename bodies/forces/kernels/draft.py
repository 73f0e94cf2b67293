"""Draft of a tool, the force ``-D(v) u+ / v`` on a point.

v: horizontal speed of the point at the start of the step; u+: its horizontal velocity at the end of the
step; D(v): draft at the speed v.
"""

import math

from mlcp.jit import kernel

from ...kernels.records import WRENCHES
from ...kernels.rotation import rotate


@kernel
def impulse(it, run, m):
    """Add the draft impulse of force element m, ``-c u+``, to the mass block of its body as damping c.

    ``c = h s D(v) / max(v, v_0)``; h: step length; s: input, 0 to 1; D: draft [N]; v, u+: horizontal
    velocity of the point at the start and end of the step; v_0: speed below which the force decreases to
    0. Stores c and the arm of the point for :func:`work`.
    """
    v, M, K, s = run.velocity, run.mass_block, run.force_wrench, it.point
    w, o = WRENCHES * m, 6 * it.target
    x, y, z = rotate(run.rotation, 9 * it.target, s[0], s[1], s[2])
    a = v[o] + v[o + 4] * z - v[o + 5] * y
    b = v[o + 1] + v[o + 5] * x - v[o + 3] * z
    speed = math.sqrt(a * a + b * b)
    draft = it.vector[0] + speed * (it.vector[1] + speed * it.vector[2])
    c = run.clock.step * draft / max(speed, it.coefficient)
    c *= min(max(run.input[it.input], 0.0), 1.0)
    K[w], K[w + 1], K[w + 2], K[w + 3] = c, x, y, z
    # horizontal velocity of the point with the arm (x, y, z): (v_x + w_y z - w_z y, v_y + w_z x - w_x z)
    block = 6 * o
    M[block] += c
    M[block + 7] += c
    add_pair(M, block, 0, 4, c * z)
    add_pair(M, block, 0, 5, -c * y)
    add_pair(M, block, 1, 5, c * x)
    add_pair(M, block, 1, 3, -c * z)
    M[block + 21] += c * z * z
    M[block + 28] += c * z * z
    M[block + 35] += c * (x * x + y * y)
    add_pair(M, block, 3, 5, -c * x * z)
    add_pair(M, block, 4, 5, -c * y * z)


@kernel
def add_pair(M, block, i, k, value):
    """Add a value to the elements (i, k) and (k, i) of a symmetric 6 x 6 block."""
    M[block + 6 * i + k] += value
    M[block + 6 * k + i] += value


@kernel
def work(it, run, m, place):
    """Add the work of force element m in the step to ``work_done[place]`` [J]."""
    v0, v1, K = run.velocity_start, run.velocity, run.force_wrench
    w, o = WRENCHES * m, 6 * it.target
    c, x, y, z = K[w], K[w + 1], K[w + 2], K[w + 3]
    a0 = v0[o] + v0[o + 4] * z - v0[o + 5] * y
    b0 = v0[o + 1] + v0[o + 5] * x - v0[o + 3] * z
    a1 = v1[o] + v1[o + 4] * z - v1[o + 5] * y
    b1 = v1[o + 1] + v1[o + 5] * x - v1[o + 3] * z
    run.work_done[place] -= 0.5 * c * (a1 * (a0 + a1) + b1 * (b0 + b1))
