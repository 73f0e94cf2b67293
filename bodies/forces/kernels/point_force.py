"""A force on a point of a body; its direction is fixed to the body or to the world."""

from mlcp.compiled.branches import some, where
from mlcp.jit import kernel

from ...kernels.records import WRENCHES
from ...kernels.rotation import rotate


@kernel
def impulse(it, run, m):
    """Add the impulse of force element m to the momentum of its body."""
    B, K, R, d, s = run.momentum, run.force_wrench, run.rotation, it.vector, it.point
    w, i, o = WRENCHES * m, 9 * it.target, 6 * it.target
    p = run.clock.step * run.input[it.input]
    x, y, z = p * d[0], p * d[1], p * d[2]
    turns = it.coefficient > 0.0
    if some(turns):
        tx, ty, tz = rotate(R, i, x, y, z)
        x, y, z = where(turns, tx, x), where(turns, ty, y), where(turns, tz, z)
    sx, sy, sz = rotate(R, i, s[0], s[1], s[2])
    K[w], K[w + 1], K[w + 2] = x, y, z
    K[w + 3], K[w + 4], K[w + 5] = sy * z - sz * y, sz * x - sx * z, sx * y - sy * x
    for k in range(6):
        B[o + k] += K[w + k]


@kernel
def work(it, run, m, place):
    """Add the work of force element m in the step to ``work_done[place]`` [J]."""
    v0, v1, K = run.velocity_start, run.velocity, run.force_wrench
    u, w, o = 0.0, WRENCHES * m, 6 * it.target
    for k in range(6):
        u += K[w + k] * (v0[o + k] + v1[o + k])
    run.work_done[place] += 0.5 * u
