"""A hinge: a point and an axis."""

from __future__ import annotations

from mlcp.jit import kernel

from ...kernels.drift import predict_tilt
from .blocks import axis_error, axis_rows, point_error, point_rows


@kernel
def rows(joint, run):
    """Three rows of the point, two of the axis with their predicted bend at the end of the step."""
    point_rows(joint, run)
    axis_rows(joint, run, 3)
    predict_tilt(joint, run, 3)


@kernel
def error(joint, run):
    """Position errors of the same rows."""
    point_error(joint, run)
    axis_error(joint, run, 3)
