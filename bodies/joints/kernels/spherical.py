"""A ball joint: a coincident point."""

from mlcp.jit import kernel

from .blocks import point_error, point_rows


@kernel
def rows(joint, run):
    """Write the Jacobian rows: three for the coincident point."""
    point_rows(joint, run)


@kernel
def error(joint, run):
    """Write the position errors of the joint's rows."""
    point_error(joint, run)
