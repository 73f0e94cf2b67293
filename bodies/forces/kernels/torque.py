"""A force or torque on a joint coordinate, from its input signal."""

from mlcp.jit import kernel

from ...kernels.records import WRENCHES


@kernel
def impulse(it, run, m):
    """Add the impulse of force element m to the momenta of the two bodies of its coordinate."""
    C, B, K, nb = run.coordinate_jac, run.momentum, run.force_wrench, run.count.bodies
    w, c, on = WRENCHES * m, 12 * it.target, run.coordinates[it.target].ends
    impulse = run.clock.step * run.input[it.input]
    for k in range(6):
        K[w + k] = impulse * C[c + k]
        K[w + 6 + k] = impulse * C[c + 6 + k]
        if on.a < nb:
            B[6 * on.a + k] += K[w + k]
        if on.b < nb:
            B[6 * on.b + k] += K[w + 6 + k]


@kernel
def work(it, run, m, place):
    """Add the work of force element m in the step to ``work_done[place]`` [J]."""
    v0, v1, K = run.velocity_start, run.velocity, run.force_wrench
    u, w, on, nb = 0.0, WRENCHES * m, run.coordinates[it.target].ends, run.count.bodies
    for k in range(6):
        if on.a < nb:
            u += K[w + k] * (v0[6 * on.a + k] + v1[6 * on.a + k])
        if on.b < nb:
            u += K[w + 6 + k] * (v0[6 * on.b + k] + v1[6 * on.b + k])
    run.work_done[place] += 0.5 * u
