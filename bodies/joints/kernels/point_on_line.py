"""A point on a line."""

from __future__ import annotations

from mlcp.jit import kernel

from .blocks import hold_line, line_error


@kernel
def rows(joint, run):
    """Two rows of the line."""
    hold_line(joint, run)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    line_error(joint, run)
