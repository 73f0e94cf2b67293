"""Scalar kernels of the slip ratio (Peiret et al., eqs 5 to 7), common to all laws and schemes."""

from mlcp.compiled.branches import where
from mlcp.jit import kernel
from mlcp.kernels.elementary import expm1

STUCK_SPEED = 1e-12  # sliding velocity that is round-off [m/s]


@kernel
def slip_state(v_t, v_x, v_0):
    """Slip, direction and v_max from sliding velocity v_t and centre velocity v_x [m/s].

    Returns ``(i_s, direction, v_max)``: i_s = -v_t / v_max clamped to [-1, 1];
    direction = (omega r + v_x) / (|omega r| + |v_x|), +1 at rest; v_max = max(|omega r|, |v_x|, v_0)
    [m/s] with the rim speed omega r = v_x - v_t.

    The direction is the common sign d of the speeds of rim and centre; if they are opposed, it
    varies continuously from -1 to 1, so that the even part of a law has no discontinuity.
    """
    rim = v_x - v_t  # rim speed omega r
    both = abs(rim) + abs(v_x)
    moving = both > 0.0
    direction = where(moving, (rim + v_x) / where(moving, both, 1.0), 1.0)
    v_max = max(max(abs(rim), abs(v_x)), v_0)
    slip = -v_t / v_max
    return min(1.0, max(-1.0, slip)), direction, v_max


@kernel
def smooth_factor(v_max, v_min):
    """Factor of the smooth slip, eq 7: ``1 - exp(-v_max^2 / v_min^2)``."""
    ratio = v_max / v_min
    return -expm1(-(ratio * ratio))
