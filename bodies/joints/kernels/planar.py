"""A plate on a plane: distance along the normal, and parallel normals."""

from mlcp.jit import kernel

from ...kernels.ends import axis_a, dot, separation
from .blocks import along_both, axis_error, axis_rows


@kernel
def rows(joint, run):
    along_both(joint, run, 0, axis_a(joint.ends, run.rotation, 2))
    axis_rows(joint, run, 1)


@kernel
def error(joint, run):
    R = run.rotation
    run.error[joint.row] = dot(separation(joint.ends, run.position, R), axis_a(joint.ends, R, 2))
    axis_error(joint, run, 1)
