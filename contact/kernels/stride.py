"""How far the passes of a step go from one linearisation point to the next.

Wheels share a chassis: what one does moves the slip of another, and with kinks in the law or the
resistance rising with the slip the passes may run in circles, or creep. From pass SHORT on they go
a share of the way; from pass LONG on it is chosen from how the last share changed the way that was
left (Irons and Tuck 1969):

    s = -s_0 r_0 (r - r_0) / |r - r_0|^2,   r: ways of all wheels, r_0 those of the pass before
"""

from __future__ import annotations

from mlcp.jit import kernel

from . import layout as at

SHORT = 12.0  # passes that go the whole way
FIRST, LEAST, MOST = 0.7, 0.1, 2.5  # shares
LONG = 48.0  # passes after which the share is chosen; before, it is FIRST
AGAIN = 24.0  # passes after which the choice starts anew


@kernel
def choose_stride(h, wheels, rows):
    """Set the share of all wheels for this pass, from the velocities ``rows.u`` that came out.

    A scheme that keeps its slip of the step's start moves the load alone: its way is that of the load.
    """
    now = wheels.now
    same, change = 0.0, 0.0
    for i in range(wheels.ints.shape[0]):
        channel = wheels.ints[i, at.FIRST_CHANNEL]
        way_t = rows.u[channel + at.SLIDING] - now[i, at.V_T]
        way_x = rows.u[channel + at.CENTRE] - now[i, at.V_X]
        way_y = 0.0
        if wheels.ints[i, at.LATERAL_ROW] >= 0:
            way_y = rows.u[channel + at.LATERAL] - now[i, at.V_Y]
        scheme = wheels.ints[i, at.SCHEME]
        if scheme != at.IMPLICIT and scheme != at.LUGRE:
            load = rows.z[wheels.ints[i, at.FIRST_ROW] + at.ROW_NORMAL] / h
            way_t, way_x, way_y = load / max(now[i, at.LOAD], 1.0) - 1.0, 0.0, 0.0
        d_t, d_x, d_y = way_t - now[i, at.STEP_T], way_x - now[i, at.STEP_X], way_y - now[i, at.STEP_Y]
        same += now[i, at.STEP_T] * d_t + now[i, at.STEP_X] * d_x + now[i, at.STEP_Y] * d_y
        change += d_t * d_t + d_x * d_x + d_y * d_y
        now[i, at.STEP_T], now[i, at.STEP_X], now[i, at.STEP_Y] = way_t, way_x, way_y
    count, share = now[0, at.COUNT], now[0, at.STEP_SHARE]
    if count < SHORT:
        share = 1.0
    elif count < LONG or (count - SHORT) % AGAIN == 0.0 or change <= 0.0:
        share = FIRST
    else:
        share = min(max(-share * same / change, LEAST), MOST)
    for i in range(wheels.ints.shape[0]):
        now[i, at.COUNT], now[i, at.STEP_SHARE] = count + 1.0, share
