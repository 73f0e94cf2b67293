"""A ball joint: a point."""

from __future__ import annotations

from mlcp.jit import kernel

from .blocks import point_error, point_rows


@kernel
def rows(joint, run):
    """Three rows of the point."""
    point_rows(joint, run)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    point_error(joint, run)
