"""A fixed joint: coincident point and equal orientation."""

from mlcp.jit import kernel

from .blocks import point_error, point_rows, rotation_rows, turn_error


@kernel
def rows(joint, run):
    point_rows(joint, run)
    rotation_rows(joint, run, 3)


@kernel
def error(joint, run):
    point_error(joint, run)
    turn_error(joint, run, 3)
