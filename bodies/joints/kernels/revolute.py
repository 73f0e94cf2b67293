"""A hinge: a point and an axis."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.drift import foresee_bend
from .blocks import axis_error, hold_axis, hold_point, point_error


@kernel
def rows(joint, run):
    """Three rows of the point, two of the axis with their predicted bend at the end of the step."""
    hold_point(joint, run)
    hold_axis(joint, run, 3)
    foresee_bend(joint, run, 3)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    point_error(joint, run)
    axis_error(joint, run, 3)
