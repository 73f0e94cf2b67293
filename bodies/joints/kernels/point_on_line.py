"""A point on a line."""

from __future__ import annotations

from mlcp.jit import kernel

from .blocks import line_error, line_rows


@kernel
def rows(joint, run):
    """Two rows of the line."""
    line_rows(joint, run)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    line_error(joint, run)
