"""A rubber joint: six springs with dampers, without a position error."""

from mlcp.compiled.branches import every, where
from mlcp.jit import kernel

from ...kernels.ends import axis_a, dot, separation
from .blocks import about_both, along_both, rotation_error


@kernel
def rows(joint, run):
    """Write three rows along and three about the axes of the bushing frame on body a, each with its
    compliance and bias."""
    x, R, h, p = run.position, run.rotation, run.clock.step, joint.p
    d, e = separation(joint.ends, x, R), rotation_error(joint.ends, R)
    for c in range(3):
        n = axis_a(joint.ends, R, c)
        along_both(joint, run, c, n)
        about_both(joint, run, 3 + c, n)
        spring_row(joint, run, c, dot(n, d), p[c], h * p[c] + p[3 + c])
        spring_row(joint, run, 3 + c, dot(n, e), p[6 + c], h * p[6 + c] + p[9 + c])


@kernel
def spring_row(joint, run, i, value, k, s):
    """Write compliance ``1/(h s)`` and bias ``k value / s`` of row i, ``s = h k + c``.

    k, c: stiffness and damping; h: step length; value: deflection [m, rad].
    """
    J, h, r = run.jacobian, run.clock.step, joint.row + i
    elastic = s > 0.0
    some_s = where(elastic, s, 1.0)
    run.compliance[r] = where(elastic, 1.0 / (h * some_s), 1.0)
    run.bias[r] = where(elastic, k * value / some_s, 0.0)
    if not every(elastic):  # without spring and damper: a row of zeros with compliance 1, no impulse
        a, b = joint.jac_a + 6 * i, joint.jac_b + 6 * i
        for m in range(6):
            J[a + m] = where(elastic, J[a + m], 0.0)
            J[b + m] = where(elastic, J[b + m], 0.0)
