"""A cylindrical joint: a point on a line, and parallel axes."""

from mlcp.jit import kernel

from .blocks import axis_error, axis_rows, line_error, line_rows


@kernel
def rows(joint, run):
    line_rows(joint, run)
    axis_rows(joint, run, 2)


@kernel
def error(joint, run):
    line_error(joint, run)
    axis_error(joint, run, 2)
