"""A point on a line."""

from mlcp.jit import kernel

from .blocks import line_error, line_rows


@kernel
def rows(joint, run):
    """Write the Jacobian rows: two for the point on the line."""
    line_rows(joint, run)


@kernel
def error(joint, run):
    """Write the position errors of the joint's rows."""
    line_error(joint, run)
