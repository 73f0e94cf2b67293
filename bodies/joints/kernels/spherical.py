"""A ball joint: a coincident point."""

from mlcp.jit import kernel

from .blocks import point_error, point_rows


@kernel
def rows(joint, run):
    point_rows(joint, run)


@kernel
def error(joint, run):
    point_error(joint, run)
