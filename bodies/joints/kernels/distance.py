"""A rod with ball ends."""

import math

from mlcp.jit import kernel

from ...kernels.ends import arm_a, arm_b, separation
from ...kernels.rows import along


@kernel
def rows(joint, run):
    """Write the Jacobian row: relative velocity of the ends along the rod's direction at the step's
    start."""
    R, J = run.rotation, run.jacobian
    dx, dy, dz = separation(joint.ends, run.position, R)
    k = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
    n = (k * dx, k * dy, k * dz)
    along(J, joint.jac_a, -1.0, n, arm_a(joint.ends, R))
    along(J, joint.jac_b, 1.0, n, arm_b(joint.ends, R))


@kernel
def error(joint, run):
    """Write the error: distance of the ends less the rod's length [m]."""
    dx, dy, dz = separation(joint.ends, run.position, run.rotation)
    run.error[joint.row] = math.sqrt(dx * dx + dy * dy + dz * dz) - joint.p[0]
