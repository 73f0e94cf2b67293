"""A fixed joint: point and orientation."""

from __future__ import annotations

from mlcp.jit import kernel

from .blocks import hold_point, hold_turn, point_error, turn_error


@kernel
def rows(joint, run):
    """Three rows of the point, three of the orientation."""
    hold_point(joint, run)
    hold_turn(joint, run, 3)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    point_error(joint, run)
    turn_error(joint, run, 3)
