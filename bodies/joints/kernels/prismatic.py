"""A slider: a line and the orientation."""

from __future__ import annotations

from mlcp.jit import kernel

from .blocks import hold_line, hold_turn, line_error, turn_error


@kernel
def rows(joint, run):
    """Two rows of the line, three of the orientation."""
    hold_line(joint, run)
    hold_turn(joint, run, 2)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    line_error(joint, run)
    turn_error(joint, run, 2)
