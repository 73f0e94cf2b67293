"""A hinge: coincident point and parallel axes."""

from mlcp.jit import kernel

from ...kernels.drift import predict_tilt
from .blocks import axis_error, axis_rows, point_error, point_rows


@kernel
def rows(joint, run):
    """Write three rows of the coincident point and two of parallel axes, whose bias corrects the drift
    of the axes predicted for the step (``kernels.drift``)."""
    point_rows(joint, run)
    axis_rows(joint, run, 3)
    predict_tilt(joint, run, 3)


@kernel
def error(joint, run):
    point_error(joint, run)
    axis_error(joint, run, 3)
