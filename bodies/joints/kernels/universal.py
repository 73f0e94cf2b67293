"""A universal joint: a coincident point and two perpendicular pins."""

from mlcp.jit import kernel

from ...kernels.ends import axis_a, axis_b, cross, dot
from .blocks import about_both, point_error, point_rows


@kernel
def rows(joint, run):
    """Write three rows of the coincident point, and one row: ``(w_a - w_b) . (n_a x n_b)``, the rate of
    ``n_a . n_b``.

    n_a, n_b: directions of the pins; w_a, w_b: angular velocities of the bodies.
    """
    R = run.rotation
    point_rows(joint, run)
    cx, cy, cz = cross(axis_a(joint.ends, R, 2), axis_b(joint.ends, R, 2))
    about_both(joint, run, 3, (-cx, -cy, -cz))


@kernel
def error(joint, run):
    """Write the errors: separation of the points [m] and ``n_a . n_b`` [-] of the pins' directions."""
    R = run.rotation
    point_error(joint, run)
    run.error[joint.row + 3] = dot(axis_a(joint.ends, R, 2), axis_b(joint.ends, R, 2))
