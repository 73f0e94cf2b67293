"""A ball joint: a point."""

from __future__ import annotations

from mlcp.jit import kernel

from .blocks import hold_point, point_error


@kernel
def rows(joint, run):
    """Three rows of the point."""
    hold_point(joint, run)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    point_error(joint, run)
