"""A slider: a point on a line, and equal orientation."""

from mlcp.jit import kernel

from .blocks import line_error, line_rows, rotation_rows, turn_error


@kernel
def rows(joint, run):
    line_rows(joint, run)
    rotation_rows(joint, run, 2)


@kernel
def error(joint, run):
    line_error(joint, run)
    turn_error(joint, run, 2)
