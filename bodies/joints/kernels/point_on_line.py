"""A point on a line."""

from mlcp.jit import kernel

from .blocks import line_error, line_rows


@kernel
def rows(joint, run):
    line_rows(joint, run)


@kernel
def error(joint, run):
    line_error(joint, run)
