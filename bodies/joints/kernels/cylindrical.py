"""A cylindrical joint: a line and an axis."""

from __future__ import annotations

from mlcp.jit import kernel

from .blocks import axis_error, axis_rows, line_error, line_rows


@kernel
def rows(joint, run):
    """Two rows of the line, two of the axis."""
    line_rows(joint, run)
    axis_rows(joint, run, 2)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    line_error(joint, run)
    axis_error(joint, run, 2)
